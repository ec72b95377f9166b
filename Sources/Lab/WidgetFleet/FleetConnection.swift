internal import ByteStorage
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient

/// Who is told of a fleet's connections.
protocol FleetConnectionOwner: AnyObject {
    /// Frames have come: the session has events.
    func connectionHasEvents(_ connection: FleetConnection)
    /// The connection is gone, and will be made again.
    func connectionLost(_ connection: FleetConnection, _ error: ClientError)
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
///
///     idle ──connect──► connecting ──WELCOME──► open ──lost──► pausing ──tick──► connecting
class FleetConnection: ConnectionOwner {
    private enum Phase {
        case idle, connecting, open, pausing
    }

    let network: FleetNetwork
    /// Its owner's number for it.
    let number: Int
    private let source: SocketAddress?
    private var socket: TCPConnection?
    private var phase = Phase.idle
    private var attempts = 0
    /// The loop's time at which the phase began, or something was last heard.
    private var since: UInt64 = 0
    private var pingedAt: UInt64 = 0
    private var resumeAt: UInt64 = 0
    private var breaksNext = false
    /// Whether its owner is about to call `pump`.
    var isDirty = false

    init(_ network: FleetNetwork, number: Int, source: SocketAddress?) {
        self.network = network
        self.number = number
        self.source = source
    }

    // MARK: - The session, which subclasses have

    func sessionConnected() { preconditionFailure("a connection has a session") }
    func sessionDisconnected() { preconditionFailure("a connection has a session") }
    func takeOutput(into bytes: inout [UInt8]) { preconditionFailure("a connection has a session") }
    func read(_ bytes: ByteView) throws(ClientError) -> Int {
        preconditionFailure("a connection has a session")
    }
    var isEstablished: Bool { false }

    // MARK: - Making and ending it

    /// Where this attempt connects.
    private var address: SocketAddress { network.addresses[attempts % network.addresses.count] }

    var isIdle: Bool { phase == .idle }

    func connect() {
        if phase == .connecting || phase == .open { return }
        phase = .connecting
        since = network.loop.now
        do throws(UVError) {
            socket = try TCPConnection.connect(
                network.loop,
                to: address,
                from: source,
                owner: self
            )
        } catch {
            lost(.unreachable("\(address): \(error)"))
        }
    }

    /// Closes it, until `connect` is called.
    func disconnect() {
        phase = .idle
        attempts = 0
        drop()
    }

    private func drop() {
        guard let socket else { return }
        self.socket = nil
        socket.close()
        sessionDisconnected()
    }

    private func lost(_ error: ClientError) {
        drop()
        phase = .pausing
        let pause = min(
            network.limits.firstPause << UInt64(min(attempts, 16)),
            network.limits.longestPause
        )
        attempts += 1
        resumeAt = network.loop.now + pause
        network.owner.connectionLost(self, error)
    }

    /// Loses the connection when the next frame is half sent.
    func breakInFrame() {
        if phase != .open { return }
        breaksNext = true
        pump()
        if !breaksNext { return }
        // Nothing was to be sent: a PING breaks off.
        breakOff(encodeFrame(.ping, seq: 0))
    }

    private func breakOff(_ bytes: [UInt8]) {
        breaksNext = false
        guard let socket else { return }
        bytes.withByteView { socket.append($0.slice(0, max(1, bytes.count / 2))) }
        socket.flush()
        lost(.unreachable("the connection broke in a frame"))
    }

    /// Looks at the time, some times a second.
    func tick() {
        let now = network.loop.now
        switch phase {
        case .idle: break
        case .pausing: if now >= resumeAt { connect() }
        case .connecting:
            if now - since >= network.limits.attemptTimeout {
                lost(
                    .unreachable(
                        "\(address): no WELCOME within \(network.limits.attemptTimeout) ms"
                    )
                )
            }
        case .open: checkSilence(now)
        }
    }

    private func checkSilence(_ now: UInt64) {
        let interval = network.limits.pingInterval
        if now - since >= 3 * interval {
            return lost(.unreachable("\(address): nothing was heard for \(now - since) ms"))
        }
        guard now - since >= interval, now - pingedAt >= interval, let socket else { return }
        pingedAt = now
        encodeFrame(.ping, seq: 0).withByteView { socket.append($0) }
        socket.flush()
    }

    // MARK: - Bytes

    /// Sends what the session has to say.
    func pump() {
        guard phase != .pausing else { return }
        while let socket, socket.outputByteCount < ClientLimits.socketOutput {
            network.scratch.removeAll(keepingCapacity: true)
            takeOutput(into: &network.scratch)
            if network.scratch.isEmpty { return }
            if breaksNext { return breakOff(network.scratch) }
            network.scratch.withByteView { socket.append($0) }
            socket.flush()
        }
    }

    func connectionOpened(_ connection: TCPConnection) {
        guard connection === socket else { return }
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return lost(.unreachable("\(error)"))
        }
        sessionConnected()
        pump()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard connection === socket else { return bytes.count }
        since = network.loop.now
        let used: Int
        do throws(ClientError) {
            used = try read(bytes)
        } catch {
            lost(error)
            return bytes.count
        }
        if phase == .connecting && isEstablished {
            phase = .open
            attempts = 0
        }
        network.owner.connectionHasEvents(self)
        pump()
        return used
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === socket else { return }
        let reason = error.map { "\($0)" } ?? "the router closed the connection"
        lost(.unreachable("\(address): \(reason)"))
    }

    func connectionDrained(_ connection: TCPConnection) {
        if connection === socket { pump() }
    }
}

/// A connection that speaks for devices.
final class FleetDeviceConnection: FleetConnection {
    var session: DeviceSession
    /// For which widgets the tickets of TIMELINEs are.
    var tickets: [UInt64: (device: Int, widget: Int)] = [:]

    init(_ network: FleetNetwork, number: Int, source: SocketAddress?, _ session: DeviceSession) {
        self.session = session
        super.init(network, number: number, source: source)
    }

    override func sessionConnected() { session.connected() }
    override func sessionDisconnected() { session.disconnected() }
    override func takeOutput(into bytes: inout [UInt8]) {
        session.takeOutput(into: &bytes, limit: ClientLimits.outputBatch)
    }
    override func read(_ bytes: ByteView) throws(ClientError) -> Int {
        try network.reader.read(bytes, into: &session)
    }
    override var isEstablished: Bool { session.isEstablished }
}

/// A connection that pushes.
final class FleetPublisherConnection: FleetConnection {
    var session: PublisherSession
    /// What its owner knows of.
    var answered = PublisherStatistics()

    init(_ network: FleetNetwork, _ session: PublisherSession) {
        self.session = session
        super.init(network, number: -1, source: nil)
    }

    override func sessionConnected() { session.connected() }
    override func sessionDisconnected() { session.disconnected() }
    override func takeOutput(into bytes: inout [UInt8]) {
        session.takeOutput(into: &bytes, limit: ClientLimits.outputBatch)
    }
    override func read(_ bytes: ByteView) throws(ClientError) -> Int {
        try network.reader.read(bytes, into: &session)
    }
    override var isEstablished: Bool { session.isEstablished }
}
