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

    /// Counts nothing yet.
    ///
    /// - Parameter server: the server's name in the names of the metrics.
    package init(_ server: String) {
        self.server = server
    }

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
        let name = "reload_router_\(server)_requests_total"
        var text = "# HELP \(name) Requests to the \(server) server, by route and status.\n"
        text += "# TYPE \(name) counter\n"
        for (key, count) in sorted {
            text += "\(name){route=\"\(key.route)\",status=\"\(key.status)\"} \(count)\n"
        }
        let displaced = "reload_router_\(server)_connections_displaced_total"
        text += "# HELP \(displaced) "
        text += "Connections of the \(server) server that were closed to admit others.\n"
        text += "# TYPE \(displaced) counter\n"
        text += "\(displaced) \(displacedCount.load(ordering: .relaxed))\n"
        return text
    }
}
