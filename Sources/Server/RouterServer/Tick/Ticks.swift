internal import Basics
internal import LibuvLoop

/// The ticks of the loop, and what makes them happen.
struct Ticks {
    /// Bytes of input after which a tick ends early, so that one fast peer does not delay the
    /// others.
    static var inputLimit: Int { 1 << 20 }

    /// Number of the present tick.
    var serial: UInt64 = 1
    /// Bytes of input in this tick; beyond `inputLimit` the tick ends early.
    var inputByteCount = 0
    /// True while `Server.tick` runs: it must not be entered again.
    var isStepping = false
    /// Fires once per iteration of the loop, after input was read.
    var hook: LoopHook?
    /// Makes the loop perform another tick when `Core.mailbox` is woken.
    var wakeup: LoopWakeup?
    /// Fires when something is due that no peer causes.
    var deadline: Deadline?
    /// Drives `Server.sweep`.
    var sweepTimer: ServerTimer?
    /// Ends a drain that takes too long.
    var drainTimer: ServerTimer?

    /// Starts or restarts the timer of the sweep, whose interval is a quarter of the shortest
    /// time-out, half of the service manager's interval between signs of life or a second,
    /// whichever is least, and 10 ms at least.
    func startSweeping(_ limits: RouterLimits, watchdog: Milliseconds?) throws(UVError) {
        let shortest = min(limits.helloTimeout, limits.frameTimeout, limits.pingInterval)
        let sign = watchdog ?? .seconds(2)
        let interval = max(.milliseconds(10), min(.seconds(1), shortest / 4, sign / 2))
        try sweepTimer?.start(after: interval, repeating: interval)
    }

    /// Closes what makes ticks happen.
    func close() {
        sweepTimer?.close()
        drainTimer?.close()
        deadline?.timer.close()
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
