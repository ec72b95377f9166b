internal import Basics
internal import LibuvLoop

/// The server's handles of the loop, apart from its connections.
struct ServerHandles {
    var listeners: [TCPListener] = []
    /// Fires once per iteration of the loop, after input was read.
    var hook: LoopHook?
    /// Drives `Server.sweep`.
    var sweepTimer: ServerTimer?
    /// Fires when the router's next scheduled work is due, or the first rest of a connection ends.
    var deadlineTimer: ServerTimer?
    /// Wakes the loop for another tick, from any thread.
    var wakeup: LoopWakeup?
    /// Ends a drain that takes too long.
    var drainTimer: ServerTimer?
    /// Submits records of a recording that were kept because they were few; runs only while
    /// recording.
    var recordTimer: ServerTimer?
    var signals: [LoopSignal] = []

    /// Closes all handles; connections that the listeners accepted stay open.
    func close() {
        for listener in listeners { listener.close() }
        for signal in signals { signal.close() }
        for timer in [sweepTimer, deadlineTimer, drainTimer, recordTimer] { timer?.close() }
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
    init(
        _ server: Server,
        work: @escaping (Server) -> Void = { _ in }
    ) throws(UVError) {
        self.server = server
        self.work = work
        timer = try LoopTimer(server.loop, owner: self)
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

@available(*, unavailable)
extension ServerTimer: Sendable {}
