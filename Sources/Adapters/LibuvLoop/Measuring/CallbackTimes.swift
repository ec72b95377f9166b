package import Basics

/// The callbacks of a loop that took long, and what they did.
package struct LoopStalls: Equatable, Sendable {
    /// How many there were, and how long they took together.
    package struct Total: Equatable, Sendable {
        /// The number.
        package internal(set) var count: UInt64 = 0
        /// The sum of their times.
        package internal(set) var time = Nanoseconds.zero
    }

    private var totals = Array(repeating: Total(), count: LoopWork.allCases.count)
    /// What the last one did; of no meaning if there was none.
    package private(set) var lastWork = LoopWork.tick
    /// How long the last one took; zero if there was none.
    package private(set) var lastTime = Nanoseconds.zero

    /// Those that did one kind of work.
    package subscript(work: LoopWork) -> Total { totals[work.rawValue] }

    /// The number of all.
    package var count: UInt64 { totals.reduce(0) { $0 + $1.count } }

    mutating func record(_ work: LoopWork, time: Nanoseconds) {
        totals[work.rawValue].count += 1
        totals[work.rawValue].time += time
        lastWork = work
        lastTime = time
    }
}

/// Measures callbacks by readings of a counter that the caller makes, two for each callback, and of
/// the thread's clock, which are made only now and then.
///
/// The counter is cheap, but rises also while the thread waits for a processor; the thread's clock
/// is a system call. So the latter is read before a callback if its last reading is older than
/// `lookTime`, and after a callback that seems to have taken longer than that: what the thread has
/// worked since then, without the callbacks in between, bounds what this one can have taken.
///
///     thread's clock    read               read, because the callback was long
///                        ▼                  ▼
///     callbacks          ├──┤ ├─┤  ├────────┤
///     known              short ones  ≤ the clock's difference less the short ones
struct CallbackTimes {
    /// Readings of all clocks at about the same time.
    struct Look {
        var cycles: UInt64
        /// Of the monotonic clock.
        var monotonic: ExactTime
        /// What the thread has worked since its beginning.
        var thread: Nanoseconds
    }

    /// A callback of more than this time is a stall: all peers have waited for it.
    static var stallTime: Nanoseconds { .milliseconds(5) }
    /// How old the last reading of the thread's clock may be, and what a callback may take, before
    /// it is read again.
    static var lookTime: Nanoseconds { .milliseconds(1) }
    /// How often the counter's rate is measured.
    private static var rateTime: Nanoseconds { .milliseconds(1_000) }

    /// The stalls so far.
    private(set) var stalls = LoopStalls()
    /// The ns that one step of the counter takes.
    private var rate = 1.0
    /// `lookTime` as steps of the counter.
    private var lookCycles: UInt64 = 0
    private var lastLook: Look
    /// Where the present rate's measurement began.
    private var rateBegin: Look
    /// The counter's steps within callbacks since `lastLook`.
    private var busyCycles: UInt64 = 0

    /// The present callback, what it does now and since when, and what has taken most of it so far.
    private var begin: UInt64 = 0
    private var work = LoopWork.tick
    private var workBegin: UInt64 = 0
    private var longestWork = LoopWork.tick
    private var longestCycles: UInt64 = 0

    /// Begins to measure; the rate is known after a second measurement (`measureRate`).
    init(_ look: Look) {
        lastLook = look
        rateBegin = look
    }

    /// Whether the clocks are to be read before a callback that begins now (`record`).
    @inline(__always)
    func needsLook(at cycles: UInt64) -> Bool { cycles &- lastLook.cycles > lookCycles }

    /// A callback begins.
    @inline(__always)
    mutating func begin(_ work: LoopWork, at cycles: UInt64) {
        begin = cycles
        workBegin = cycles
        self.work = work
        longestWork = work
        longestCycles = 0
    }

    /// The present callback does something else from now on.
    @inline(__always)
    mutating func enter(_ work: LoopWork, at cycles: UInt64) {
        endWork(at: cycles)
        self.work = work
        workBegin = cycles
    }

    /// Whether the present callback, if it ends now, has taken so long that it has to end with
    /// `endLong`.
    @inline(__always)
    func isLong(at cycles: UInt64) -> Bool { isLong(from: begin, to: cycles) }

    /// Whether a part of a callback has taken so long that `longTime` measures it.
    @inline(__always)
    func isLong(from start: UInt64, to end: UInt64) -> Bool {
        end > start && end - start > lookCycles
    }

    /// What a short part of a callback has cost.
    @inline(__always)
    func time(from start: UInt64, to end: UInt64) -> Nanoseconds {
        // A counter that differs between the cores may seem to go back.
        Nanoseconds(rawValue: end > start ? Int64(Double(end - start) * rate) : 0)
    }

    /// What the present callback, or a part of it from `start` to `end`, has cost that has taken
    /// long; `look` are the clocks after it. The time by the counter, at most what the thread has
    /// worked since the last look without the callbacks in between.
    func longTime(from start: UInt64, to end: UInt64, look: Look) -> Nanoseconds {
        let before = Nanoseconds(rawValue: Int64(Double(busyCycles) * rate))
        let most = look.thread - lastLook.thread - before
        let isRateKnown = lookCycles > 0
        return max(.zero, isRateKnown ? min(time(from: start, to: end), most) : most)
    }

    /// The present callback ends, and was short. Returns what it has cost.
    @inline(__always)
    mutating func end(at cycles: UInt64) -> Nanoseconds {
        if cycles > begin { busyCycles &+= cycles - begin }
        return time(from: begin, to: cycles)
    }

    /// The present callback ends, and has taken long; `look` are the clocks after it. Returns what
    /// it has cost.
    mutating func endLong(at cycles: UInt64, look: Look) -> Nanoseconds {
        endWork(at: cycles)
        let time = longTime(from: begin, to: cycles, look: look)
        record(look)
        if time > Self.stallTime { stalls.record(longestWork, time: time) }
        return time
    }

    @inline(__always)
    private mutating func endWork(at cycles: UInt64) {
        let spent = cycles > workBegin ? cycles - workBegin : 0
        if spent <= longestCycles { return }
        longestCycles = spent
        longestWork = work
    }

    /// Remembers a reading of the clocks.
    mutating func record(_ look: Look) {
        lastLook = look
        busyCycles = 0
        if lookCycles == 0 || look.monotonic - rateBegin.monotonic > Self.rateTime {
            measureRate(until: look)
        }
    }

    /// Measures the counter's rate since the last measurement.
    mutating func measureRate(until look: Look) {
        let time = look.monotonic - rateBegin.monotonic
        if time < Self.lookTime || look.cycles <= rateBegin.cycles { return }
        rate = Double(time.rawValue) / Double(look.cycles - rateBegin.cycles)
        lookCycles = UInt64(Double(Self.lookTime.rawValue) / rate)
        rateBegin = look
    }
}
