internal import ByteStorage
internal import FrameCodec
internal import Glibc
internal import LibuvLoop

/// Drives one session on a thread of its own: connects, moves bytes, notices silence, reconnects.
///
///     connecting ──socket, WELCOME──► open ──lost──► pausing ──back-off──► connecting
///          └──────────────────────────────────────────► ended
final class SessionDriver {
    private enum Phase {
        case connecting
        case open
        case pausing
        case ended
    }

    private let session: any DrivenSession
    private let address: RouterAddress
    private let limits: ClientLimits
    private var backoff: Backoff
    private var reader = FrameReader()
    private let loop: Loop
    private var timer: LoopTimer?
    private var wakeup: LoopWakeup?
    private var connection: TCPConnection?
    private var phase = Phase.pausing
    /// The host's addresses that this attempt has not tried.
    private var addresses: [SocketAddress] = []
    /// The loop's time when something was last read.
    private var heardAt: UInt64 = 0
    private var pingedAt: UInt64 = 0
    private var scratch: [UInt8] = []

    private init(
        _ session: any DrivenSession,
        _ address: RouterAddress,
        _ limits: ClientLimits,
        _ backoff: Backoff
    ) throws(UVError) {
        self.session = session
        self.address = address
        self.limits = limits
        self.backoff = backoff
        loop = try Loop()
    }

    /// Starts the thread; it ends when the session is over.
    static func start(
        _ session: any DrivenSession,
        _ address: RouterAddress,
        _ limits: ClientLimits,
        _ backoff: Backoff
    ) throws(ClientError) {
        try startThread {
            do throws(UVError) {
                try SessionDriver(session, address, limits, backoff).run()
            } catch {
                while session.lost(.unreachable("libuv: \(error)")) {}
            }
        }
    }

    private func run() throws(UVError) {
        timer = try LoopTimer(loop, owner: self)
        let wakeup = try LoopWakeup(loop, owner: self)
        self.wakeup = wakeup
        session.started(wakeup.door)
        beginAttempt()
        try loop.run()
        try loop.close()
    }

    // MARK: - Attempts

    private func beginAttempt() {
        if session.isOver { return end() }
        phase = .connecting
        do throws(UVError) {
            addresses = try SocketAddress.resolve(
                host: address.host,
                port: address.port,
                loop: loop
            )
        } catch {
            return lost(.unreachable("\(address): \(error)"))
        }
        tryNextAddress(.unreachable("\(address) has no address"))
    }

    /// Tries the host's next address; `last` says why the one before did not do.
    private func tryNextAddress(_ last: ClientError) {
        connection?.close()
        connection = nil
        var error = last
        while !addresses.isEmpty {
            let next = addresses.removeFirst()
            do throws(UVError) {
                connection = try TCPConnection.connect(loop, to: next, owner: self)
                return startTimer(afterMilliseconds: limits.attemptTimeout)
            } catch let cause {
                error = .unreachable("\(next): \(cause)")
            }
        }
        lost(error)
    }

    /// The connection or the attempt is over: pauses, unless the session is over too.
    private func lost(_ error: ClientError) {
        if phase == .ended { return }
        connection?.close()
        connection = nil
        guard session.lost(error) else { return end() }
        phase = .pausing
        startTimer(afterMilliseconds: backoff.pause())
    }

    /// Closes everything, so that the loop's run returns.
    private func end() {
        phase = .ended
        connection?.flush()
        connection?.close()
        connection = nil
        timer?.close()
        wakeup?.close()
    }

    private func startTimer(afterMilliseconds delay: UInt64, repeating interval: UInt64 = 0) {
        do throws(UVError) {
            try timer?.start(afterMilliseconds: delay, repeatingMilliseconds: interval)
        } catch {
            preconditionFailure("a timer with a callback always starts: \(error)")
        }
    }

    // MARK: - Bytes

    /// Moves frames that are due to the socket, as long as it takes them.
    private func pump() {
        while let connection, phase != .pausing, phase != .ended,
            connection.outputByteCount < ClientLimits.socketOutput
        {
            scratch.removeAll(keepingCapacity: true)
            session.takeOutput(into: &scratch, limit: ClientLimits.outputBatch)
            if scratch.isEmpty { return }
            scratch.withByteView { connection.append($0) }
            connection.flush()
        }
    }

    /// Sends a PING into the silence, and gives up when it lasts.
    private func checkSilence(_ connection: TCPConnection) {
        let silence = loop.now - heardAt
        if silence >= 3 * limits.pingInterval {
            return lost(.unreachable("\(address): nothing was heard for \(silence) ms"))
        }
        guard silence >= limits.pingInterval, loop.now - pingedAt >= limits.pingInterval else {
            return
        }
        pingedAt = loop.now
        encodeFrame(.ping, seq: 0).withByteView { connection.append($0) }
        connection.flush()
    }
}

extension SessionDriver: ConnectionOwner, TimerOwner, WakeupOwner {
    func connectionOpened(_ connection: TCPConnection) {
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return lost(.unreachable("\(address): \(error)"))
        }
        addresses = []
        session.opened()
        pump()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard connection === self.connection else { return bytes.count }
        heardAt = loop.now
        let used: Int
        do throws(ClientError) {
            used = try session.received(bytes, &reader)
        } catch {
            lost(error)
            return bytes.count
        }
        if phase == .connecting && session.isEstablished {
            phase = .open
            backoff.reset()
            let interval = max(1, min(1_000, limits.pingInterval / 4))
            startTimer(afterMilliseconds: interval, repeating: interval)
        }
        if session.isOver { end() } else { pump() }
        return used
    }

    func connectionDrained(_ connection: TCPConnection) {
        if connection === self.connection { pump() }
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === self.connection else { return }
        let reason = error.map { "\($0)" } ?? "the router closed the connection"
        let cause = ClientError.unreachable("\(address): \(reason)")
        if phase == .connecting && !addresses.isEmpty {
            tryNextAddress(cause)
        } else {
            lost(cause)
        }
    }

    func timerFired(_ timer: LoopTimer) {
        switch phase {
        case .connecting:
            tryNextAddress(
                .unreachable("\(address): no WELCOME within \(limits.attemptTimeout) ms")
            )
        case .open:
            if let connection { checkSilence(connection) }
        case .pausing: beginAttempt()
        case .ended: break
        }
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        if phase == .ended { return }
        if session.isOver { end() } else { pump() }
    }
}

/// What a new thread runs.
private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Runs `body` on a new detached thread.
private func startThread(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
    let argument = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread,
        nil,
        { argument in
            unsafe Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        },
        argument.toOpaque()
    )
    guard status == 0 else {
        unsafe argument.release()
        throw .limitReached("the system starts no more threads (error \(status))")
    }
    pthread_detach(thread)
}
