import Basics
import LibuvLoop
import ReloadRouterClient
import Testing

/// A router that accepts connections and says nothing, and the owner of connections to it.
private final class Party: RouterConnectionOwner, ListenerOwner, ConnectionOwner {
    private(set) var listener: TCPListener?
    private var accepted: [TCPConnection] = []
    private(set) var openedCount = 0
    /// The ends of the attempts; nil for a call of `disconnect`.
    private(set) var ends: [ClientError?] = []
    /// Called when a socket is open or an attempt has ended.
    var onChange: () -> Void = {}

    init(_ loop: Loop) throws {
        let address = try #require(SocketAddress.withoutLookup(host: "127.0.0.1", port: 0)?.first)
        listener = try TCPListener(loop, address: address, owner: self)
    }

    func close() {
        listener?.close()
        for connection in accepted { connection.close() }
    }

    // MARK: - RouterConnectionOwner

    func opened() {
        openedCount += 1
        onChange()
    }

    func received(_ bytes: ByteView) throws(ClientError) -> Int { bytes.count }
    func didReceive() {}
    func write(to socket: TCPConnection) {}
    var isEstablished: Bool { false }

    func closed(because error: ClientError?) {
        ends.append(error)
        if error != nil { onChange() }
    }

    // MARK: - The router's side

    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        accepted.append(connection)
        try? connection.startReading()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int { bytes.count }
    func connectionEnded(_ connection: TCPConnection, error: UVError?) { connection.close() }
    func connectionDrained(_ connection: TCPConnection) {}
    func connectionClosed(_ connection: TCPConnection) {}
}

@Suite("A connection to a router that is named")
struct RouterConnectionTests {
    private let loop: Loop
    private let party: Party

    init() throws {
        loop = try Loop()
        party = try Party(loop)
    }

    private func connection(to host: String) -> RouterConnection {
        let limits = ClientLimits()
        return RouterConnection(
            loop,
            to: .host(Endpoint(host: host, port: party.listener?.localAddress.port ?? 0)),
            limits: limits,
            backoff: Backoff(limits, generator: SystemRandomNumberGenerator()),
            name: "the router",
            owner: party
        )
    }

    /// Connects, and runs the loop until a socket is open or the attempt has ended.
    private func attempt(_ host: String) throws {
        let connection = connection(to: host)
        party.onChange = { [party] in
            party.onChange = {}
            connection.disconnect()
            party.close()
        }
        connection.connect()
        try loop.run()
        try loop.close()
    }

    // The system's resolver knows 127.1, without asking a name server.
    @Test(arguments: ["127.0.0.1", "127.1"])
    func `It opens as soon as the addresses are found`(host: String) throws {
        try attempt(host)
        #expect(party.openedCount == 1 && party.ends.count == 1)
    }

    @Test func `It is lost if the name has no address`() throws {
        try attempt("256.1.1.1.invalid")
        #expect(party.openedCount == 0)
        guard case .unreachable(let reason)? = try #require(party.ends.first) else {
            Issue.record("\(party.ends)")
            return
        }
        #expect(reason.hasPrefix("the router: "))
    }

    @Test func `It can be disconnected while the name is looked up`() throws {
        let connection = connection(to: "127.1")
        connection.connect()
        #expect(!connection.isIdle && party.openedCount == 0)
        connection.disconnect()
        #expect(connection.isIdle)
        party.close()
        try loop.run()
        try loop.close()
        #expect(party.openedCount == 0 && party.ends.count == 1)
    }

    @Test func `A lookup has a time limit, after which the attempt is lost`() throws {
        let connection = connection(to: "127.1")
        connection.connect()
        #expect(connection.dueAt > loop.now && connection.dueAt <= loop.now + .seconds(10))
        connection.disconnect()
        party.close()
        try loop.run()
        try loop.close()
    }
}
