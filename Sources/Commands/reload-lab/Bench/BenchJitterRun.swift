import DataStructures
import ReloadModel
import ReloadScheduling
import Times

/// A run in which reloads with one date are assigned to slots, and some are cancelled before the
/// date.
struct BenchJitterRun: ~Copyable {
    /// How the reloads are spread.
    enum Spreading: String, CaseIterable {
        /// By the ledger, which delays each reload.
        case ledger
        /// By the ledger, which delays all reloads but ten.
        case undelayed
        /// At random times, distributed evenly over the window.
        case uniform
        /// Not at all: every reload is at the date.
        case none
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

    private let size: BenchJitterSize
    private let spreading: Spreading
    private var ledger: SlotLedger
    private var random: SplitMix64
    /// The slot of each reload; nil once it is cancelled.
    private var slots: [Slot?] = []
    /// The reloads that are not cancelled.
    private var pending: [Int] = []

    init(size: BenchJitterSize, spreading: Spreading, seed: UInt64) {
        self.size = size
        self.spreading = spreading
        let undelayed = spreading == .undelayed ? 10 : 0
        ledger = SlotLedger(perSecond: nil, undelayed: undelayed, hashKey: HashKey(low: 1, high: 0))
        random = SplitMix64(seed: seed)
    }

    /// The number of reloads that are not cancelled.
    var pendingCount: Int { pending.count }

    /// Assigns slots to all reloads, cancels some, and finds the 1,000 ms with the most reloads.
    ///
    /// - Returns: the most reloads in any 1,000 ms that begin at a second of the schedule, or a
    ///   whole number of seconds after the date.
    /// - Throws: `BenchFailure` if a reload is due before the date or after the window.
    mutating func peak(_ cancellation: Cancellation) throws -> Int {
        assert(slots.isEmpty && pending.isEmpty, "a run is used only once")
        for id in 0..<size.count {
            slots.append(take(id))
            pending.append(id)
            if cancellation == .between && id % 5 == 4 { cancelOne() }
        }
        if cancellation == .after { for _ in 0..<size.count / 5 { cancelOne() } }
        let end = Self.date + .seconds(Int64(size.seconds))
        var counts = [[Int]](repeating: [Int](repeating: 0, count: size.seconds + 1), count: 2)
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
    private mutating func take(_ id: Int) -> Slot {
        let window = spreading == .none ? Milliseconds.zero : .seconds(Int64(size.seconds))
        if spreading == .uniform || spreading == .none {
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
