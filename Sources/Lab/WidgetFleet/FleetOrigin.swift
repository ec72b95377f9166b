internal import HTTPFetching
internal import HTTPServing
internal import LibuvLoop
internal import TestOrigin

/// The origin of a fleet over HTTP: its own, or somebody else's.
final class FleetOrigin {
    private static var leastConnections: Int { 512 }
    private static var mostConnections: Int { 8_192 }
    /// Of one client: libcurl looks through its connections for each request.
    private static var connectionsPerClient: Int { 128 }

    private let server: OriginServer?
    private let clients: [HTTPClient]
    private var nextClient = 0
    private let url: String
    /// What was seen from here, for a server that is not ours.
    private var seen = OriginCounts.Counts()

    /// - Throws: `FleetError` if the server or the client cannot begin.
    init(
        _ plan: OriginPlan,
        seed: UInt64,
        ramped: Int64,
        _ loop: Loop,
        descriptors: Int,
        waiting: Int
    ) throws {
        let connections = Self.connections(plan, descriptors)
        var limits = HTTPClientLimits()
        limits.connections = Self.connectionsPerClient
        limits.waiting = waiting
        let count = (connections + Self.connectionsPerClient - 1) / Self.connectionsPerClient
        clients = try (0..<count).map { _ in try HTTPClient(loop, limits: limits) }
        if let url = plan.url {
            server = nil
            self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
            return
        }
        let server = try OriginServer(
            LoopbackAddress(host: "127.0.0.1", port: 0)!,
            model: OriginModel(plan),
            content: OriginContent(plan, seed: seed, ramped: ramped),
            connections: count * Self.connectionsPerClient + 64
        )
        self.server = server
        url = "http://\(server.address)"
    }

    /// Requests that are under way at a time, others wait.
    ///
    /// More than the origin lets wait: it is to see what devices with a connection each would do, and
    /// refuse what is too much.
    private static func connections(_ plan: OriginPlan, _ descriptors: Int) -> Int {
        let wanted = max(leastConnections, 2 * (plan.queue ?? plan.capacity ?? 0))
        // Both ends are in this process.
        return min(wanted, mostConnections, descriptors / 2 - connectionsPerClient)
    }

    /// The least open files that it can do with.
    static var leastDescriptors: Int { 4 * connectionsPerClient }

    /// Whether nothing is under way.
    var isIdle: Bool { clients.allSatisfy { $0.inFlightCount == 0 && $0.waitingCount == 0 } }

    /// What there has been since the beginning.
    var sums: OriginCounts.Counts { server?.counts.sums ?? seen }

    func apply(_ payload: [UInt8]) {
        // The scenario's payloads are objects: there is nothing wrong with them.
        _ = try? server?.apply(payload: payload)
    }

    func ask(_ path: String, _ completion: @escaping (OriginAnswer) -> Void) {
        seen.arrived += 1
        client().get(url + path) { [self] result in
            switch result {
            case .success(let reply) where reply.status == 200:
                seen.answered += 1
                completion(.body(reply.body))
            case .success(let reply):
                seen.refused += 1
                completion(.refused(status: reply.status, retryAfter: reply.retryAfterSeconds))
            case .failure(let error): completion(.unreachable("\(error)"))
            }
        }
    }

    /// One that has room; if none has, the next one, where the request waits for its turn.
    private func client() -> HTTPClient {
        nextClient = (nextClient + 1) % clients.count
        for offset in clients.indices {
            let client = clients[(nextClient + offset) % clients.count]
            if client.inFlightCount < Self.connectionsPerClient { return client }
        }
        return clients[nextClient]
    }

    func close() {
        for client in clients { client.close() }
        server?.stop()
    }
}
