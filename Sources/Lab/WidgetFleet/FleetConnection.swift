internal import DataStructures
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient

/// Who is told of a fleet's connections.
protocol FleetConnectionOwner: AnyObject {
    /// Frames have come: the device's session has events.
    func connectionHasEvents(_ connection: FleetConnection<DeviceSession>)
    /// The same of the one that pushes.
    func connectionHasEvents(_ connection: FleetConnection<PublisherSession>)
    /// A connection is gone, and will be made again.
    func connectionLost(_ error: ClientError)
}

/// What all connections of a fleet share on their loop.
final class FleetNetwork {
    let loop: Loop
    /// Tried one after the other.
    let addresses: [SocketAddress]
    let limits: ClientLimits
    var reader = FrameReader()
    var scratch: [UInt8] = []
    unowned let owner: any FleetConnectionOwner

    init(
        _ loop: Loop,
        _ addresses: [SocketAddress],
        _ limits: ClientLimits,
        owner: any FleetConnectionOwner
    ) {
        self.loop = loop
        self.addresses = addresses
        self.limits = limits
        self.owner = owner
    }
}

/// One of a fleet's many connections: a session and its socket, without a thread or a timer of its
/// own.
final class FleetConnection<Session: ClientSession>: RouterConnectionOwner {
    let network: FleetNetwork
    var session: Session
    private var connection: RouterConnection!
    private let tellsOwner: (FleetConnection) -> Void
    private var breaksNext = false
    /// Whether its owner is about to call `pump`.
    var isDirty = false
    /// For which widgets the tickets of a device's TIMELINEs are.
    var tickets: [UInt64: (device: Int, widget: Int)] = [:]

    private init(
        _ network: FleetNetwork,
        _ session: Session,
        source: SocketAddress?,
        _ tellsOwner: @escaping (FleetConnection) -> Void
    ) {
        self.network = network
        self.session = session
        self.tellsOwner = tellsOwner
        let backoff = Backoff(network.limits, generator: SystemRandomNumberGenerator())
        connection = RouterConnection(
            network.loop,
            network.limits,
            backoff,
            source: source,
            owner: self
        )
    }

    var isIdle: Bool { connection.isIdle }
    func connect() { connection.connect() }
    func disconnect() { connection.disconnect() }
    /// Looks at the time, some times a second.
    func tick() { connection.tick() }
    /// Sends what the session has to say.
    func pump() { connection.pump() }

    /// Loses the connection when the next frame is half sent.
    func breakInFrame() {
        if !connection.isOpen { return }
        breaksNext = true
        pump()
    }

    // MARK: - What the connection asks

    func addresses() -> [SocketAddress] { network.addresses }
    func opened() { session.connected() }
    func received(_ bytes: ByteView) throws(ClientError) -> Int {
        try network.reader.read(bytes, into: &session)
    }
    func didReceive() { tellsOwner(self) }
    var isEstablished: Bool { session.isEstablished }

    func write(to socket: TCPConnection) {
        if breaksNext { return breakOff(socket) }
        socket.send(through: &network.scratch) { session.takeOutput(into: &$0, limit: $1) }
    }

    private func breakOff(_ socket: TCPConnection) {
        breaksNext = false
        var bytes: [UInt8] = []
        session.takeOutput(into: &bytes, limit: ClientLimits.outputBatch)
        // If nothing was to be sent, a PING breaks off.
        if bytes.isEmpty { bytes = encodeFrame(.ping, seq: 0) }
        bytes.withByteView { socket.append($0.slice(0, max(1, bytes.count / 2))) }
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
    convenience init(_ network: FleetNetwork, source: SocketAddress?, _ session: DeviceSession) {
        self.init(network, session, source: source) {
            $0.network.owner.connectionHasEvents($0)
        }
    }
}

extension FleetConnection<PublisherSession> {
    /// A connection that pushes.
    convenience init(_ network: FleetNetwork, _ session: PublisherSession) {
        self.init(network, session, source: nil) { $0.network.owner.connectionHasEvents($0) }
    }
}
