internal import Basics
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient

/// Receives the events of a fleet's connections.
protocol FleetConnectionOwner: AnyObject {
    /// The session of devices on a connection has events.
    func connectionHasEvents(_ connection: FleetConnection<DeviceSession>)
    /// The publisher's session has events.
    func connectionHasEvents(_ connection: FleetConnection<PublisherSession>)
    /// A connection was lost; it will be made anew.
    func connectionLost(_ error: ClientError)
}

/// What all connections of a fleet share on their loop.
final class FleetNetwork {
    let loop: Loop
    /// The addresses of the router, which are tried one after the other.
    let addresses: [SocketAddress]
    /// What TLS sessions begin with, and whose name the router's certificate must have; nil for no
    /// TLS.
    let security: (context: TLSClientContext, host: String)?
    let limits: ClientLimits
    var reader = FrameReader()
    /// A buffer for output, shared to save memory.
    var scratch: [UInt8] = []
    unowned let owner: any FleetConnectionOwner

    init(
        _ loop: Loop,
        addresses: [SocketAddress],
        security: (context: TLSClientContext, host: String)?,
        limits: ClientLimits,
        owner: any FleetConnectionOwner
    ) {
        self.loop = loop
        self.addresses = addresses
        self.security = security
        self.limits = limits
        self.owner = owner
    }
}

/// One of a fleet's many connections: a session and its socket, without a thread or timer of its
/// own.
final class FleetConnection<Session: ClientSession>: RouterConnectionOwner {
    let network: FleetNetwork
    var session: Session
    private var connection: RouterConnection!
    private let reportEvents: (FleetConnection) -> Void
    /// True if the next output is to end in the middle of a frame.
    private var breaksNext = false
    /// True if the owner is about to call `pump`.
    var isDirty = false
    var tickets: TimelineTickets = [:]

    private init(
        _ network: FleetNetwork,
        session: Session,
        source: SocketAddress?,
        reportEvents: @escaping (FleetConnection) -> Void
    ) {
        self.network = network
        self.session = session
        self.reportEvents = reportEvents
        let backoff = Backoff(network.limits, generator: SystemRandomNumberGenerator())
        connection = RouterConnection(
            network.loop,
            to: .known(network.addresses),
            security: network.security,
            limits: network.limits,
            backoff: backoff,
            source: source,
            owner: self
        )
    }

    var isIdle: Bool { connection.isIdle }
    func connect() { connection.connect() }
    func disconnect() { connection.disconnect() }
    /// Checks timeouts; called several times a second.
    func tick() { connection.tick() }
    /// Sends the session's output.
    func pump() { connection.pump() }

    /// Ends the connection in the middle of the next frame.
    func breakInFrame() {
        if !connection.isOpen { return }
        breaksNext = true
        pump()
    }

    // MARK: - RouterConnectionOwner

    func opened() { session.connected() }
    func received(_ bytes: ByteView) throws(ClientError) -> Int {
        try network.reader.read(bytes, into: &session)
    }
    func didReceive() { reportEvents(self) }
    var isEstablished: Bool { session.isEstablished }

    func write(to socket: TCPConnection) {
        if breaksNext { return breakOff(socket) }
        socket.send(through: &network.scratch) { session.takeOutput(into: &$0, limit: $1) }
    }

    /// Sends half of the output, and ends the connection with an error.
    private func breakOff(_ socket: TCPConnection) {
        breaksNext = false
        var bytes: [UInt8] = []
        session.takeOutput(into: &bytes, limit: ClientLimits.outputBatch)
        // If there is nothing to send, half a PING is sent.
        if bytes.isEmpty { bytes = encodeFrame(.ping, seq: 0) }
        bytes.withByteView { socket.append($0.slice(0, to: max(1, bytes.count / 2))) }
        socket.flush()
        connection.lose(.unreachable("the connection broke in a frame"))
    }

    func closed(because error: ClientError?) {
        session.disconnected()
        if let error { network.owner.connectionLost(error) }
    }
}

extension FleetConnection<DeviceSession> {
    /// A connection that speaks for devices.
    convenience init(_ network: FleetNetwork, source: SocketAddress?, session: DeviceSession) {
        self.init(network, session: session, source: source) {
            $0.network.owner.connectionHasEvents($0)
        }
    }
}

extension FleetConnection<PublisherSession> {
    /// The connection that pushes.
    convenience init(_ network: FleetNetwork, session: PublisherSession) {
        self.init(network, session: session, source: nil) {
            $0.network.owner.connectionHasEvents($0)
        }
    }
}
