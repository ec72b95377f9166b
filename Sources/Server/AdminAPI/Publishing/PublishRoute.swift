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
        /// The body has pushes of the app that the path names.
        case pushes
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
    /// The segments between the slashes; nil for those in braces.
    private let segments: [[UInt8]?]

    private init(_ path: String, methods: [RequestHead.Method], operation: Operation) {
        self.path = path
        self.methods = methods
        self.operation = operation
        let names = (methods + [.options]).map { "\($0)".uppercased() }
        allowed = names.joined(separator: ", ")
        segments = path.utf8.split(separator: 0x2f).map { part in
            part.first == 0x7b ? nil : Array(part)
        }
    }

    /// The route of a frame of a device.
    private init(_ name: String, reports type: FrameType, by method: RequestHead.Method) {
        let path = "/v1/apps/{app}/devices/{device}/\(name)"
        self.init(path, methods: [method], operation: .report(type))
    }

    /// All routes.
    static let all = [
        PublishRoute("/v1/apps/{app}/pushes", methods: [.post], operation: .pushes),
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
            if let names = route.names(in: path) { return (route, names) }
        }
        return nil
    }

    /// The segments in braces; nil if the path is another one, or if one of these is not UTF-8.
    /// Nothing is decoded before all other segments are found to be right.
    private func names(in path: ByteView) -> [String]? {
        var found: [ByteView] = []
        var offset = 0
        for expected in segments {
            guard path.has(offset), path[offset] == 0x2f else { return nil }
            let start = offset + 1
            offset = start
            while path.has(offset), path[offset] != 0x2f { offset += 1 }
            let segment = path.slice(start, to: offset)
            if let expected {
                if !Self.isEqual(segment, to: expected) { return nil }
            } else {
                found.append(segment)
            }
        }
        if offset != path.count { return nil }
        var names: [String] = []
        for segment in found {
            guard let name = Self.text(of: segment) else { return nil }
            names.append(name)
        }
        return names
    }

    /// A decoded segment; nil if it is not UTF-8.
    private static func text(of segment: ByteView) -> String? {
        // Nearly all have no escapes and are ASCII: these are their bytes.
        let isPlain = (0..<segment.count).allSatisfy { segment[$0] != 0x25 && segment[$0] < 0x80 }
        if isPlain { return segment.string }
        return String(validating: PercentEscapes.decode(segment, isQuery: false), as: UTF8.self)
    }

    private static func isEqual(_ segment: ByteView, to expected: [UInt8]) -> Bool {
        if segment.count == expected.count {
            return expected.withByteView { segment == $0 }
        }
        // A byte is written with three at most.
        return segment.count > expected.count && segment.count <= 3 * expected.count
            && PercentEscapes.decode(segment, isQuery: false) == expected
    }
}
