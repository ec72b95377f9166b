internal import Basics
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient

/// One of a fleet's many connections: a session and its socket, without a thread or timer of its
/// own.
final class FleetConnection<Session: ClientSession>: RouterConnectionOwner {
    fileprivate unowned let fleet: SocketFleet
    var session: Session
    private var connection: RouterConnection!
    private let reportEvents: (FleetConnection) -> Void
    /// True if the next output is to end in the middle of a frame.
    private var breaksNext = false
    /// True if the owner is about to call `pump`.
    var isDirty = false
    var tickets: TimelineTickets = [:]

    private init(
        _ fleet: SocketFleet,
        session: Session,
        source: SocketAddress?,
        reportEvents: @escaping (FleetConnection) -> Void
    ) {
        self.fleet = fleet
        self.session = session
        self.reportEvents = reportEvents
        let backoff = Backoff(fleet.limits, generator: SystemRandomNumberGenerator())
        connection = RouterConnection(
            fleet.loop,
            to: .known(fleet.addresses),
            security: fleet.security,
            limits: fleet.limits,
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
        try fleet.reader.read(bytes, into: &session)
    }
    func didReceive() { reportEvents(self) }
    var isEstablished: Bool { session.isEstablished }

    func write(to socket: TCPConnection) {
        if breaksNext { return breakOff(socket) }
        socket.send(through: &fleet.scratch) { session.takeOutput(into: &$0, limit: $1) }
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
        if let error { fleet.connectionLost(error) }
    }
}

extension FleetConnection<DeviceSession> {
    /// A connection that speaks for devices.
    convenience init(_ fleet: SocketFleet, source: SocketAddress?, session: DeviceSession) {
        self.init(fleet, session: session, source: source) { $0.fleet.connectionHasEvents($0) }
    }
}

extension FleetConnection<PublisherSession> {
    /// The connection that pushes.
    convenience init(_ fleet: SocketFleet, session: PublisherSession) {
        self.init(fleet, session: session, source: nil) { $0.fleet.connectionHasEvents($0) }
    }
}
