import Basics
import Glibc
import LibuvLoop
import Platform

/// The load generator's event loop, which runs until a condition holds, or fails when that takes
/// too long.
final class BenchLoop: HookOwner, TimerOwner, WakeupOwner {
    let loop: Loop
    private var hook: LoopHook?
    private var tick: LoopTimer?
    private var wakeup: LoopWakeup?
    private var condition: () -> Bool = { false }
    /// When the current run fails.
    private var deadline = ExactTime.max
    private var failure: String?
    /// The owners of connections, kept alive as long as the loop may call them.
    private var owners: [AnyObject] = []

    /// True to never sleep, so that the condition is checked every few microseconds. The loop
    /// yields its core in each tick, so that the server can run as if the generator were elsewhere.
    var isSpinning = false

    init() throws {
        loop = try Loop()
        hook = try LoopHook(loop, owner: self)
        tick = try LoopTimer(loop, owner: self)
        wakeup = try LoopWakeup(loop, owner: self)
        // Conditions on the clock must be checked even if nothing arrives.
        try tick?.start(after: .milliseconds(5), repeating: .milliseconds(5))
    }

    /// Keeps an owner of connections alive as long as this object.
    func keep(_ owner: AnyObject) { owners.append(owner) }

    /// Runs until a condition holds, which is checked in every tick. `what` completes the sentence
    /// "waited until …" in errors.
    ///
    /// - Throws: `BenchFailure` if a connection fails, or the condition does not hold in time.
    func run(
        until what: String,
        within seconds: Double = 60,
        condition: @escaping () -> Bool
    ) throws {
        self.condition = condition
        deadline = ExactTime.now + Nanoseconds(seconds: seconds)
        defer { self.condition = { false } }
        if isSpinning { wakeup?.mailbox.wake() }
        if failure == nil && !condition() { try loop.run() }
        if let failure { throw BenchFailure("\(failure), until \(what)") }
        if ExactTime.now >= deadline && !condition() {
            throw BenchFailure("timed out after \(seconds) seconds, waiting until \(what)")
        }
    }

    func run(for length: Nanoseconds) throws {
        let end = ExactTime.now + length
        try run(until: "the window ended", within: length.inSeconds + 60) { ExactTime.now >= end }
    }

    /// Runs until standard input has something, or ends.
    func runUntilInput() throws {
        let interval = Nanoseconds.milliseconds(20)
        var next = ExactTime.now
        try run(until: "the input ended", within: 3_600) {
            let now = ExactTime.now
            if now < next { return false }
            next = now + interval
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&input, 1, 0) != 0
        }
    }

    /// Ends the current run, and all later ones, with an error.
    func fail(_ reason: String) {
        if failure == nil { failure = reason }
        loop.stop()
    }

    func hookFired(_ hook: LoopHook) {
        if isSpinning {
            sched_yield()
            wakeup?.mailbox.wake()
        }
        if condition() || ExactTime.now >= deadline { loop.stop() }
    }

    func timerFired(_ timer: LoopTimer) {}

    func wokenUp(_ wakeup: LoopWakeup) {}
}
