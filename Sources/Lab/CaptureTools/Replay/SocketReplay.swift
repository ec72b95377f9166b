internal import Basics
internal import Cryptography
internal import Glibc
internal import LibuvLoop
internal import LoadReporting
internal import Platform
internal import ReloadRouterClient
internal import StoreFormat

/// Drives a `ReplayEngine` over sockets, with one loop on one thread.
///
///     capture ─► ReplayEngine ─► streams ─► sockets ─► router
///                     ▲                                   │
///                     └────────── ACK, RELOAD ◄───────────┘
///
/// The loop's timers have a resolution of 1 ms. So if the next push is due within 2 ms, the loop
/// does not sleep, but polls its sockets and the clock.
final class SocketReplay: TimerOwner, SignalOwner {
    /// The loop sleeps only if nothing is due for this long.
    private static var spinLimit: Nanoseconds { .milliseconds(2) }
    /// How long to process queued events before sockets are polled again.
    private static var workTime: Nanoseconds { .microseconds(200) }
    /// How often connections check their timeouts.
    private static var tickInterval: Nanoseconds { .milliseconds(50) }

    let loop: Loop
    /// The engine that is driven.
    let engine: ReplayEngine
    let addresses: [SocketAddress]
    /// What TLS sessions begin with, and whose name the router's certificate must have; nil for no
    /// TLS.
    let security: (context: TLSClientContext, host: String)?
    private var connections: [ReplayConnection] = []
    private var timer: LoopTimer!
    private var signals: [LoopSignal] = []
    /// Whether a signal has ended the run early.
    private var wasInterrupted = false
    private var failure: ReplayError?
    /// When the connections last checked their timeouts.
    private var tickedAt = ExactTime.none
    /// When the progress was last reported.
    private var shownAt = ExactTime.none
    /// When the run began; `none` before.
    private var connectingSince = ExactTime.none
    /// When the registration began; `none` before.
    private var registeringSince = ExactTime.none
    /// When the schedule began; `none` before.
    private var playingSince = ExactTime.none
    /// The CPU time of this process when the schedule began.
    private var cpuBefore = Nanoseconds.zero
    private let routerCPU: (() -> Nanoseconds)?
    /// The CPU time of the router when the schedule began.
    private var routerBefore = Nanoseconds.zero
    private let progress: (String) -> Void
    private var report = ReplayReport()

    /// Resolves the router's address; no connection is opened before `run`, which calls `progress`
    /// once a second.
    ///
    /// - Throws: errors of the system.
    init(
        _ engine: ReplayEngine,
        router: Endpoint,
        security: ClientSecurity = .automatic,
        routerCPU: (() -> Nanoseconds)? = nil,
        progress: @escaping (String) -> Void = { _ in }
    ) throws {
        raiseFileDescriptorLimit()
        self.engine = engine
        self.routerCPU = routerCPU
        self.progress = progress
        self.security = try security.context(for: router).map { ($0, router.host) }
        loop = try Loop()
        addresses = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)
        timer = try LoopTimer(loop, owner: self)
        for number in [SIGINT, SIGTERM] {
            signals.append(try LoopSignal(loop, signal: number, owner: self))
        }
        connections = engine.streams.map { ReplayConnection($0, of: self) }
    }

    /// Returns the present time.
    func now() -> ExactTime { .now }

    /// Keeps the first error, which ends the run.
    func fail(_ error: ReplayError) {
        if failure == nil { failure = error }
    }

    /// Ends the run if its very first connections fail.
    func lost(_ stream: ReplayStream, because reason: String) {
        // At the start, a router that cannot be reached ends the run: it may not exist.
        guard engine.phase == .connecting, stream.sessions == 0, failure == nil else { return }
        failure = ReplayError(.router, message: reason)
    }

    /// Does nothing: the timer only wakes the loop.
    func timerFired(_ timer: LoopTimer) {}

    /// Ends the run early; the report covers what has been played.
    func signalReceived(_ signal: LoopSignal) {
        wasInterrupted = true
        engine.stop()
    }

    // MARK: - Running

    /// Plays the capture, and returns the report of the run.
    ///
    /// - Throws: the error that ended it.
    func run() throws -> ReplayReport {
        assert(connectingSince == .none, "a replay runs once")
        connectingSince = now()
        for stream in engine.streams where stream.isWanted { engine.mark(stream) }
        defer { end() }
        while engine.phase != .over {
            try tick()
            if let failure { throw failure }
        }
        finish()
        return report
    }

    private func tick() throws {
        let time = now()
        let before = engine.phase
        try engine.advance(to: time, wall: .now)
        if engine.phase != before { phaseChanged(time) }
        pump()
        if time - tickedAt > Self.tickInterval {
            tickedAt = time
            for connection in connections { connection.tick() }
        }
        if time - shownAt >= .seconds(1) {
            shownAt = time
            progress(engine.progress(since: playingSince, now: time))
        }
        try waitOrWork(time)
    }

    /// Connects, closes and sends, for all streams that the engine has marked.
    private func pump() {
        var index = 0
        while index < engine.dirty.count {
            let stream = engine.dirty[index]
            stream.isDirty = false
            assert(
                connections[stream.number].stream === stream,
                "the stream has another connection"
            )
            connections[stream.number].pump()
            index += 1
        }
        engine.dirty.removeAll(keepingCapacity: true)
    }

    /// Processes queued events, or sleeps if nothing is due soon.
    private func waitOrWork(_ time: ExactTime) throws(UVError) {
        let due = engine.nextDue
        if engine.hasWork {
            let end = min(due ?? .max, time + Self.workTime)
            repeat { engine.work() } while engine.hasWork && now() < end
            return try loop.tick(waits: false)
        }
        let left = (due ?? time + Self.spinLimit) - now()
        if left < Self.spinLimit && !engine.isStalled && due != nil {
            // The router under test may be waiting for this core.
            if left > .zero { sched_yield() }
            return try loop.tick(waits: false)
        }
        // The wait is one millisecond shorter than the time left, because timers may fire late but
        // never early. Connections wake the loop as well.
        let shortest = Milliseconds.milliseconds(1)
        let wait =
            due == nil || engine.isStalled
            ? shortest : max(shortest, min(.milliseconds(50), Milliseconds(left) - shortest))
        // The timer repeats: one that fires once might expire before the tick begins to wait, and
        // then nothing would end the wait.
        try timer.start(after: wait, repeating: wait)
        try loop.tick(waits: true)
        timer.stop()
    }

    private func end() {
        timer.close()
        for signal in signals { signal.close() }
        for connection in connections { connection.end() }
        try? loop.run()
        try? loop.close()
    }

    // MARK: - The report

    private func phaseChanged(_ time: ExactTime) {
        switch engine.phase {
        case .registering: registeringSince = time
        case .playing:
            playingSince = time
            report.startedAt = WallTime.now.rawValue
            report.devices.registrationSeconds = (time - registeringSince).inSeconds
            cpuBefore = .processCPU
            routerBefore = routerCPU?() ?? .zero
        case .connecting, .draining, .over: break
        }
    }

    private func finish() {
        engine.fill(&report)
        if wasInterrupted { report.wasInterrupted = true }
        report.cost.generatorCPUSeconds = (.processCPU - cpuBefore).inSeconds
        if let routerCPU { report.cost.routerCPUSeconds = (routerCPU() - routerBefore).inSeconds }
    }
}
