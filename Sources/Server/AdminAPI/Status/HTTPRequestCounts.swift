internal import Synchronization

/// Counts the answered requests of one HTTP server by route and status, and its connections that
/// were ended to make room.
///
/// Its size is bounded by the number of routes and of the statuses that they answer with.
package final class HTTPRequestCounts: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: UInt32
    }

    /// The server's name in the names of the metrics.
    private let server: String
    private let counts = Mutex<[Key: UInt64]>([:])
    private let displacedCount = Atomic<UInt64>(0)

    /// Counts nothing yet; the server's name is in those of the metrics.
    package init(_ server: String) { self.server = server }

    /// Counts connections that were ended to make room for others.
    func addDisplaced(_ count: Int) { displacedCount.add(UInt64(count), ordering: .relaxed) }

    /// Counts an answered request by the path of its route, with names in braces, or `(none)`.
    func add(_ route: String, status: UInt32) {
        counts.withLock { $0[Key(route: route, status: status), default: 0] += 1 }
    }

    /// Writes the counters.
    func write(to metrics: inout MetricsText) {
        let sorted = counts.withLock { Array($0) }
            .sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        metrics.write(
            "\(server)_requests_total",
            value: sorted.map { ([$0.key.route, "\($0.key.status)"], $0.value) }
        )
        let displaced = displacedCount.load(ordering: .relaxed)
        metrics.write("\(server)_connections_displaced_total", value: displaced)
    }
}
