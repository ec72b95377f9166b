internal import HTTPServing
internal import Synchronization

/// Names of requests, by which answers and logs are found: the client's own, or one that is made.
final class RequestIDs: Sendable {
    /// Longer ones of clients are not taken over.
    static var longest: Int { 64 }

    private let prefix: String
    private let count = Atomic<UInt64>(0)

    /// - Parameter start: when the process began, which tells its ids from those of others.
    init(start: Int64) {
        prefix = String(UInt64(bitPattern: start), radix: 36)
    }

    /// What the request says it is, if that is 1 to 64 letters, digits, dots, hyphens or underscores.
    func id(of request: HTTPRequest) -> String {
        if let id = request.header("X-Request-Id"), Self.isSane(id) { return id }
        let number = count.add(1, ordering: .relaxed).newValue
        return "\(prefix)-\(number)"
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
