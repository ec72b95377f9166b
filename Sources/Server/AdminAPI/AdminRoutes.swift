internal import HTTPServing

/// All routes of the admin server; `protocol/admin.openapi.json` describes them, and tests compare
/// the two.
enum AdminRoutes {
    static let all: [AdminRoute] =
        [
            AdminRoute("GET", path: "/healthz", operation: .health, access: .anybody),
            AdminRoute(
                "GET",
                path: "/readyz",
                operation: .readiness,
                access: .anybodyOrOperator
            ),
            AdminRoute("GET", path: "/metrics", operation: .metrics),
            AdminRoute("GET", path: "/", operation: .page, access: .anybody),
            AdminRoute("GET", path: "/runbook", operation: .runbook, access: .anybody),
            AdminRoute("GET", path: "/assets/{name}", operation: .asset, access: .anybody),
            AdminRoute("GET", path: "/openapi.json", operation: .document),
            AdminRoute("GET", path: "/v1/status", operation: .status),
            AdminRoute("GET", path: "/v1/operator", operation: .whoami),
            AdminRoute(
                "GET",
                path: "/v1/events",
                operation: .events,
                parameters: ["token"],
                access: .bearerInQuery
            ),
        ] + reads + commands + services

    /// The routes that read what the loop knows.
    private static let reads: [AdminRoute] = [
        AdminRoute(
            "GET",
            path: "/v1/connections",
            operation: .ask(AdminInput.connections),
            parameters: ["after", "limit"]
        ),
        AdminRoute(
            "GET",
            path: "/v1/producers",
            operation: .ask(AdminInput.producers),
            parameters: ["app", "after", "limit"]
        ),
        AdminRoute("GET", path: "/v1/apps", operation: .ask(AdminInput.apps)),
        AdminRoute("GET", path: "/v1/apps/{app}", operation: .ask(AdminInput.app)),
        AdminRoute(
            "GET",
            path: "/v1/apps/{app}/devices",
            operation: .ask(AdminInput.devices),
            parameters: ["after", "limit"]
        ),
        AdminRoute(
            "GET",
            path: "/v1/apps/{app}/devices/{device}",
            operation: .ask(AdminInput.device)
        ),
        AdminRoute(
            "GET",
            path: "/v1/apps/{app}/dead-tokens",
            operation: .ask(AdminInput.deadTokens),
            parameters: ["after", "limit"]
        ),
        AdminRoute(
            "GET",
            path: "/v1/apps/{app}/dead-tokens/events",
            operation: .deadTokenEvents,
            parameters: ["after", "token"],
            access: .bearerInQuery
        ),
        AdminRoute(
            "GET",
            path: "/v1/apps/{app}/revocations",
            operation: .ask(AdminInput.revocations),
            parameters: ["after", "limit"]
        ),
        AdminRoute("GET", path: "/v1/app-file", operation: .ask(AdminInput.appFile)),
        AdminRoute(
            "GET",
            path: "/v1/history",
            operation: .ask(AdminInput.history),
            parameters: ["range", "resolution"]
        ),
        AdminRoute(
            "GET",
            path: "/v1/origins",
            operation: .ask(AdminInput.origins),
            parameters: ["after", "limit"]
        ),
        AdminRoute("GET", path: "/v1/hot-keys", operation: .ask(AdminInput.hotKeys)),
        AdminRoute("GET", path: "/v1/log-level", operation: .ask(AdminInput.logLevel)),
    ]

    /// The routes of operators' commands.
    private static let commands: [AdminRoute] = [
        AdminRoute(
            "PUT",
            path: "/v1/app-file",
            operation: .ask(AdminInput.replaceAppFile),
            role: .admin,
            isCommand: true
        ),
        AdminRoute(
            "POST",
            path: "/v1/apps/{app}/pause",
            operation: .ask(AdminInput.pause),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "POST",
            path: "/v1/apps/{app}/resume",
            operation: .ask(AdminInput.resume),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "POST",
            path: "/v1/apps/{app}/producers/{producer}/forget",
            operation: .ask(AdminInput.forgetProducer),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "DELETE",
            path: "/v1/apps/{app}/devices/{device}",
            operation: .ask(AdminInput.forgetDevice),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "PUT",
            path: "/v1/apps/{app}/revocations/{device}",
            operation: .ask(AdminInput.revokeTokens),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "DELETE",
            path: "/v1/apps/{app}/revocations/{device}",
            operation: .ask(AdminInput.withdrawRevocation),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "POST",
            path: "/v1/drain",
            operation: .ask(AdminInput.drain),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "PUT",
            path: "/v1/log-level",
            operation: .ask(AdminInput.setLogLevel),
            role: .operator,
            isCommand: true
        ),
        AdminRoute(
            "POST",
            path: "/v1/backup",
            operation: .ask(AdminInput.backup),
            role: .operator,
            isCommand: true
        ),
        AdminRoute("POST", path: "/v1/links", operation: .makeLink, isCommand: true),
        AdminRoute(
            "POST",
            path: "/v1/sessions",
            operation: .openSession,
            access: .code,
            isCommand: true
        ),
    ]

    /// Requests that programs send.
    private static let services: [AdminRoute] = [
        AdminRoute("POST", path: "/v1/app-file/validate", operation: .validateAppFile),
        AdminRoute("POST", path: "/v1/explain", operation: .ask(AdminInput.explain)),
        AdminRoute(
            "POST",
            path: "/v1/slots",
            operation: .ask(AdminInput.slots),
            role: .operator
        ),
        AdminRoute(
            "POST",
            path: "/v1/pushes",
            operation: .ask(AdminInput.push),
            parameters: ["app", "producer", "seq", "urgent", "voidAt"],
            role: .admin
        ),
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
