internal import Basics
internal import HTTPMessages
internal import HTTPServing
internal import Synchronization

/// Assigns each request an id, which its answer and its log messages contain: the client's own, or
/// a new one.
final class RequestIDs: Sendable {
    /// The longest id in bytes that is accepted from a client.
    static var longest: Int { 64 }

    private let prefix: String
    private let count = Atomic<UInt64>(0)

    /// Ids that differ from those of other runs by when the process started.
    init(start: WallTime) { prefix = String(UInt64(bitPattern: start.rawValue), radix: 36) + "-" }

    /// The id of a request: its `X-Request-Id` if that is 1 to 64 letters, digits, dots, hyphens or
    /// underscores, else a new one; so also if there are two.
    func id(of request: HTTPRequest) -> String {
        let ids = request.headers("X-Request-Id")
        return ids.count == 1 && Self.isSane(ids[0]) ? ids[0] : next()
    }

    /// The same for a request of a publisher.
    func id(of head: RequestHead) -> String {
        // Most have none, and nothing is to be allocated for these.
        if head.header("X-Request-Id") == nil { return next() }
        let ids = head.headers(named: "X-Request-Id")
        return ids.count == 1 && Self.isSane(ids[0]) ? ids[0] : next()
    }

    /// A new id.
    func next() -> String {
        let number = count.add(1, ordering: .relaxed).newValue
        return prefix + String(number)
    }

    private static func isSane(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                default: false
                }
            }
    }
}
