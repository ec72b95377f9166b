internal import Basics
internal import Cryptography
internal import LibuvLoop

/// Runs one session on a thread and a loop of its own, until the session is over.
final class SessionDriver<Behaviour: SessionBehaviour> {
    private let session: SessionHost<Behaviour>
    private var reader = FrameReader()
    private let loop: Loop
    private var connection: RouterConnection!
    private var timer: LoopTimer?
    private var wakeup: LoopWakeup?
    /// The time for which the timer is set; nil if it is not set.
    private var wakesAt: MonotonicTime?
    /// Buffer for output, reused.
    private var scratch: [UInt8] = []

    init(
        _ session: SessionHost<Behaviour>,
        address: Endpoint,
        security: ClientSecurity,
        limits: ClientLimits,
        backoff: Backoff
    ) throws(ClientError) {
        self.session = session
        do throws(UVError) { loop = try Loop() } catch { throw .unreachable("libuv: \(error)") }
        let context: TLSClientContext?
        do throws(TLSError) {
            context = try security.context(for: address)
        } catch {
            throw .certificateInvalid("\(error)")
        }
        connection = RouterConnection(
            loop,
            to: .host(address),
            security: context.map { ($0, address.host) },
            limits: limits,
            backoff: backoff,
            name: "\(address)",
            owner: self
        )
    }

    /// Drives the session until it is over.
    func run() throws(ClientError) {
        do throws(UVError) { try runLoop() } catch { throw .unreachable("libuv: \(error)") }
    }

    private func runLoop() throws(UVError) {
        assert(timer == nil && self.wakeup == nil, "the session is being driven already")
        timer = try LoopTimer(loop, owner: self)
        let wakeup = try LoopWakeup(loop, owner: self)
        self.wakeup = wakeup
        session.started(wakeup.mailbox)
        if !session.isOver { connection.connect() }
        resume()
        try loop.run()
        try loop.close()
    }

    /// Closes everything if the session is over, so that the loop's run returns; otherwise sets the
    /// timer for what is due next.
    private func resume() {
        if session.isOver {
            connection.disconnect()
            timer?.close()
            wakeup?.close()
            (timer, wakeup) = (nil, nil)
        }
        guard let timer, connection.dueAt != wakesAt else { return }
        wakesAt = connection.dueAt
        do throws(UVError) {
            let delay = max(.zero, connection.dueAt - loop.now)
            try timer.start(after: delay)
        } catch {
            preconditionFailure("a timer with a callback always starts: \(error)")
        }
    }
}

extension SessionDriver: RouterConnectionOwner {
    func opened() {
        session.opened()
        resume()
    }

    func received(_ bytes: ByteView) throws(ClientError) -> Int {
        try session.received(bytes, using: &reader)
    }

    func didReceive() { resume() }

    func write(to socket: TCPConnection) {
        socket.send(through: &scratch) { session.takeOutput(into: &$0, limit: $1) }
    }

    var isEstablished: Bool { session.isEstablished }

    func closed(because error: ClientError?) {
        if let error {
            _ = session.lost(error)
            resume()
        }
    }
}

extension SessionDriver: TimerOwner, WakeupOwner {
    func timerFired(_ timer: LoopTimer) {
        assert(timer === self.timer, "the timer was closed")
        wakesAt = nil
        connection.tick()
        resume()
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        if let failure = session.takeFailure() { connection.lose(failure) }
        resume()
        connection.pump()
    }
}
