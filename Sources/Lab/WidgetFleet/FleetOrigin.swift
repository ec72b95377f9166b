internal import Basics
internal import HTTPFetching
internal import HTTPServing
internal import LibuvLoop
internal import TestOrigin

/// The origin of a fleet over HTTP: its own server, or one that the scenario names.
final class FleetOrigin {
    private static var leastConnections: Int { 512 }
    private static var mostConnections: Int { 8_192 }
    /// The most connections of one client: libcurl searches all of them for each request.
    private static var connectionsPerClient: Int { 128 }

    private let server: OriginServer?
    private let clients: [HTTPClient]
    private var nextClient = 0
    private let url: String
    /// Counts of the requests as seen from here, used for a server that is not the fleet's own.
    private var clientCounts = OriginCounts.Counts()

    /// - Throws: `FleetError` if the server or a client cannot be started.
    init(
        _ plan: OriginPlan,
        seed: UInt64,
        rampEnd: WallTime,
        loop: Loop,
        descriptors: Int,
        waiting: Int
    ) throws {
        let connections = Self.connections(plan, descriptors: descriptors)
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
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            model: OriginModel(plan),
            content: OriginContent(plan, seed: seed, rampEnd: rampEnd),
            connections: count * Self.connectionsPerClient + 64
        )
        self.server = server
        url = "http://\(server.address)"
    }

    /// The most requests that are under way at a time; others wait here.
    ///
    /// More than the origin's queue can hold: the origin must see the same load as from devices
    /// with a connection each, and refuse the excess.
    private static func connections(_ plan: OriginPlan, descriptors: Int) -> Int {
        assert(descriptors >= leastDescriptors, "the origin has too few file descriptors")
        let wanted = max(leastConnections, 2 * (plan.queue ?? plan.capacity ?? 0))
        // Both ends of a connection are in this process, and take a descriptor each.
        return min(wanted, mostConnections, descriptors / 2 - connectionsPerClient)
    }

    /// The fewest file descriptors that it can work with.
    static var leastDescriptors: Int { 4 * connectionsPerClient }

    /// True if no request is under way or waiting.
    var isIdle: Bool { clients.allSatisfy { $0.inFlightCount == 0 && $0.waitingCount == 0 } }

    /// All requests since the start.
    var sums: OriginCounts.Counts { server?.counts.sums ?? clientCounts }

    /// Changes the fleet's own origin as a push says; does nothing with another server.
    func apply(_ payload: [UInt8]) {
        // The scenario's payloads are objects, so this cannot fail.
        _ = try? server?.apply(payload: payload)
    }

    /// Sends a fetch; `completion` is called on the loop.
    func ask(_ path: String, completion: @escaping (OriginAnswer) -> Void) {
        clientCounts.arrived += 1
        client().get(url + path) { [self] result in
            switch result {
            case .success(let reply) where reply.status == 200:
                clientCounts.answered += 1
                completion(.body(reply.body))
            case .success(let reply):
                clientCounts.refused += 1
                completion(.refused(status: reply.status, retryAfter: reply.retryAfterSeconds))
            case .failure(let error): completion(.unreachable("\(error)"))
            }
        }
    }

    /// The next client with a free connection, or else the next client, where the request has to
    /// wait.
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
