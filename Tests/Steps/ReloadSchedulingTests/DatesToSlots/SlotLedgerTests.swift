import Basics
import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("A slot ledger")
struct SlotLedgerTests {
    @Test(
        "gives the same slots for the same calls, whatever the hash key",
        arguments: [3, 4] as [UInt64]
    )
    func determinism(seed: UInt64) {
        func slots(_ key: UInt64) -> [PlainLedger.Slot] {
            let hashKey = HashKey(low: key, high: 0)
            var random = SeededGenerator(seed: seed)
            var ledger = PlainLedger(perSecond: 20, undelayed: 3, hashKey: hashKey)
            var slots: [PlainLedger.Slot] = []
            for id in 0..<UInt32(5_000) {
                let slot = ledger.assign(
                    id,
                    earliest: Int64(random.below(5)) * 60_000 + 100_000,
                    window: 120_000,
                    isFixed: random.below(3) == 0,
                    now: 0
                )
                slots.append(slot)
                if random.below(4) > 0 { continue }
                if let moved = ledger.release(slots.removeLast().position, now: 0) {
                    slots.append(moved.slot)
                }
            }
            return slots
        }
        #expect(slots(1) == slots(2), "seed \(seed)")
    }

    @Test("counts a date that has passed as now")
    func pastDate() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        for id in 0..<UInt32(2_000) {
            let now = 500_123 + Int64(id) / 10
            let slot = ledger.assign(id, earliest: 7, window: 60_000, isFixed: false, now: now)
            #expect(slot.at >= now)
            #expect(slot.at < now + 60_000)
        }
    }

    @Test(
        "keeps to a window of any length",
        arguments: [0, 1, 10, 999, 1_000, 1_001, 1_999, 2_000, 2_500, 86_400_000] as [Int64]
    )
    func windows(window: Int64) {
        var harness = SlotLedgerHarness(undelayed: 2)
        for number in 0..<Int64(3_000) {
            _ = harness.assign(earliest: 40_900 + number % 3 * 70, window: window)
        }
        for id in harness.ids where id % 4 == 1 { harness.release(id) }
        #expect(harness.faults.isEmpty)
        let total = harness.planned.allSatisfy { second, count in
            harness.ledger.planned(at: second * 1_000) == count
        }
        #expect(total)
    }

    @Test("cuts a window that is longer than a day, and a date that is 135 years away")
    func limits() {
        var ledger = PlainLedger(perSecond: 1, undelayed: 0)
        for id in 0..<UInt32(1_000) {
            let slot = ledger.assign(id, earliest: 0, window: .max, isFixed: false, now: 0)
            #expect(slot.at < PlainLedger.windowLimit * 1_000)
            let late = ledger.assign(id, earliest: .max, window: 2_000, isFixed: false, now: 0)
            #expect(late.at >= PlainLedger.latest)
            let uniform = ledger.assignUniform(id, earliest: .max, window: .max, hash: .max)
            #expect(uniform.at >= PlainLedger.latest)
        }
        ledger.pass(.max)
        let permits = ledger.permits(at: .max)
        #expect(permits == 0)
    }

    // MARK: - Undelayed

    @Test("does not delay the first few of a date, and gives their second nothing more until then")
    func undelayed() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 10)
        var counts = [Int](repeating: 0, count: 60)
        for id in 0..<UInt32(10 + 59 * 10 + 60) {
            let slot = ledger.assign(id, earliest: 9_000, window: 60_000, isFixed: false, now: 0)
            if id < 10 { #expect(slot.at == 9_000) }
            counts[Int(slot.at - 9_000) / 1_000] += 1
            if id == 10 + 59 * 10 - 1 { #expect(counts.allSatisfy { $0 == 10 }) }
        }
        #expect(counts.allSatisfy { $0 == 11 })
    }

    @Test("does not delay the first few at their own millisecond")
    func undelayedMilliseconds() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 10)
        for id in 0..<UInt32(10) {
            let earliest = 9_900 - Int64(id) * 50
            let slot = ledger.assign(id, earliest: earliest, window: 60_000, isFixed: false, now: 0)
            #expect(slot.at == earliest)
        }
    }

    @Test("delays even the first few when their second is full")
    func undelayedAtTheRate() {
        var harness = SlotLedgerHarness(perSecond: 4, undelayed: 10)
        for _ in 0..<240 { _ = harness.assign(earliest: 9_000, window: 60_000) }
        let atOnce = harness.members.values.count { $0.slot.at == 9_000 }
        #expect(atOnce == 4)
        let planned = harness.planned
        #expect(planned.count == 60)
        #expect(planned.values.allSatisfy { $0 == 4 })
        let grown = harness.ledger.counters.windowsGrown
        #expect(grown == 0)
    }

    @Test("does not begin with the undelayed anew when those of the same second have reloaded")
    func undelayedOnce() {
        var harness = SlotLedgerHarness(undelayed: 5)
        var atOnce = 0
        for number in 0..<Int64(50) {
            let now = 9_000 + number * 10
            let id = harness.assign(earliest: 0, window: 60_000, now: now)
            if harness.members[id]!.slot.at > now { continue }
            atOnce += 1
            harness.finish(id, now: now)
        }
        #expect(atOnce == 5)
    }

    // MARK: - Cancelling

    @Test("moves the last of a date to where a cancelled one stood, before the date only")
    func moves() {
        var harness = SlotLedgerHarness()
        for _ in 0..<100 { _ = harness.assign(earliest: 50_000, window: 60_000) }
        let wanted = harness.members[3]!.slot
        let moved = harness.release(3, now: 49_999)
        #expect(moved?.id == 99)
        #expect(moved?.slot == wanted)
        let isLast = harness.release(98, now: 49_999)
        #expect(isLast == nil)
        let begun = harness.release(5, now: 50_000)
        #expect(begun == nil)
        #expect(harness.faults.isEmpty)
        let counters = harness.ledger.counters
        #expect(counters.assigned == 100)
        #expect(counters.released == 3)
        #expect(counters.pending == 97)
    }

    @Test("never moves a fixed one, and gives the place to who comes next")
    func fixed() {
        var harness = SlotLedgerHarness()
        for _ in 0..<50 { _ = harness.assign(earliest: 50_000, window: 60_000, isFixed: true) }
        let places = [4, 9, 30].map { harness.members[$0]!.slot }
        for id in [4, 9, 30] as [UInt32] {
            let moved = harness.release(id)
            #expect(moved == nil)
        }
        var again: [PlainLedger.Slot] = []
        for _ in 0..<3 {
            let id = harness.assign(earliest: 50_000, window: 60_000)
            again.append(harness.members[id]!.slot)
        }
        #expect(Set(again.map(\.at)) == Set(places.map(\.at)))
        #expect(harness.peak(phase: 0) == 1)
    }

    @Test("gives a place of a date that has begun to who comes in its first second")
    func begun() {
        var harness = SlotLedgerHarness()
        for _ in 0..<10 { _ = harness.assign(earliest: 50_000, window: 60_000) }
        let id = harness.ids.first { harness.members[$0]!.slot.at > 51_000 }!
        let slot = harness.members[id]!.slot
        harness.release(id, now: 50_000)
        let other = harness.assign(earliest: 50_000, window: 60_000, now: 50_000)
        #expect(harness.members[other]!.slot == slot)
    }

    @Test("counts a uniform reload in its second until it is cancelled")
    func uniform() {
        var harness = SlotLedgerHarness(perSecond: 1)
        let ids = (0..<100).map { number in
            harness.assignUniform(earliest: 5_300, window: 10_000, hash: UInt64(number) * 7_919)
        }
        let planned = (0..<20).map { harness.ledger.planned(at: $0 * 1_000) }
        #expect(planned.reduce(0, +) == 100)
        #expect(harness.members[ids[3]]!.slot.at == 5_300 + 7_919 * 3 % 10_000)
        for id in ids.prefix(60) { harness.release(id) }
        for id in ids.suffix(40) { harness.finish(id, now: 20_000) }
        let left = (0..<20).map { harness.ledger.planned(at: $0 * 1_000) }
        #expect(left.reduce(0, +) == 40)
        let counters = harness.ledger.counters
        #expect(counters.pending == 0)
        #expect(harness.faults.isEmpty)
    }

    // MARK: - Memory

    @Test("forgets seconds and groups that are over, and uses their memory again")
    func forgets() {
        var harness = SlotLedgerHarness(undelayed: 1)
        var most = 0
        for round in 0..<Int64(200) {
            let now = round * 60_000
            for id in harness.ids where harness.members[id]!.slot.at <= now {
                harness.finish(id, now: now)
            }
            harness.ledger.pass(now)
            for number in 0..<Int64(100) {
                _ = harness.assign(earliest: now + number * 600, window: 30_000, now: now)
            }
            if round == 20 { most = harness.ledger.byteCount }
        }
        let bytes = harness.ledger.byteCount
        #expect(bytes <= most * 5 / 4)
        for id in harness.ids { harness.finish(id, now: 200 * 60_000) }
        harness.ledger.pass(300 * 60_000)
        let groups = harness.ledger.groupCount
        #expect(groups == 0)
    }

    @Test("holds no seconds of a date that has been moved on", arguments: [false, true])
    func movingDate(isTakenFirst: Bool) {
        var ledger = PlainLedger(perSecond: 10, undelayed: 0)
        var most = 0
        var slots: [PlainLedger.Slot] = []
        // Each date lies in a page of seconds of its own, its window in the next ones.
        for number in 0..<Int64(100_000) {
            if !isTakenFirst, let slot = slots.popLast() {
                _ = ledger.release(slot.position, now: 0)
            }
            let earliest = number * 128_000
            slots.append(
                number % 2 == 0
                    ? ledger.assign(0, earliest: earliest, window: 600_000, isFixed: false, now: 0)
                    : ledger.assignUniform(0, earliest: earliest, window: 600_000, hash: 500_000)
            )
            if slots.count == 2 { _ = ledger.release(slots.removeFirst().position, now: 0) }
            if number == 10 { most = ledger.byteCount }
        }
        let bytes = ledger.byteCount
        #expect(bytes <= most)
        let groups = ledger.groupCount
        #expect(groups <= 1)
    }

    @Test("keeps a group that is over until its last member is finished")
    func lateFinish() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        let slots = (0..<3).map {
            ledger.assign($0, earliest: 1_000, window: 2_000, isFixed: false, now: 0)
        }
        ledger.pass(500_000)
        for slot in slots.dropFirst() { ledger.finish(slot.position, now: 500_000) }
        var groups = ledger.groupCount
        #expect(groups == 1)
        let moved = ledger.release(slots[0].position, now: 500_000)
        #expect(moved == nil)
        groups = ledger.groupCount
        #expect(groups == 0)
    }

    @Test("holds dates that are months apart in memory for the dates, not for the months")
    func sparse() {
        var ledger = PlainLedger(perSecond: 5, undelayed: 0)
        let month: Int64 = 30 * 86_400_000
        for id in 0..<UInt32(1_000) {
            _ = ledger.assign(
                id,
                earliest: Int64(id) * month,
                window: 60_000,
                isFixed: false,
                now: 0
            )
        }
        let bytes = ledger.byteCount
        #expect(bytes < 1_000 * 1_200)
        ledger.pass(1_000 * month)
        let planned = ledger.planned(at: 0)
        #expect(planned == 0)
    }

    @Test("costs 4 to 8 bytes a member")
    func bytesPerMember() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 10)
        for id in 0..<UInt32(100_000) {
            _ = ledger.assign(id, earliest: 1_000, window: 600_000, isFixed: false, now: 0)
        }
        let bytes = ledger.byteCount
        #expect(bytes <= 800_000)
    }

    @Test("places by a hash what comes when there are too many groups")
    func tooManyGroups() {
        var ledger = PlainLedger(perSecond: 2, undelayed: 0)
        let limit = PlainLedger.groupLimit
        for id in 0..<limit {
            let earliest = Int64(id) * 10_000
            let id = UInt32(id)
            let slot = ledger.assign(id, earliest: earliest, window: 9_000, isFixed: false, now: 0)
            if !slot.position.isInGroup { Issue.record("\(id) is placed by a hash") }
        }
        var slots: [PlainLedger.Slot] = []
        for id in 0..<20 {
            slots.append(
                ledger.assign(UInt32(id), earliest: 5_500, window: 10_000, isFixed: false, now: 0)
            )
        }
        #expect(slots.allSatisfy { $0.at >= 5_500 && $0.position.isWithoutGroup })
        let counts = (5..<30).map { ledger.planned(at: $0 * 1_000) }
        #expect(counts.allSatisfy { $0 <= 2 })
        let grown = ledger.counters.windowsGrown
        #expect(grown > 0)
        for slot in slots { _ = ledger.release(slot.position, now: 0) }
        let pending = ledger.counters.pending
        #expect(pending == limit)
    }

    @Test("ends at a slot that was given back before, even if its group's memory is in use again")
    func stale() async {
        await #expect(processExitsWith: .failure) {
            var ledger = PlainLedger(perSecond: nil, undelayed: 0)
            let slot = ledger.assign(1, earliest: 5_000, window: 9_000, isFixed: false, now: 0)
            _ = ledger.release(slot.position, now: 0)
            _ = ledger.assign(2, earliest: 8_000, window: 9_000, isFixed: false, now: 0)
            ledger.finish(slot.position, now: 0)
        }
    }
}
