import ArgumentParser
import CReferences
import DataStructures
import LoadReporting
import Platform
import ReloadScheduling
import Times

/// `bench timers`: measures the timing wheel alone, next to libuv's own timers.
struct BenchTimers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timers",
        abstract: "Start, move, cancel and wait for 10,000,000 timers, in this process.",
        discussion: """
            The wheel's deadlines are uniform over an hour, in ticks of 1 ms as in the router \
            (timers.1ms) and of 8 ms (timers.8ms). Insert starts all timers, move gives each \
            another deadline and cancel stops it, both in random order; then all are started \
            again, and expire advances tick by tick until the last has expired; once more after a \
            move of all (expire.moved). Bytes is the memory of the wheel when all timers are \
            pending, and after all were moved.

            The reference does the same with uv_timer_t over the same hour, with fewer timers, and \
            lets all expire in one tick of the loop. The figures are CPU of the thread, medians of \
            rounds, both sides alternately.
            """
    )

    @OptionGroup var options: BenchRounds

    @Option(help: "Number of timers of the wheel.")
    var timers = 10_000_000

    @Option(help: "Number of timers of libuv.")
    var referenceTimers = 1_000_000

    @Option(help: "Seed for deadlines and orders.")
    var seed: UInt64 = 1

    func validate() throws {
        if !(1_000...100_000_000).contains(timers) {
            throw ValidationError("--timers is \(timers); it must be from 1000 to 100000000")
        }
        if !(1_000...10_000_000).contains(referenceTimers) {
            throw ValidationError(
                "--reference-timers is \(referenceTimers); it must be from 1000 to 10000000"
            )
        }
    }

    func run() throws {
        let rounds = options.count(otherwise: 3)
        let reference = BenchTimersPlan(count: referenceTimers, seed: seed)
        let plan = BenchTimersPlan(count: timers, seed: seed)
        var libuv = BenchTimersRounds()
        var coarse = BenchTimersRounds()
        var fine = BenchTimersRounds()
        for round in 1...rounds {
            printProgress("round \(round) of \(rounds): \(timers) timers, libuv \(referenceTimers)")
            libuv.add(try reference.measureLibuv())
            coarse.add(try plan.measureWheel(tick: 8))
            fine.add(try plan.measureWheel(tick: 1))
        }
        var report = BenchReport(json: options.json)
        fine.add(to: &report, as: "timers.1ms", beside: libuv, hasAims: true)
        coarse.add(to: &report, as: "timers.8ms", beside: libuv, hasAims: false)
        report.print()
    }
}

/// The results of several rounds, and their medians.
struct BenchTimersRounds {
    private var rounds: [BenchTimersRound] = []

    mutating func add(_ round: BenchTimersRound) {
        rounds.append(round)
    }

    /// Adds each figure with its own target, and then next to libuv's as the reference.
    func add(
        to report: inout BenchReport,
        as name: String,
        beside libuv: BenchTimersRounds,
        hasAims: Bool
    ) {
        let figures: [(name: String, path: KeyPath<BenchTimersRound, Double>, most: Double?)] = [
            ("insert", \.insert, 20), ("move", \.move, nil),
            ("cancel", \.cancel, 30), ("expire", \.expire, 80),
        ]
        for figure in figures {
            let most = hasAims ? figure.most : nil
            report.add(
                "\(name).\(figure.name)",
                value: median(figure.path),
                unit: "ns/timer",
                aim: most.map { .value($0) }
            )
        }
        for figure in figures {
            report.add(
                "\(name).\(figure.name).libuv",
                value: median(figure.path),
                unit: "ns/timer",
                reference: libuv.median(figure.path),
                aim: hasAims ? .ratio(0.1) : nil
            )
        }
        report.add("\(name).expire.moved", value: median(\.expireMoved), unit: "ns/timer")
        report.add(
            "\(name).bytes",
            value: median(\.bytes),
            unit: "bytes/timer",
            reference: libuv.median(\.bytes),
            aim: hasAims ? .value(16) : nil
        )
        report.add("\(name).bytes.moved", value: median(\.bytesMoved), unit: "bytes/timer")
    }

    func median(_ path: KeyPath<BenchTimersRound, Double>) -> Double {
        reload_lab.median(rounds.map { $0[keyPath: path] })
    }
}

/// The results of one round; times are in ns of the thread's CPU per timer.
struct BenchTimersRound {
    var insert = 0.0
    var move = 0.0
    var cancel = 0.0
    /// From the first tick to the last timer.
    var expire = 0.0
    /// `expire` after all timers were moved, when the wheel has stale entries.
    var expireMoved = 0.0
    /// Bytes per timer while all timers wait.
    var bytes = 0.0
    /// Bytes per timer after all were moved.
    var bytesMoved = 0.0
}

/// The operations of a round, drawn before it so that only the timers are measured.
struct BenchTimersPlan {
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

    /// Runs one round on a wheel whose ticks are `tick` ms long.
    ///
    /// - Throws: `BenchFailure` if not every timer expired.
    func measureWheel(tick: UInt32) throws -> BenchTimersRound {
        var round = BenchTimersRound()
        var wheel = TimingWheel(now: Self.start)
        round.insert = perTimer { insert(into: &wheel, tick: tick) }
        round.bytes = Double(wheel.byteCount) / Double(count)
        round.move = perTimer { move(in: &wheel, tick: tick) }
        round.bytesMoved = Double(wheel.byteCount) / Double(count)
        round.cancel = perTimer {
            for timer in order { wheel.cancel(TimerID(rawValue: timer)) }
        }
        if wheel.count != 0 { throw BenchFailure("cancelled timers are still pending") }
        round.expire = try measureExpiry(tick, areMoved: false)
        round.expireMoved = try measureExpiry(tick, areMoved: true)
        return round
    }

    private func insert(into wheel: inout TimingWheel, tick: UInt32) {
        for (timer, deadline) in deadlines.enumerated() {
            wheel.schedule(
                TimerID(index: timer),
                at: Self.start + UInt64(deadline / tick)
            )
        }
    }

    private func move(in wheel: inout TimingWheel, tick: UInt32) {
        for (index, timer) in order.enumerated() {
            wheel.schedule(
                TimerID(rawValue: timer),
                at: Self.start + UInt64(moves[index] / tick)
            )
        }
    }

    private func measureExpiry(_ tick: UInt32, areMoved: Bool) throws -> Double {
        var wheel = TimingWheel(now: Self.start)
        insert(into: &wheel, tick: tick)
        if areMoved { move(in: &wheel, tick: tick) }
        var expired = ContiguousArray<TimerID>()
        expired.reserveCapacity(Self.limit)
        var total = 0
        var sum = 0
        let time = perTimer {
            for now in Self.start...Self.start + UInt64(Self.span) / UInt64(tick) {
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

    /// Runs one round with libuv's timers.
    func measureLibuv() throws -> BenchTimersRound {
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
        return BenchTimersRound(
            insert: Double(result.insert) / timers,
            move: Double(result.move) / timers,
            cancel: Double(result.cancel) / timers,
            expire: Double(result.expire) / timers,
            bytes: Double(result.bytes),
            bytesMoved: Double(result.bytes)
        )
    }
}
