import Basics
import TestSupport

@testable import ReloadScheduling

/// A ledger beside a plain list of everybody in it, from which its seconds are counted anew.
struct SlotLedgerHarness: ~Copyable {
    struct Member {
        var slot: PlainLedger.Slot
        var earliest: Int64
        var window: Int64
        var isFixed: Bool
        var isUniform: Bool

        var end: Int64 { earliest + max(1, window) }
        /// Members with the same date and window, to the ms if the window is but one second.
        var date: [Int64] {
            let offset = window < 2_000 ? earliest % 1_000 : 0
            return [earliest / 1_000, window / 1_000, min(window, 1_000), offset]
        }
        /// The seconds that lie in the window from begin to end, but for the date's own.
        var wholeSeconds: Range<Int64> {
            let second = earliest / 1_000
            return second + 1..<second + max(1, window / 1_000)
        }
    }

    var ledger: PlainLedger
    private(set) var members: [UInt32: Member] = [:]
    private(set) var ids: [UInt32] = []
    private var places: [UInt32: Int] = [:]
    private var nextID: UInt32 = 0
    private var rate: Int
    /// Dates whose window had no room for a member.
    private var datesBehind = Set<[Int64]>()
    /// Dated reloads that have happened, by second.
    private(set) var finished: [Int64: Int] = [:]
    private(set) var spent: [Int64: Int] = [:]
    private(set) var counts = (taken: 0, released: 0, finished: 0)
    /// What was wrong, as sentences.
    private(set) var faults: [String] = []

    init(perSecond: Int? = nil, undelayed: Int = 0) {
        ledger = PlainLedger(perSecond: perSecond, undelayed: undelayed)
        rate = perSecond ?? .max
    }

    mutating func change(perSecond: Int?, undelayed: Int) {
        ledger.change(perSecond: perSecond, undelayed: undelayed)
        rate = perSecond ?? .max
    }

    mutating func assign(
        earliest: Int64,
        window: Int64,
        isFixed: Bool = false,
        now: Int64 = 0
    ) -> UInt32 {
        let id = nextID
        nextID += 1
        let grown = ledger.counters.windowsGrown
        let slot = ledger.assign(id, earliest: earliest, window: window, isFixed: isFixed, now: now)
        let begin = max(earliest, now)
        let member = Member(
            slot: slot,
            earliest: begin,
            window: window,
            isFixed: isFixed,
            isUniform: false
        )
        if ledger.counters.windowsGrown > grown { checkGrowth(id, member) }
        add(id, member)
        return id
    }

    mutating func assignUniform(earliest: Int64, window: Int64, hash: UInt64) -> UInt32 {
        let id = nextID
        nextID += 1
        let slot = ledger.assignUniform(id, earliest: earliest, window: window, hash: hash)
        add(
            id,
            Member(slot: slot, earliest: earliest, window: window, isFixed: false, isUniform: true)
        )
        return id
    }

    @discardableResult
    mutating func release(_ id: UInt32, now: Int64 = 0) -> PlainLedger.MovedSlot? {
        let member = remove(id)
        counts.released += 1
        guard let moved = ledger.release(member.slot.position, now: now) else { return nil }
        guard var other = members[moved.id] else {
            faults.append("\(moved.id) is not in the ledger and moves")
            return moved
        }
        if other.isFixed { faults.append("\(moved.id) is fixed and moves") }
        if moved.slot.at < now { faults.append("\(moved.id) moves into the past") }
        other.slot = moved.slot
        check(moved.id, other)
        members[moved.id] = other
        return moved
    }

    mutating func finish(_ id: UInt32, now: Int64) {
        let member = remove(id)
        counts.finished += 1
        finished[member.slot.at / 1_000, default: 0] += 1
        ledger.finish(member.slot.position, now: now)
    }

    mutating func spend(_ count: Int, at now: Int64) {
        spent[now / 1_000, default: 0] += count
        ledger.spend(count, at: now)
    }

    // MARK: - The plain list

    /// Dated reloads by second: pending and finished.
    var planned: [Int64: Int] {
        var planned = finished
        for member in members.values { planned[member.slot.at / 1_000, default: 0] += 1 }
        return planned
    }

    /// The most pending reloads in a stretch of a second, with stretches beginning at `phase`.
    func peak(phase: Int64) -> Int {
        var counts: [Int64: Int] = [:]
        for member in members.values { counts[(member.slot.at - phase) / 1_000, default: 0] += 1 }
        return counts.values.max() ?? 0
    }

    private mutating func add(_ id: UInt32, _ member: Member) {
        counts.taken += 1
        check(id, member)
        members[id] = member
        places[id] = ids.count
        ids.append(id)
    }

    private mutating func remove(_ id: UInt32) -> Member {
        let position = places.removeValue(forKey: id)!
        let last = ids.removeLast()
        if last != id {
            ids[position] = last
            places[last] = position
        }
        return members.removeValue(forKey: id)!
    }

    private mutating func check(_ id: UInt32, _ member: Member) {
        if member.slot.at < member.earliest {
            faults.append("\(id) is due at \(member.slot.at), before its date \(member.earliest)")
        }
        if member.slot.at >= member.end && !datesBehind.contains(member.date) {
            let end = member.end
            faults.append("\(id) is due at \(member.slot.at), behind its window's end \(end)")
        }
    }

    /// A window grows only if none of its whole seconds has room.
    private mutating func checkGrowth(_ id: UInt32, _ member: Member) {
        datesBehind.insert(member.date)
        let planned = planned
        for second in member.wholeSeconds where planned[second] ?? 0 < rate {
            faults.append("\(id) goes behind its window, and second \(second) has room")
        }
    }
}
