import Basics
import Cryptography
import LibuvLoop
import TestSupport
import Testing

/// A loop with a listener on loopback, on which a test plays; it ends with no handle left.
///
/// The test's thread runs the loop, one condition at a time, so a test reads from top to bottom.
/// A tick keeps the loop turning, and fails the test when a condition does not come true in time.
final class Stage: HookOwner, TimerOwner {
    /// Long, because a busy machine may stop for many seconds; only a failing test takes so long.
    static let timeout = Milliseconds.seconds(60)

    let loop: Loop
    let server = Party()
    let client = Party()
    private(set) var listener: TCPListener?
    private var hook: LoopHook?
    private var tick: LoopTimer?
    private var condition: () -> Bool = { false }
    private var deadline = MonotonicTime.zero
    /// What clients begin TLS with; nil to send bytes as they are.
    private let clientSecurity: TLSClientContext?

    init(
        _ host: String = "127.0.0.1",
        tickMilliseconds: UInt64 = 1,
        security: (server: TLSServerContext, client: TLSClientContext)? = nil
    ) throws {
        clientSecurity = security?.client
        loop = try Loop()
        let address = try SocketAddress.resolve(host: host, port: 0, loop: loop)[0]
        listener = try TCPListener(
            loop,
            address: address,
            security: security?.server,
            owner: server
        )
        hook = try LoopHook(loop, owner: self)
        tick = try LoopTimer(loop, owner: self)
        try tick?.start(
            after: Milliseconds(tickMilliseconds),
            repeating: Milliseconds(tickMilliseconds)
        )
    }

    var address: SocketAddress { listener!.localAddress }

    /// Runs the loop until the condition holds at the end of a turn.
    func run(
        _ what: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping () -> Bool
    ) throws {
        self.condition = condition
        deadline = loop.now + Self.timeout
        try loop.run()
        self.condition = { false }
        #expect(condition(), what ?? "the condition never held", sourceLocation: sourceLocation)
    }

    /// Runs the loop for some turns, for things that must not happen.
    func runTicks(_ count: Int = 20) throws {
        var left = count
        try run {
            left -= 1
            return left <= 0
        }
    }

    /// Connects the client party to the server party; both ends are then open.
    func connect() throws -> (client: TCPConnection, server: TCPConnection) {
        let accepted = server.connections.count
        let opened = client.count(.opened)
        let connection = try beginConnecting()
        try run("the connection opens") { [server, client] in
            server.connections.count > accepted && client.count(.opened) > opened
        }
        return (connection, server.connections[accepted])
    }

    /// Connects the client party to the server party; neither end is open yet.
    func beginConnecting() throws -> TCPConnection {
        let connection = try TCPConnection.connect(
            loop,
            to: address,
            security: try clientSecurity?.session(with: "127.0.0.1"),
            owner: client
        )
        client.connections.append(connection)
        return connection
    }

    /// Accepts a peer that is not on this loop.
    func accept() throws -> (peer: RawPeer, server: TCPConnection) {
        let accepted = server.connections.count
        let peer = try RawPeer(port: address.port)
        try run("the peer is accepted") { [server] in server.connections.count > accepted }
        return (peer, server.connections[accepted])
    }

    /// Closes everything, and expects that the loop ends without a handle or a byte left.
    func end(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for connection in server.connections + client.connections { connection.close() }
        listener?.close()
        hook?.close()
        tick?.close()
        try loop.run()
        #expect(loop.handleCount == 0, sourceLocation: sourceLocation)
        #expect(loop.outputByteCount == 0, sourceLocation: sourceLocation)
        let openings =
            server.count(.accepted) + client.connections.count
        #expect(
            server.count(.closed) + client.count(.closed) == openings,
            "each connection is told closed once",
            sourceLocation: sourceLocation
        )
        try loop.close()
    }

    func hookFired(_ hook: LoopHook) {
        if condition() || loop.now > deadline { loop.stop() }
    }

    func timerFired(_ timer: LoopTimer) {}
}
