internal import Synchronization

/// Counts answered requests by route and status, and connections ended to make room.
///
/// Its size is bounded by the number of routes and of the statuses that they answer with.
final class AdminRequestCounts: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: UInt32
    }

    private let counts = Mutex<[Key: UInt64]>([:])
    private let displacedCount = Atomic<UInt64>(0)

    /// Counts connections that were ended to make room for others.
    func addDisplaced(_ count: Int) {
        displacedCount.add(UInt64(count), ordering: .relaxed)
    }

    /// Counts an answered request.
    ///
    /// - Parameters:
    ///   - route: path of the route with names in braces, or `(none)`.
    ///   - status: HTTP status of the answer.
    func add(_ route: String, status: UInt32) {
        counts.withLock { $0[Key(route: route, status: status), default: 0] += 1 }
    }

    /// The counters in the text format of Prometheus.
    var metrics: String {
        let sorted = counts.withLock { Array($0) }
            .sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        let name = "reload_router_admin_requests_total"
        var text = "# HELP \(name) Requests to the admin server, by route and status.\n"
        text += "# TYPE \(name) counter\n"
        for (key, count) in sorted {
            text += "\(name){route=\"\(key.route)\",status=\"\(key.status)\"} \(count)\n"
        }
        let displaced = "reload_router_admin_connections_displaced_total"
        text += "# HELP \(displaced) Admin connections that were closed to admit others.\n"
        text += "# TYPE \(displaced) counter\n"
        text += "\(displaced) \(displacedCount.load(ordering: .relaxed))\n"
        return text
    }
}
