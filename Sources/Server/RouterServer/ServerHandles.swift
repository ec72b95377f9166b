internal import Basics
internal import LibuvLoop
internal import Platform

/// The server's handles of the loop, apart from its connections and the timer of a recording.
struct ServerHandles {
    /// Fires once per iteration of the loop, after input was read.
    var hook: LoopHook?
    /// Drives `Server.sweep`.
    var sweepTimer: ServerTimer?
    /// Fires when something is due that no peer causes.
    var deadline: Deadline?
    /// Makes the loop perform another tick when `Core.mailbox` is woken.
    var wakeup: LoopWakeup?
    /// Ends a drain that takes too long.
    var drainTimer: ServerTimer?
    var signals: ServerSignals?

    /// Closes all handles.
    func close() {
        signals?.close()
        sweepTimer?.close()
        deadline?.timer.close()
        drainTimer?.close()
        hook?.close()
        wakeup?.close()
    }
}

/// A timer of the server, and what it does; a tick follows.
final class ServerTimer: TimerOwner {
    private unowned let server: Server
    private let work: (Server) -> Void
    private var timer: LoopTimer?

    /// A timer that does nothing before `start`.
    init(_ server: Server, work: @escaping (Server) -> Void = { _ in }) throws(UVError) {
        self.server = server
        self.work = work
        timer = try LoopTimer(server.core.loop, owner: self)
    }

    func timerFired(_ timer: LoopTimer) {
        work(server)
        server.tickAfterTimer()
    }

    /// Starts or restarts the timer; without an interval it fires once.
    func start(
        after delay: Milliseconds,
        repeating interval: Milliseconds = .zero
    ) throws(UVError) {
        try timer?.start(after: delay, repeating: interval)
    }

    /// Ends the timer for good.
    func close() { timer?.close() }
}

/// The single timer for what is due next: the router's scheduled work, or the end of the first rest
/// of a connection, a publisher or an operator. It also knows how late the loop is for it.
struct Deadline {
    let timer: ServerTimer
    /// When something is due; nil if nothing is, or if its lateness was measured.
    private var dueAt: ExactTime?

    init(_ timer: ServerTimer) { self.timer = timer }

    /// Arms the timer for a time, `max` if nothing is due; `begin` is the same moment as `now`,
    /// exactly.
    mutating func arm(at time: MonotonicTime, now: MonotonicTime, begin: ExactTime) {
        dueAt = time == .max ? nil : begin + Nanoseconds(time - now)
        if time == .max { return }
        try? timer.start(after: max(.milliseconds(1), time - now))
    }

    /// How late a tick is for what was due, once; nil if nothing was.
    ///
    /// It does not matter whether the timer or something else woke the loop: a step does all due
    /// work.
    mutating func takeLag(at begin: ExactTime) -> Nanoseconds? {
        guard let dueAt, begin >= dueAt else { return nil }
        self.dueAt = nil
        return begin - dueAt
    }
}

/// The signals that the server handles: SIGHUP makes it read its files again, and SIGINT and
/// SIGTERM end it.
final class ServerSignals: SignalOwner {
    private static let interrupt: CInt = 2
    private static let terminate: CInt = 15
    private static let hangUp: CInt = 1

    private unowned let server: Server
    private var signals: [LoopSignal] = []

    init(_ server: Server) throws(UVError) {
        self.server = server
        for number in [Self.interrupt, Self.terminate, Self.hangUp] {
            signals.append(try LoopSignal(server.core.loop, signal: number, owner: self))
        }
    }

    func signalReceived(_ signal: LoopSignal) {
        if signal.number == Self.hangUp { server.readFilesAgain() } else { server.stop() }
    }

    func close() {
        // A further signal while the last handles close must not kill the process before it exits.
        discardSignals([Self.interrupt, Self.terminate])
        for signal in signals { signal.close() }
    }
}
