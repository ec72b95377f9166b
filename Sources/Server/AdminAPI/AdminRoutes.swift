internal import HTTPServing

/// All routes of the admin server; `protocol/admin.openapi.json` describes them, and tests compare
/// the two.
enum AdminRoutes {
    static let all: [AdminRoute] =
        [
            AdminRoute("GET", "/healthz", .health, access: .anybody),
            AdminRoute("GET", "/readyz", .readiness, access: .anybody),
            AdminRoute("GET", "/metrics", .metrics),
            AdminRoute("GET", "/", .page, access: .anybody),
            AdminRoute("GET", "/assets/{name}", .asset, access: .anybody),
            AdminRoute("GET", "/openapi.json", .document),
            AdminRoute("GET", "/v1/status", .status),
            AdminRoute(
                "GET",
                "/v1/events",
                .events,
                parameters: ["token"],
                access: .bearerInQuery
            ),
        ] + reads + commands + services

    private static let reads: [AdminRoute] = [
        AdminRoute(
            "GET",
            "/v1/connections",
            .ask(AdminInput.connections),
            parameters: ["after", "limit"]
        ),
        AdminRoute(
            "GET",
            "/v1/producers",
            .ask(AdminInput.producers),
            parameters: ["app", "after", "limit"]
        ),
        AdminRoute("GET", "/v1/apps", .ask(AdminInput.apps)),
        AdminRoute("GET", "/v1/apps/{app}", .ask(AdminInput.app)),
        AdminRoute(
            "GET",
            "/v1/apps/{app}/devices",
            .ask(AdminInput.devices),
            parameters: ["after", "limit"]
        ),
        AdminRoute("GET", "/v1/apps/{app}/devices/{device}", .ask(AdminInput.device)),
        AdminRoute("GET", "/v1/app-file", .ask(AdminInput.appFile)),
        AdminRoute("GET", "/v1/origins", .ask(AdminInput.origins)),
        AdminRoute("GET", "/v1/hot-keys", .ask(AdminInput.hotKeys)),
        AdminRoute("GET", "/v1/log-level", .ask(AdminInput.logLevel)),
    ]

    private static let commands: [AdminRoute] = [
        AdminRoute("PUT", "/v1/app-file", .ask(AdminInput.replaceAppFile), isCommand: true),
        AdminRoute("POST", "/v1/apps/{app}/pause", .ask(AdminInput.pause), isCommand: true),
        AdminRoute("POST", "/v1/apps/{app}/resume", .ask(AdminInput.resume), isCommand: true),
        AdminRoute(
            "POST",
            "/v1/apps/{app}/producers/{producer}/forget",
            .ask(AdminInput.forgetProducer),
            isCommand: true
        ),
        AdminRoute("POST", "/v1/drain", .ask(AdminInput.drain), isCommand: true),
        AdminRoute("PUT", "/v1/log-level", .ask(AdminInput.setLogLevel), isCommand: true),
        AdminRoute("POST", "/v1/backup", .ask(AdminInput.backup), isCommand: true),
    ]

    /// Requests that programs send.
    private static let services: [AdminRoute] = [
        AdminRoute("POST", "/v1/app-file/validate", .validateAppFile),
        AdminRoute("POST", "/v1/explain", .ask(AdminInput.explain)),
        AdminRoute("POST", "/v1/slots", .ask(AdminInput.slots)),
        AdminRoute(
            "POST",
            "/v1/pushes",
            .ask(AdminInput.push),
            parameters: ["app", "producer", "seq", "urgent", "voidAt"]
        ),
    ]

    /// All methods that any route accepts.
    static let methods: Set<String> = Set(all.map(\.method) + ["HEAD"])

    /// The result of looking up a method and a path.
    enum Found {
        case route(AdminRoute, names: [String])
        /// The path exists, but only with these methods.
        case otherMethods([String])
        case nothing
    }

    /// Looks up a route. HEAD finds the route of GET, except that of the event stream, which never
    /// ends.
    static func find(_ method: String, _ path: [String]) -> Found {
        var methods: [String] = []
        for route in all {
            guard let names = route.names(in: path) else { continue }
            if route.method == method { return .route(route, names: names) }
            methods.append(route.method)
            if route.method != "GET" || route.access == .bearerInQuery { continue }
            if method == "HEAD" { return .route(route, names: names) }
            methods.append("HEAD")
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
