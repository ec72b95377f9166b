internal import Basics
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import ReloadRouterClient
internal import StoreFormat

/// The socket of a stream: connects, writes the stream's frames, and passes received bytes on.
final class ReplayConnection: RouterConnectionOwner {
    /// The most bytes of output that wait for the kernel; beyond that, frames stay in the stream.
    private static var outputLimit: Int { 256 << 10 }

    let stream: ReplayStream
    private unowned let replay: SocketReplay
    private var connection: RouterConnection!

    init(_ stream: ReplayStream, of replay: SocketReplay) {
        self.stream = stream
        self.replay = replay
        let limits = ClientLimits()
        let backoff = Backoff(limits, generator: SystemRandomNumberGenerator())
        connection = RouterConnection(
            replay.loop,
            to: .known(replay.addresses),
            security: replay.security,
            limits: limits,
            backoff: backoff,
            owner: self
        )
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

    /// Checks timeouts; called about twenty times a second.
    func tick() { connection.tick() }

    /// Closes the connection for good.
    func end() { connection.disconnect() }

    // MARK: - RouterConnectionOwner

    func opened() { stream.opened() }

    func received(_ bytes: ByteView) throws(ClientError) -> Int {
        do throws(ReplayError) {
            return try replay.engine.received(bytes, on: stream, at: replay.now())
        } catch {
            if error.code == .refused { replay.fail(error) }
            throw .unreachable(error.message)
        }
    }

    /// Does nothing: the engine has marked the stream, which is pumped later in the same tick.
    func didReceive() {}

    func write(to socket: TCPConnection) {
        let now = replay.now()
        let control = stream.takeControl()
        if !control.isEmpty { control.withByteView { socket.append($0) } }
        let isPublisher = stream.role == .publisher
        while socket.outputByteCount < Self.outputLimit, let frame = stream.nextFrame() {
            frame.withByteView { socket.append($0) }
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
        if let reason { replay.lost(stream, because: reason) }
    }
}
