internal import HTTPServing

/// All routes of the admin server; `protocol/admin.table` describes them, and tests compare the
/// two.
enum AdminRoutes {
    static let all: [AdminRoute] = first + reads + commands + services

    private static let first: [AdminRoute] = [
        AdminRoute("GET /healthz", operation: .health).open(to: .anybody),
        AdminRoute("GET /readyz", operation: .readiness).open(to: .anybodyOrOperator),
        AdminRoute("GET /metrics", operation: .metrics),
        AdminRoute("GET /", operation: .page).open(to: .anybody),
        AdminRoute("GET /runbook", operation: .runbook).open(to: .anybody),
        AdminRoute("GET /assets/{name}", operation: .asset).open(to: .anybody),
        AdminRoute("GET /openapi.json", operation: .document),
        AdminRoute("GET /v1/status", operation: .status),
        AdminRoute("GET /v1/operator", operation: .whoami),
        AdminRoute("GET /v1/events", operation: .events).with("token").open(to: .bearerInQuery),
    ]

    /// The routes that read what the loop knows.
    private static let reads: [AdminRoute] = [
        AdminRoute("GET /v1/connections", asking: AdminInput.connections).with("after", "limit"),
        AdminRoute("GET /v1/producers", asking: AdminInput.producers).with("app", "after", "limit"),
        AdminRoute("GET /v1/apps", asking: AdminInput.apps),
        AdminRoute("GET /v1/apps/{app}", asking: AdminInput.app),
        AdminRoute("GET /v1/apps/{app}/devices", asking: AdminInput.devices).with("after", "limit"),
        AdminRoute("GET /v1/apps/{app}/devices/{device}", asking: AdminInput.device),
        AdminRoute("GET /v1/apps/{app}/dead-tokens", asking: AdminInput.deadTokens)
            .with("after", "limit"),
        AdminRoute("GET /v1/apps/{app}/dead-tokens/events", operation: .deadTokenEvents)
            .with("after", "token").open(to: .bearerInQuery),
        AdminRoute("GET /v1/apps/{app}/revocations", asking: AdminInput.revocations)
            .with("after", "limit"),
        AdminRoute("GET /v1/app-file", asking: AdminInput.appFile),
        AdminRoute("GET /v1/history", asking: AdminInput.history).with("range", "resolution"),
        AdminRoute("GET /v1/origins", asking: AdminInput.origins).with("after", "limit"),
        AdminRoute("GET /v1/hot-keys", asking: AdminInput.hotKeys),
        AdminRoute("GET /v1/log-level", asking: AdminInput.logLevel),
    ]

    /// The routes of operators' commands.
    private static let commands: [AdminRoute] = [
        AdminRoute("PUT /v1/app-file", asking: AdminInput.replaceAppFile).command(by: .admin),
        AdminRoute("POST /v1/apps/{app}/pause", asking: AdminInput.pause).command(by: .operator),
        AdminRoute("POST /v1/apps/{app}/resume", asking: AdminInput.resume).command(by: .operator),
        AdminRoute(
            "POST /v1/apps/{app}/producers/{producer}/forget",
            asking: AdminInput.forgetProducer
        ).command(by: .operator),
        AdminRoute("DELETE /v1/apps/{app}/devices/{device}", asking: AdminInput.forgetDevice)
            .command(by: .operator),
        AdminRoute("PUT /v1/apps/{app}/revocations/{device}", asking: AdminInput.revokeTokens)
            .command(by: .operator),
        AdminRoute(
            "DELETE /v1/apps/{app}/revocations/{device}",
            asking: AdminInput.withdrawRevocation
        ).command(by: .operator),
        AdminRoute("POST /v1/drain", asking: AdminInput.drain).command(by: .operator),
        AdminRoute("PUT /v1/log-level", asking: AdminInput.setLogLevel).command(by: .operator),
        AdminRoute("POST /v1/backup", asking: AdminInput.backup).command(by: .operator),
        AdminRoute("POST /v1/links", operation: .makeLink).command(by: .viewer),
        AdminRoute("POST /v1/sessions", operation: .openSession)
            .open(to: .code).command(by: .viewer),
    ]

    /// Requests that programs send.
    private static let services: [AdminRoute] = [
        AdminRoute("POST /v1/app-file/validate", operation: .validateAppFile),
        AdminRoute("POST /v1/explain", asking: AdminInput.explain),
        AdminRoute("POST /v1/slots", asking: AdminInput.slots).by(.operator),
        AdminRoute("POST /v1/pushes", asking: AdminInput.push)
            .with("app", "producer", "seq", "urgent", "voidAt").by(.admin),
    ]

    /// All methods that any route accepts.
    static let methods: Set<String> = Set(all.map(\.method) + ["HEAD"])

    /// The result of looking up a method and a path.
    enum RouteMatch {
        case route(AdminRoute, names: [String])
        /// The path exists, but only with these methods.
        case otherMethods([String])
        case nothing
    }

    /// Looks up a route. HEAD finds the route of GET, except those of streams of events, which
    /// never end.
    static func find(_ method: String, path: [String]) -> RouteMatch {
        var methods: [String] = []
        for route in all {
            guard let names = route.names(in: path) else { continue }
            if route.method == method { return .route(route, names: names) }
            methods.append(route.method)
            if route.method != "GET" || route.isStream { continue }
            if method == "HEAD" { return .route(route, names: names) }
            methods.append("HEAD")
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
