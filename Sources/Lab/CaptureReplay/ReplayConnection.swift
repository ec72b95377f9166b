internal import ByteStorage
internal import FrameCodec
internal import LibuvLoop
internal import StoreFormat

/// The socket of a stream.
///
///     idle ──wanted──► connecting ──WELCOME──► open ──lost──► pausing ──► connecting
final class ReplayConnection: ConnectionOwner {
    private enum Phase {
        case idle, connecting, open, pausing
    }

    /// Output that the kernel has not taken, above which frames stay with the stream, in bytes.
    private static var outputLimit: Int { 256 << 10 }
    /// How long an attempt may take until WELCOME, in ns.
    private static var attemptTimeout: Int64 { 10_000_000_000 }
    /// Silence after which a PING is sent; three times as much counts as a lost connection.
    private static var pingInterval: Int64 { 15_000_000_000 }
    private static var firstPause: Int64 { 100_000_000 }
    private static var longestPause: Int64 { 5_000_000_000 }

    let stream: ReplayStream
    private unowned let replay: SocketReplay
    private var socket: TCPConnection?
    private var phase = Phase.idle
    private var attempts = 0
    /// When the phase began, or something was last heard, in ns.
    private var since: Int64 = 0
    private var pingedAt: Int64 = 0
    private var resumeAt: Int64 = 0

    init(_ stream: ReplayStream, _ replay: SocketReplay) {
        self.stream = stream
        self.replay = replay
    }

    // MARK: - Making and ending it

    /// Does what the stream wants: connects, closes, sends.
    ///
    /// - Parameter now: in ns.
    func pump(_ now: Int64) {
        if stream.isOver { close() }
        if phase == .idle {
            if stream.needsConnection { connect(now) }
            return
        }
        guard phase != .pausing, let socket else { return }
        send(on: socket, now)
        socket.flush()
    }

    private func send(on socket: TCPConnection, _ now: Int64) {
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
    }

    private func connect(_ now: Int64) {
        phase = .connecting
        since = now
        let addresses = replay.addresses
        let address = addresses[attempts % addresses.count]
        do throws(UVError) {
            socket = try TCPConnection.connect(replay.loop, to: address, owner: self)
        } catch {
            lost("\(address): \(error)", now)
        }
    }

    /// The recorded session is over.
    private func close() {
        drop()
        phase = .idle
        replay.engine.closed(stream, because: nil)
    }

    /// Closes it for good.
    func end() {
        drop()
        phase = .idle
    }

    private func drop() {
        socket?.close()
        socket = nil
    }

    private func lost(_ reason: String, _ now: Int64) {
        drop()
        phase = .pausing
        resumeAt = now + min(Self.firstPause << Int64(min(attempts, 16)), Self.longestPause)
        attempts += 1
        replay.engine.closed(stream, because: reason)
        replay.lost(stream, reason)
    }

    /// Looks at the time, some times a second.
    func tick(_ now: Int64) {
        switch phase {
        case .idle: break
        case .pausing:
            if now < resumeAt { return }
            phase = .idle
            pump(now)
        case .connecting:
            if now - since > Self.attemptTimeout { lost("no WELCOME within 10 s", now) }
        case .open:
            if now - since > 3 * Self.pingInterval {
                return lost("nothing was heard for 45 s", now)
            }
            guard now - since > Self.pingInterval, now - pingedAt > Self.pingInterval, let socket
            else { return }
            pingedAt = now
            encodeFrame(.ping, seq: 0).withByteView { socket.append($0) }
            socket.flush()
        }
    }

    // MARK: - What the socket tells

    func connectionOpened(_ connection: TCPConnection) {
        guard connection === socket else { return }
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return lost("\(error)", replay.now())
        }
        stream.opened()
        replay.engine.mark(stream)
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard connection === socket else { return bytes.count }
        let now = replay.now()
        since = now
        do throws(ReplayError) {
            let used = try replay.engine.received(bytes, on: stream, at: now)
            if phase == .connecting && stream.isEstablished {
                phase = .open
                attempts = 0
            }
            return used
        } catch {
            if error.code == .refused { replay.fail(error) }
            lost(error.message, now)
            return bytes.count
        }
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === socket else { return }
        lost(error.map { "\($0)" } ?? "the router closed the connection", replay.now())
    }

    func connectionDrained(_ connection: TCPConnection) {
        if connection === socket { replay.engine.mark(stream) }
    }
}
