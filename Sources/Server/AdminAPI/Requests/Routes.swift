// Made from protocol/admin.table by protocol/admin_swift.py: change that table.
// swift-format-ignore-file
extension AdminRoutes {
    /// All routes.
    static let all: [AdminRoute] = [
        AdminRoute("GET", path: "/healthz", operation: .here(.health), access: .anybody),
        AdminRoute("GET", path: "/readyz", operation: .here(.readiness), access: .anybodyOrOperator),
        AdminRoute("GET", path: "/metrics", operation: .here(.metrics)),
        AdminRoute("GET", path: "/", operation: .here(.page), access: .anybody),
        AdminRoute("GET", path: "/runbook", operation: .here(.runbook), access: .anybody),
        AdminRoute("GET", path: "/assets/{name}", operation: .here(.asset), access: .anybody),
        AdminRoute("GET", path: "/openapi.json", operation: .here(.document)),
        AdminRoute("GET", path: "/v1/status", operation: .here(.status)),
        AdminRoute("GET", path: "/v1/operator", operation: .here(.operator)),
        AdminRoute("GET", path: "/v1/events", operation: .here(.events), parameters: ["token"], access: .bearerInQuery),
        AdminRoute("GET", path: "/v1/connections", operation: .loop { (it) throws(AdminProblem) in try .connections(after: it.entry("after"), limit: it.limit()) }, parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/producers", operation: .loop { (it) throws(AdminProblem) in try .producers(app: it.identifier("app"), after: it.entry("after"), limit: it.limit()) }, parameters: ["app", "after", "limit"]),
        AdminRoute("GET", path: "/v1/apps", operation: .loop { _ in .apps }),
        AdminRoute("GET", path: "/v1/apps/{app}", operation: .loop { (it) throws(AdminProblem) in try .app(it.name(0, as: "the app")) }),
        AdminRoute("POST", path: "/v1/apps/{app}/pause", operation: .loop { (it) throws(AdminProblem) in try .pause(app: it.name(0, as: "the app")) }, role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/apps/{app}/resume", operation: .loop { (it) throws(AdminProblem) in try .resume(app: it.name(0, as: "the app")) }, role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/apps/{app}/producers/{producer}/forget", operation: .loop { (it) throws(AdminProblem) in try .forgetProducer(app: it.name(0, as: "the app"), producer: it.name(1, as: "the producer")) }, role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/devices", operation: .loop { (it) throws(AdminProblem) in try .devices(app: it.name(0, as: "the app"), after: it.identifier("after"), limit: it.limit()) }, parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/apps/{app}/devices/{device}", operation: .loop { (it) throws(AdminProblem) in try .device(app: it.name(0, as: "the app"), device: it.name(1, as: "the device")) }),
        AdminRoute("DELETE", path: "/v1/apps/{app}/devices/{device}", operation: .loop { (it) throws(AdminProblem) in try .forgetDevice(app: it.name(0, as: "the app"), device: it.name(1, as: "the device")) }, role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/revocations", operation: .loop { (it) throws(AdminProblem) in try .revocations(app: it.name(0, as: "the app"), after: it.identifier("after"), limit: it.limit()) }, parameters: ["after", "limit"]),
        AdminRoute("PUT", path: "/v1/apps/{app}/revocations/{device}", operation: .loop { (it) throws(AdminProblem) in try it.revokeTokens() }, role: .operator, isCommand: true),
        AdminRoute("DELETE", path: "/v1/apps/{app}/revocations/{device}", operation: .loop { (it) throws(AdminProblem) in try .withdrawRevocation(app: it.name(0, as: "the app"), device: it.name(1, as: "the device")) }, role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/dead-tokens", operation: .loop { (it) throws(AdminProblem) in try it.deadTokens() }, parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/apps/{app}/dead-tokens/events", operation: .here(.deadTokenEvents), parameters: ["after", "token"], access: .bearerInQuery),
        AdminRoute("GET", path: "/v1/app-file", operation: .loop { _ in .appFile }),
        AdminRoute("PUT", path: "/v1/app-file", operation: .loop { (it) throws(AdminProblem) in try it.replaceAppFile() }, role: .admin, isCommand: true),
        AdminRoute("POST", path: "/v1/app-file/validate", operation: .here(.validateAppFile)),
        AdminRoute("POST", path: "/v1/explain", operation: .loop { (it) throws(AdminProblem) in try it.explain() }),
        AdminRoute("POST", path: "/v1/slots", operation: .loop { (it) throws(AdminProblem) in try it.slots() }, role: .operator),
        AdminRoute("POST", path: "/v1/pushes", operation: .loop { (it) throws(AdminProblem) in try it.push() }, parameters: ["app", "producer", "seq", "urgent", "voidAt"], role: .admin),
        AdminRoute("GET", path: "/v1/apps/{app}/pushes", operation: .loop { (it) throws(AdminProblem) in try it.pushes() }, parameters: ["producer", "key", "source", "id", "credential", "sub", "after", "limit"]),
        AdminRoute("GET", path: "/v1/apps/{app}/pushes/{producer}/{seq}", operation: .loop { (it) throws(AdminProblem) in try it.pushHistory() }, parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/origins", operation: .loop { (it) throws(AdminProblem) in try .origins(after: it.entry("after"), limit: it.limit()) }, parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/history", operation: .loop { (it) throws(AdminProblem) in try it.history() }, parameters: ["range", "resolution"]),
        AdminRoute("GET", path: "/v1/apps/{app}/history", operation: .loop { (it) throws(AdminProblem) in try it.appHistory() }, parameters: ["kind", "range"]),
        AdminRoute("GET", path: "/v1/hot-keys", operation: .loop { _ in .hotKeys }),
        AdminRoute("POST", path: "/v1/drain", operation: .loop { _ in .drain }, role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/log-level", operation: .loop { _ in .logLevel }),
        AdminRoute("PUT", path: "/v1/log-level", operation: .loop { (it) throws(AdminProblem) in try it.setLogLevel() }, role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/backup", operation: .loop { (it) throws(AdminProblem) in try it.backup() }, role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/links", operation: .here(.makeLink), isCommand: true),
        AdminRoute("POST", path: "/v1/sessions", operation: .here(.openSession), access: .code, isCommand: true),
        AdminRoute("DELETE", path: "/v1/sessions", operation: .here(.closeSession), isCommand: true),
    ]
}

extension AdminRoute {
    /// What the admin server answers by itself.
    enum Resource: Sendable {
        case health
        case readiness
        case metrics
        case page
        case runbook
        case asset
        case document
        case status
        case `operator`
        case events
        case deadTokenEvents
        case validateAppFile
        case makeLink
        case openSession
        case closeSession
    }
}
