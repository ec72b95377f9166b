internal import DataStructures
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient
internal import StoreFormat

/// The socket of a stream: connects, writes what the stream has, and passes on what arrives.
final class ReplayConnection: RouterConnectionOwner {
    /// Most bytes of output that wait for the kernel; beyond that, frames stay with the stream.
    private static var outputLimit: Int { 256 << 10 }

    let stream: ReplayStream
    private unowned let replay: SocketReplay
    private var connection: RouterConnection!

    init(_ stream: ReplayStream, _ replay: SocketReplay) {
        self.stream = stream
        self.replay = replay
        let limits = ClientLimits()
        let backoff = Backoff(limits, generator: SystemRandomNumberGenerator())
        connection = RouterConnection(replay.loop, limits, backoff, owner: self)
    }

    /// Connects, closes or sends, as the stream needs.
    func pump() {
        if stream.isOver {
            // The recorded session is over, whether or not there is a connection.
            if connection.isIdle { closed(because: nil) } else { connection.disconnect() }
        }
        if !connection.isIdle { return connection.pump() }
        if stream.needsConnection { connection.connect() }
    }

    /// Checks timeouts; called some times a second.
    func tick() { connection.tick() }

    /// Closes the connection for good.
    func end() { connection.disconnect() }

    // MARK: - RouterConnectionOwner

    func addresses() -> [SocketAddress] { replay.addresses }

    func opened() { stream.opened() }

    func received(_ bytes: ByteView) throws(ClientError) -> Int {
        do throws(ReplayError) {
            return try replay.engine.received(bytes, on: stream, at: replay.now())
        } catch {
            if error.code == .refused { replay.fail(error) }
            throw .unreachable(error.message)
        }
    }

    /// Streams that the engine has marked are pumped later in the same tick.
    func didReceive() {}

    func write(to socket: TCPConnection) {
        let now = replay.now()
        let control = stream.takeControl()
        if !control.isEmpty { control.withByteView { socket.append($0) } }
        let isPublisher = stream.role == .publisher
        while socket.outputByteCount < Self.outputLimit, let frame = stream.nextFrame() {
            socket.append(frame)
            if isPublisher {
                replay.engine.sent(stream, at: now)
            } else {
                stream.ring.didSend()
            }
        }
        socket.flush()
    }

    var isEstablished: Bool { stream.isEstablished }

    func closed(because error: ClientError?) {
        let reason = error.map { "\($0)" }
        replay.engine.closed(stream, because: reason)
        if let reason { replay.lost(stream, reason) }
    }
}
