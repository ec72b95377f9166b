import ArgumentParser
import Basics
import CommandSupport
import LoadReporting
import ReloadScheduling

/// `bench jitter`: measures how evenly the reloads of one date are spread.
struct BenchJitter: Benchmark {
    static let plan = BenchPlan(
        name: "jitter",
        what: "up to 1,000,000 reloads with one date",
        aim: "peak within the mean and one; 8 bytes each",
        discussion: """
            For each size, the most reloads in any 1,000 ms that begin at a second of the \
            schedule, or at a second after the date, beside the mean: without cancellation (all), \
            with a random fifth cancelled after all have arrived (after), and with one cancelled \
            after every five arrivals (between). Once for the ledger, once for random times \
            (uniform). For the ledger also with ten reloads that are not delayed. Bytes is the \
            memory of the ledger when all have arrived.
            """,
        quick: ""
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Seed for the cancelled reloads and the random times.")
    var seed: UInt64 = 1

    func measure(_ run: BenchRun) throws {
        // The sizes for which targets are stated.
        for (count, seconds) in [(1_000_000, 900), (100_000, 600), (10_000, 600)] {
            printProgress("\(count) over \(seconds) s, seed \(seed)")
            var bytes = 0
            for cancellation in JitterRun.Cancellation.allCases {
                for spreading in JitterRun.Spreading.allCases {
                    var jitter = JitterRun(spreading, count: count, seconds: seconds, seed: seed)
                    let peak = try jitter.peak(cancellation)
                    let mean = Double(jitter.pendingCount) / Double(seconds)
                    run.add(
                        "\(count).\(cancellation.rawValue).\(spreading.rawValue)",
                        value: Double(peak),
                        unit: "reloads/s",
                        reference: mean,
                        aim: spreading == .uniform ? nil : .value(mean.rounded(.up) + 1)
                    )
                    if spreading == .ledger && cancellation == .all { bytes = jitter.byteCount }
                }
            }
            let each = Double(bytes) / Double(count)
            run.add("\(count).bytes", value: each, unit: "bytes/reload", aim: .value(8))
        }
    }
}

/// A run in which reloads with one date are assigned to slots, and some are cancelled before the
/// date.
struct JitterRun: ~Copyable {
    /// How the reloads are spread.
    enum Spreading: String, CaseIterable {
        /// By the ledger, which delays each reload.
        case ledger
        /// By the ledger, which delays all reloads but ten.
        case undelayed
        /// At random times, distributed evenly over the window.
        case uniform
    }

    /// Which reloads are cancelled: none (`all` remain), a fifth after all are assigned, or one
    /// after every five.
    enum Cancellation: String, CaseIterable {
        case all
        case after
        case between
    }

    /// The date; deliberately not a whole second, because real dates rarely are.
    private static var date: ScheduleTime { ScheduleTime(rawValue: 86_400_637) }

    private let spreading: Spreading
    private let count: Int
    private let seconds: Int
    private var ledger: SlotLedger
    private var random: SplitMix64
    /// The slot of each reload; nil once it is cancelled.
    private var slots: [Slot?] = []
    /// The reloads that are not cancelled.
    private var pending: [Int] = []

    init(_ spreading: Spreading, count: Int, seconds: Int, seed: UInt64) {
        (self.spreading, self.count, self.seconds) = (spreading, count, seconds)
        let undelayed = spreading == .undelayed ? 10 : 0
        ledger = SlotLedger(perSecond: nil, undelayed: undelayed, hashKey: HashKey(low: 1, high: 0))
        random = SplitMix64(seed: seed)
    }

    /// The number of reloads that are not cancelled.
    var pendingCount: Int { pending.count }
    var byteCount: Int { ledger.byteCount }

    /// Assigns slots to all reloads, cancels some, and finds the most reloads in any 1,000 ms that
    /// begin at a second of the schedule, or a whole number of seconds after the date.
    mutating func peak(_ cancellation: Cancellation) throws -> Int {
        for id in 0..<count {
            slots.append(assign(id))
            pending.append(id)
            if cancellation == .between && id % 5 == 4 { cancelOne() }
        }
        if cancellation == .after { for _ in 0..<count / 5 { cancelOne() } }
        let end = Self.date + .seconds(Int64(seconds))
        var counts = [[Int]](repeating: [Int](repeating: 0, count: seconds + 1), count: 2)
        for id in pending {
            guard let at = slots[id]?.at, (Self.date..<end).contains(at) else {
                throw BenchFailure("reload \(id) is due outside its window")
            }
            counts[0][Int(at.rawValue / 1_000 - Self.date.rawValue / 1_000)] += 1
            counts[1][Int((at - Self.date).wholeSeconds)] += 1
        }
        return counts.joined().max() ?? 0
    }

    /// Assigns a slot to a reload, as the way of spreading says.
    private mutating func assign(_ id: Int) -> Slot {
        let window = Milliseconds.seconds(Int64(seconds))
        if spreading == .uniform {
            return ledger.assignUniform(earliest: Self.date, window: window, hash: random.next())
        }
        return ledger.assign(
            WidgetID(index: id),
            earliest: Self.date,
            window: window,
            isFixed: false,
            now: .zero
        )
    }

    /// Cancels a pending reload, drawn at random.
    private mutating func cancelOne() {
        let offset = random.below(pending.count)
        pending.swapAt(offset, pending.count - 1)
        let id = pending.removeLast()
        assert(slots[id] != nil, "a pending reload has no slot")
        guard let slot = slots[id] else { return }
        slots[id] = nil
        if let moved = ledger.release(slot.position, now: .zero) {
            assert(slots[moved.widget.index] != nil, "a cancelled reload is moved")
            slots[moved.widget.index] = moved.slot
        }
    }
}
