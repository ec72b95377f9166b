import ArgumentParser
import Basics
import CReferences
import CommandSupport
import LoadReporting
import Platform
import ReloadScheduling

/// `bench timers`: measures the timing wheel alone, next to libuv's own timers.
struct BenchTimers: Benchmark {
    static let plan = BenchPlan(
        name: "timers",
        what: "10,000,000 pending timers",
        aim: "a tenth of libuv's CPU for 1,000,000",
        discussion: """
            The wheel's deadlines are uniform over an hour, in ticks of 1 ms as in the router. \
            Insert starts all timers, move gives each another deadline and cancel stops it, both \
            in random order; then all are started again, and expire advances tick by tick until \
            the last has expired. Bytes is the memory of the wheel when all timers are pending.

            The reference does the same with uv_timer_t over the same hour, with fewer timers, and \
            lets all expire in one tick of the loop. The figures are CPU of the thread, medians of \
            rounds, both sides alternately.
            """,
        quick: "--timers 20000 --reference-timers 5000"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of timers of the wheel.")
    var timers = 10_000_000

    @Option(help: "Number of timers of libuv.")
    var referenceTimers = 1_000_000

    @Option(help: "Seed for deadlines and orders.")
    var seed: UInt64 = 1

    func validate() throws {
        try checkNumbers([timers], within: 1_000...100_000_000, of: "--timers")
        try checkNumbers([referenceTimers], within: 1_000...10_000_000, of: "--reference-timers")
    }

    func measure(_ run: BenchRun) throws {
        let plans = [timers, referenceTimers].map { TimersPlan(count: $0, seed: seed) }
        let rounds = try run.alternate([true, false]) { isWheel in
            printProgress(isWheel ? "\(timers) timers" : "libuv, \(referenceTimers) timers")
            return isWheel ? try plans[0].measureWheel() : try plans[1].measureLibuv()
        }
        func add(
            _ row: String,
            of sides: [[TimersRound]],
            value: KeyPath<TimersRound, Double>,
            aim: BenchAim?
        ) {
            let unit = row.hasPrefix("bytes") ? "bytes/timer" : "ns/timer"
            let middle = { (rounds: [TimersRound]) in median(rounds.map { $0[keyPath: value] }) }
            run.add("1ms.\(row)", of: sides, as: middle, unit: unit, aim: aim)
        }
        // Each figure with its own target, and then next to libuv's as the reference.
        let figures: [(name: String, value: KeyPath<TimersRound, Double>, most: Double?)] = [
            ("insert", \.insert, 20), ("move", \.move, nil),
            ("cancel", \.cancel, 30), ("expire", \.expire, 80),
        ]
        for figure in figures {
            let aim = figure.most.map { BenchAim.value($0) }
            add(figure.name, of: [rounds[0]], value: figure.value, aim: aim)
            add("\(figure.name).libuv", of: rounds, value: figure.value, aim: .ratio(0.1))
        }
        add("bytes", of: rounds, value: \.bytes, aim: .value(16))
    }
}

/// The results of one round; times are in ns of the thread's CPU per timer.
struct TimersRound {
    var insert = 0.0
    var move = 0.0
    var cancel = 0.0
    /// From the first tick to the last timer.
    var expire = 0.0
    /// Bytes per timer while all timers wait.
    var bytes = 0.0
}

/// The operations of a round, drawn before it so that only the timers are measured.
struct TimersPlan {
    /// The longest deadline, in ms: an hour.
    private static var span: Int { 3_600_000 }
    /// The most timers that one call of `advance` returns.
    private static var limit: Int { 4_096 }
    /// The wheel's `now` at the start, an arbitrary number of ticks.
    private static var start: UInt64 { 1_000_000_007 }

    let count: Int
    /// The deadline of each timer, in ms.
    private let deadlines: [UInt32]
    /// All timers, in random order.
    private let order: [UInt32]
    /// The deadline to which each is moved, in ms, in the order of `order`.
    private let moves: [UInt32]

    init(count: Int, seed: UInt64) {
        assert(count > 0, "there are no timers")
        var random = SplitMix64(seed: seed)
        self.count = count
        deadlines = (0..<count).map { _ in UInt32(1 + random.below(Self.span)) }
        moves = (0..<count).map { _ in UInt32(1 + random.below(Self.span)) }
        var order = (0..<count).map { UInt32($0) }
        order.shuffle(using: &random)
        self.order = order
    }

    // MARK: - The wheel

    /// Runs one round on a wheel whose ticks are 1 ms long.
    func measureWheel() throws -> TimersRound {
        var round = TimersRound()
        var wheel = TimingWheel(now: Self.start)
        round.insert = perTimer { insert(into: &wheel) }
        round.bytes = Double(wheel.byteCount) / Double(count)
        round.move = perTimer {
            for (index, timer) in order.enumerated() {
                wheel.schedule(TimerID(rawValue: timer), at: Self.start + UInt64(moves[index]))
            }
        }
        round.cancel = perTimer {
            for timer in order { wheel.cancel(TimerID(rawValue: timer)) }
        }
        if wheel.count != 0 { throw BenchFailure("cancelled timers are still pending") }
        round.expire = try measureExpiry()
        return round
    }

    private func insert(into wheel: inout TimingWheel) {
        for (timer, deadline) in deadlines.enumerated() {
            wheel.schedule(TimerID(index: timer), at: Self.start + UInt64(deadline))
        }
    }

    private func measureExpiry() throws -> Double {
        var wheel = TimingWheel(now: Self.start)
        insert(into: &wheel)
        var expired = ContiguousArray<TimerID>()
        expired.reserveCapacity(Self.limit)
        var (total, sum) = (0, 0)
        let time = perTimer {
            for now in Self.start...Self.start + UInt64(Self.span) {
                var isDone = false
                while !isDone {
                    isDone = wheel.advance(to: now, limit: Self.limit, into: &expired)
                    total += expired.count
                    for timer in expired { sum += timer.index }
                    expired.removeAll(keepingCapacity: true)
                }
            }
        }
        if total != count || sum != count * (count - 1) / 2 {
            throw BenchFailure("\(total) of \(count) timers have expired")
        }
        return time
    }

    /// Runs `body`, and returns the CPU time of the thread per timer, in ns.
    private func perTimer(_ body: () -> Void) -> Double {
        let start = Nanoseconds.threadCPU
        body()
        return (.threadCPU - start).inNanoseconds / Double(count)
    }

    // MARK: - libuv

    func measureLibuv() throws -> TimersRound {
        var result = reference_timers_result()
        let status = unsafe deadlines.withUnsafeBufferPointer { timeouts in
            unsafe order.withUnsafeBufferPointer { order in
                unsafe moves.withUnsafeBufferPointer { moves in
                    var input = unsafe reference_timers_input(
                        count: count,
                        timeouts: timeouts.baseAddress!,
                        order: order.baseAddress!,
                        moves: moves.baseAddress!
                    )
                    return unsafe reference_timers(&input, &result)
                }
            }
        }
        if status != 0 { throw BenchFailure("libuv's timers ended with \(status)") }
        let timers = Double(count)
        return TimersRound(
            insert: Double(result.insert) / timers,
            move: Double(result.move) / timers,
            cancel: Double(result.cancel) / timers,
            expire: Double(result.expire) / timers,
            bytes: Double(result.bytes)
        )
    }
}
