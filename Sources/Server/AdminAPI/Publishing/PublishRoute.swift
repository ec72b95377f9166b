internal import Basics
internal import FrameCodec
internal import HTTPMessages

/// A path of the listener for publishers, and what it does.
///
/// `all` is the table of them: a further path is a further row.
struct PublishRoute {
    /// What a request of a route asks for.
    enum Operation: Sendable {
        /// The document that describes the listener.
        case document
        /// The body has pushes of the app that the path names; or, with GET, which were accepted.
        case pushes
        /// What became of the push that the path names.
        case history
        /// The body is that of a frame of the device that the path names.
        case report(FrameType)
    }

    /// The path with a name in braces where any segment may be, as metrics and logs show it.
    let path: String
    /// The methods that it accepts besides OPTIONS.
    let methods: [RequestHead.Method]
    /// All methods as the header `Allow` says them.
    let allowed: String
    let operation: Operation
    private let pattern: PathPattern

    private init(_ path: String, methods: [RequestHead.Method], operation: Operation) {
        self.path = path
        self.methods = methods
        self.operation = operation
        let names = (methods + [.options]).map { "\($0)".uppercased() }
        allowed = names.joined(separator: ", ")
        pattern = PathPattern(path)
    }

    /// The route of a frame of a device.
    private init(_ name: String, reports type: FrameType, by method: RequestHead.Method) {
        let path = "/v1/apps/{app}/devices/{device}/\(name)"
        self.init(path, methods: [method], operation: .report(type))
    }

    /// All routes.
    static let all = [
        PublishRoute("/v1/apps/{app}/pushes", methods: [.get, .head, .post], operation: .pushes),
        PublishRoute(
            "/v1/apps/{app}/pushes/{producer}/{seq}",
            methods: [.get, .head],
            operation: .history
        ),
        PublishRoute("widgets", reports: .widgets, by: .put),
        PublishRoute("timelines", reports: .timeline, by: .post),
        PublishRoute("requests", reports: .request, by: .post),
        PublishRoute("state", reports: .state, by: .post),
        PublishRoute("/openapi.json", methods: [.get, .head], operation: .document),
    ]

    /// The methods of all routes, as the header `Allow` says them.
    static let everyMethod = "GET, HEAD, POST, PUT, OPTIONS"

    /// The route of a path, and the segments of the path that are in braces; nil if there is no
    /// such route.
    static func find(_ path: ByteView) -> (route: PublishRoute, names: [String])? {
        for route in all {
            if let names = route.pattern.names(in: path) { return (route, names) }
        }
        return nil
    }
}
