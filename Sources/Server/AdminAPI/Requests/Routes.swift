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
        AdminRoute("GET", path: "/v1/connections", operation: .loop(.connections), parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/producers", operation: .loop(.producers), parameters: ["app", "after", "limit"]),
        AdminRoute("GET", path: "/v1/apps", operation: .loop(.apps)),
        AdminRoute("GET", path: "/v1/apps/{app}", operation: .loop(.app)),
        AdminRoute("POST", path: "/v1/apps/{app}/pause", operation: .loop(.pause), role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/apps/{app}/resume", operation: .loop(.resume), role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/apps/{app}/producers/{producer}/forget", operation: .loop(.forgetProducer), role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/devices", operation: .loop(.devices), parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/apps/{app}/devices/{device}", operation: .loop(.device)),
        AdminRoute("DELETE", path: "/v1/apps/{app}/devices/{device}", operation: .loop(.forgetDevice), role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/revocations", operation: .loop(.revocations), parameters: ["after", "limit"]),
        AdminRoute("PUT", path: "/v1/apps/{app}/revocations/{device}", operation: .loop(.revokeTokens), role: .operator, isCommand: true),
        AdminRoute("DELETE", path: "/v1/apps/{app}/revocations/{device}", operation: .loop(.withdrawRevocation), role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/apps/{app}/dead-tokens", operation: .loop(.deadTokens), parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/apps/{app}/dead-tokens/events", operation: .here(.deadTokenEvents), parameters: ["after", "token"], access: .bearerInQuery),
        AdminRoute("GET", path: "/v1/app-file", operation: .loop(.appFile)),
        AdminRoute("PUT", path: "/v1/app-file", operation: .loop(.replaceAppFile), role: .admin, isCommand: true),
        AdminRoute("POST", path: "/v1/app-file/validate", operation: .here(.validateAppFile)),
        AdminRoute("POST", path: "/v1/explain", operation: .loop(.explain)),
        AdminRoute("POST", path: "/v1/slots", operation: .loop(.slots), role: .operator),
        AdminRoute("POST", path: "/v1/pushes", operation: .loop(.push), parameters: ["app", "producer", "seq", "urgent", "voidAt"], role: .admin),
        AdminRoute("GET", path: "/v1/origins", operation: .loop(.origins), parameters: ["after", "limit"]),
        AdminRoute("GET", path: "/v1/history", operation: .loop(.history), parameters: ["range", "resolution"]),
        AdminRoute("GET", path: "/v1/hot-keys", operation: .loop(.hotKeys)),
        AdminRoute("POST", path: "/v1/drain", operation: .loop(.drain), role: .operator, isCommand: true),
        AdminRoute("GET", path: "/v1/log-level", operation: .loop(.logLevel)),
        AdminRoute("PUT", path: "/v1/log-level", operation: .loop(.setLogLevel), role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/backup", operation: .loop(.backup), role: .operator, isCommand: true),
        AdminRoute("POST", path: "/v1/links", operation: .here(.makeLink), isCommand: true),
        AdminRoute("POST", path: "/v1/sessions", operation: .here(.openSession), access: .code, isCommand: true),
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
    }

    /// What the loop answers.
    enum Question: Sendable {
        case connections
        case producers
        case apps
        case app
        case pause
        case resume
        case forgetProducer
        case devices
        case device
        case forgetDevice
        case revocations
        case revokeTokens
        case withdrawRevocation
        case deadTokens
        case appFile
        case replaceAppFile
        case explain
        case slots
        case push
        case origins
        case history
        case hotKeys
        case drain
        case logLevel
        case setLogLevel
        case backup
    }
}

extension AdminInput {
    /// Reads what the loop is asked for.
    func request(for question: AdminRoute.Question) throws(AdminProblem) -> AdminRequest {
        switch question {
        case .connections: .connections(after: try entry("after"), limit: try limit())
        case .producers: .producers(app: try identifier("app"), after: try entry("after"), limit: try limit())
        case .apps: .apps
        case .app: .app(try name(0, as: "the app"))
        case .pause: .pause(app: try name(0, as: "the app"))
        case .resume: .resume(app: try name(0, as: "the app"))
        case .forgetProducer: .forgetProducer(app: try name(0, as: "the app"), producer: try name(1, as: "the producer"))
        case .devices: .devices(app: try name(0, as: "the app"), after: try identifier("after"), limit: try limit())
        case .device: .device(app: try name(0, as: "the app"), device: try name(1, as: "the device"))
        case .forgetDevice: .forgetDevice(app: try name(0, as: "the app"), device: try name(1, as: "the device"))
        case .revocations: .revocations(app: try name(0, as: "the app"), after: try identifier("after"), limit: try limit())
        case .revokeTokens: try revokeTokens()
        case .withdrawRevocation: .withdrawRevocation(app: try name(0, as: "the app"), device: try name(1, as: "the device"))
        case .deadTokens: try deadTokens()
        case .appFile: .appFile
        case .replaceAppFile: try replaceAppFile()
        case .explain: try explain()
        case .slots: try slots()
        case .push: try push()
        case .origins: .origins(after: try entry("after"), limit: try limit())
        case .history: try history()
        case .hotKeys: .hotKeys
        case .drain: .drain
        case .logLevel: .logLevel
        case .setLogLevel: try setLogLevel()
        case .backup: try backup()
        }
    }
}
