internal import Basics

/// All routes of the admin server: `Routes.swift`, which is made from `protocol/admin.table`, lists
/// them.
enum AdminRoutes {
    /// All methods that any route accepts.
    static let methods: Set<String> = Set(all.map(\.method) + ["HEAD"])

    /// The result of looking up a method and a path.
    enum RouteMatch {
        case route(AdminRoute, names: [String])
        /// The path exists, but only with these methods.
        case otherMethods([String])
        case nothing
    }

    /// Looks up a route by a path with its percent-escapes. HEAD finds the route of GET, except
    /// those of streams of events, which never end.
    static func find(_ method: String, path: String) -> RouteMatch {
        var methods: [String] = []
        for route in all {
            let names = path.withByteView { route.pattern.names(in: $0) }
            guard let names else { continue }
            if route.method == method { return .route(route, names: names) }
            methods.append(route.method)
            if route.method != "GET" || route.isStream { continue }
            if method == "HEAD" { return .route(route, names: names) }
            methods.append("HEAD")
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
