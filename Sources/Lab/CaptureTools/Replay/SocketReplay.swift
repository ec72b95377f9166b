internal import Glibc
package import LibuvLoop
package import LoadReporting
internal import Platform
internal import StoreFormat
internal import Times

/// Drives a `ReplayEngine` over sockets, with one loop on one thread.
///
///     capture ─► ReplayEngine ─► streams ─► sockets ─► router
///                     ▲                                   │
///                     └────────── ACK, RELOAD ◄───────────┘
///
/// The loop's timers have a resolution of 1 ms. So if the next push is due within 2 ms, the loop
/// does not sleep, but polls its sockets and the clock.
package final class SocketReplay: TimerOwner, SignalOwner {
    /// The loop sleeps only if nothing is due for this long, in ns.
    private static var spinLimit: Int64 { 2_000_000 }
    /// How long to process queued events before sockets are polled again, in ns.
    private static var workTime: Int64 { 200_000 }
    /// How often connections check their timeouts, in ns.
    private static var tickInterval: Int64 { 50_000_000 }

    let loop: Loop
    /// The engine that is driven.
    package let engine: ReplayEngine
    let addresses: [SocketAddress]
    private var connections: [ReplayConnection] = []
    private var timer: LoopTimer!
    private var interrupt: LoopSignal!
    private var failure: ReplayError?
    private var tickedAt: Int64 = 0
    private var shownAt: Int64 = 0
    private var connectingSince: Int64 = 0
    private var registeringSince: Int64 = 0
    private var playingSince: Int64 = 0
    private var cpuBefore: Int64 = 0
    private let routerNanoseconds: (() -> Int64)?
    private var routerBefore: Int64 = 0
    private let progress: (ReplayProgress) -> Void
    private var report = ReplayReport()

    /// Resolves the router's address; no connection is opened before `run`.
    ///
    /// - Parameters:
    ///   - engine: the engine to drive.
    ///   - router: the address of the router.
    ///   - routerNanoseconds: returns the router's CPU time so far, in ns; nil if that is not
    ///     known.
    ///   - progress: called once a second with the state of the run.
    /// - Throws: errors of the system.
    package init(
        _ engine: ReplayEngine,
        router: Endpoint,
        routerNanoseconds: (() -> Int64)? = nil,
        progress: @escaping (ReplayProgress) -> Void = { _ in }
    ) throws {
        raiseFileDescriptorLimit()
        self.engine = engine
        self.routerNanoseconds = routerNanoseconds
        self.progress = progress
        loop = try Loop()
        addresses = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)
        timer = try LoopTimer(loop, owner: self)
        interrupt = try LoopSignal(loop, signal: SIGINT, owner: self)
        connections = engine.streams.map { ReplayConnection($0, of: self) }
    }

    /// Returns the monotonic clock's time, in ns.
    func now() -> Int64 { monotonicNanoseconds() }

    /// Keeps the first error, which ends the run.
    func fail(_ error: ReplayError) {
        if failure == nil { failure = error }
    }

    /// Ends the run if its very first connections fail.
    func lost(_ stream: ReplayStream, because reason: String) {
        // A router that does not answer at the start is not waited for.
        guard engine.phase == .connecting, stream.sessions == 0, failure == nil else { return }
        failure = ReplayError(.router, message: reason)
    }

    /// Does nothing: the timer only wakes the loop.
    package func timerFired(_ timer: LoopTimer) {}

    /// Ends the run early; the report covers what has been played.
    package func signalReceived(_ signal: LoopSignal) { engine.stop() }

    // MARK: - Running

    /// Plays the capture.
    ///
    /// - Returns: the report of the run.
    /// - Throws: the error that ended it.
    package func run() throws -> ReplayReport {
        assert(connectingSince == 0, "a replay runs once")
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
        try engine.advance(to: time, wall: WallTime.now.rawValue)
        if engine.phase != before { phaseChanged(time) }
        pump()
        if time - tickedAt > Self.tickInterval {
            tickedAt = time
            for connection in connections { connection.tick() }
        }
        if time - shownAt >= 1_000_000_000 {
            shownAt = time
            progress(ReplayProgress(engine, since: playingSince, now: time))
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
    private func waitOrWork(_ time: Int64) throws(UVError) {
        let due = engine.nextDue
        if engine.hasWork {
            let end = min(due ?? .max, time + Self.workTime)
            repeat { engine.work() } while engine.hasWork && now() < end
            return try loop.tick(waits: false)
        }
        let left = (due ?? time + Self.spinLimit) - now()
        if left < Self.spinLimit && !engine.isStalled && due != nil {
            // The router under test may be waiting for this core.
            if left > 0 { sched_yield() }
            return try loop.tick(waits: false)
        }
        // One millisecond less, because timers may fire late but never early. Connections wake the
        // loop as well.
        let wait = due == nil || engine.isStalled ? 1 : max(1, min(50, left / 1_000_000 - 1))
        // The timer repeats: one that fires once might expire before the tick begins to wait, and
        // then nothing would end the wait.
        try timer.start(after: Milliseconds(wait), repeating: Milliseconds(wait))
        try loop.tick(waits: true)
        timer.stop()
    }

    private func end() {
        timer.close()
        interrupt.close()
        for connection in connections { connection.end() }
        try? loop.run()
        try? loop.close()
    }

    // MARK: - The report

    private func phaseChanged(_ time: Int64) {
        switch engine.phase {
        case .registering: registeringSince = time
        case .playing:
            playingSince = time
            report.startedAt = WallTime.now.rawValue
            report.devices.registrationSeconds = Double(time - registeringSince) / 1e9
            cpuBefore = processNanoseconds()
            routerBefore = routerNanoseconds?() ?? 0
        case .connecting, .draining, .over: break
        }
    }

    private func finish() {
        engine.fill(&report)
        report.cost.generatorCPUSeconds =
            Double(processNanoseconds() - cpuBefore) / 1e9
        if let routerNanoseconds {
            report.cost.routerCPUSeconds = Double(routerNanoseconds() - routerBefore) / 1e9
        }
    }
}
