import Glibc
import LibuvLoop
import Platform

/// The load generator's event loop: runs until something is so, or until it takes too long.
final class BenchLoop: HookOwner, TimerOwner, WakeupOwner {
    let loop: Loop
    private var hook: LoopHook?
    private var tick: LoopTimer?
    private var wakeup: LoopWakeup?
    private var condition: () -> Bool = { false }
    private var deadline = Int64.max
    private var failure: String?
    /// Keeps those whom connections call back for as long as the loop may run.
    private var owners: [AnyObject] = []

    /// Never sleeps, so that the condition is asked every few microseconds; but whoever is measured
    /// and wants the core has it at once, as if the generator ran on another machine.
    var isSpinning = false

    init() throws {
        loop = try Loop()
        hook = try LoopHook(loop, owner: self)
        tick = try LoopTimer(loop, owner: self)
        wakeup = try LoopWakeup(loop, owner: self)
        // So that conditions on the clock are asked when nothing arrives.
        try tick?.start(afterMilliseconds: 5, repeatingMilliseconds: 5)
    }

    /// Keeps an owner of connections alive.
    func keep(_ owner: AnyObject) {
        owners.append(owner)
    }

    /// Runs until the condition, asked every turn, is true.
    ///
    /// - Throws: `BenchFailure` if a connection fails meanwhile, or if it takes too long.
    func run(
        until what: String,
        within seconds: Double = 60,
        _ condition: @escaping () -> Bool
    ) throws {
        self.condition = condition
        deadline = monotonicNanoseconds() + Int64(seconds * 1e9)
        defer { self.condition = { false } }
        if isSpinning { wakeup?.door.wake() }
        if failure == nil && !condition() { try loop.run() }
        if let failure { throw BenchFailure("\(failure), until \(what)") }
        if monotonicNanoseconds() >= deadline && !condition() {
            throw BenchFailure("waited \(seconds) seconds in vain until \(what)")
        }
    }

    /// Runs for a time.
    func run(seconds: Double) throws {
        let end = monotonicNanoseconds() + Int64(seconds * 1e9)
        try run(until: "the window ended", within: seconds + 60) { monotonicNanoseconds() >= end }
    }

    /// Ends the run: a connection has failed.
    func fail(_ reason: String) {
        if failure == nil { failure = reason }
        loop.stop()
    }

    func hookFired(_ hook: LoopHook) {
        if isSpinning {
            sched_yield()
            wakeup?.door.wake()
        }
        if condition() || monotonicNanoseconds() >= deadline { loop.stop() }
    }

    func timerFired(_ timer: LoopTimer) {}

    func wokenUp(_ wakeup: LoopWakeup) {}
}
