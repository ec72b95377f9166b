import ReloadScheduling
import TestSupport
import Testing

@Suite("A slot ledger with a rate")
struct SlotLedgerRateTests {
    @Test("fills every second of a window before it grows", arguments: [1, 3, 50])
    func grows(rate: Int) {
        var harness = SlotLedgerHarness(perSecond: rate, undelayed: 2)
        for _ in 0..<rate * 60 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        var grown = harness.ledger.counters.windowsGrown
        #expect(grown == 0)
        let id = harness.assign(earliest: 30_000, window: 60_000)
        #expect((90_000..<150_000).contains(harness.members[id]!.slot.at))
        for _ in 1..<rate * 60 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        grown = harness.ledger.counters.windowsGrown
        #expect(grown == 1)
        let planned = harness.planned
        #expect(planned.count == 120)
        #expect(planned.values.allSatisfy { $0 == rate })
        #expect(harness.faults.isEmpty)
    }

    @Test("comes back into the window when a slot in it is given back")
    func shrinks() {
        var harness = SlotLedgerHarness(perSecond: 2)
        for _ in 0..<300 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        for id in 0..<UInt32(200) { harness.release(id) }
        #expect(harness.members.values.allSatisfy { $0.slot.at < 90_000 })
        for _ in 0..<20 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        let planned = harness.planned
        #expect(planned.keys.allSatisfy { $0 < 90 })
        #expect(planned.values.allSatisfy { $0 == 2 })
    }

    @Test("counts all dates together, and finds the room that another date has left")
    func groupsTogether() {
        var harness = SlotLedgerHarness(perSecond: 10)
        // One date fills 57 of the other's 60 seconds.
        for _ in 0..<570 { _ = harness.assign(earliest: 30_000, window: 57_000) }
        for _ in 0..<30 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        let grown = harness.ledger.counters.windowsGrown
        #expect(grown == 0)
        let planned = harness.planned
        #expect(planned.count == 60)
        #expect(planned.values.allSatisfy { $0 == 10 })
        _ = harness.assign(earliest: 40_000, window: 50_000)
        let after = harness.ledger.counters.windowsGrown
        #expect(after == 1)
    }

    @Test("uses the window again once another date in it was cancelled")
    func roomAgain() {
        var harness = SlotLedgerHarness(perSecond: 10)
        let others = (0..<570).map { _ in harness.assign(earliest: 30_000, window: 57_000) }
        for _ in 0..<30 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        for id in others.suffix(300) { harness.release(id) }
        for _ in 0..<300 {
            let id = harness.assign(earliest: 30_000, window: 60_000)
            #expect(harness.members[id]!.slot.at < 90_000)
        }
        let grown = harness.ledger.counters.windowsGrown
        #expect(grown == 0)
        #expect(harness.planned.values.allSatisfy { $0 == 10 })
    }

    @Test("returns to a window that has capacity again, one row later")
    func comesBack() {
        var harness = SlotLedgerHarness(perSecond: 10)
        let others = (0..<600).map { _ in harness.assign(earliest: 30_000, window: 60_000) }
        let late = harness.assign(earliest: 30_000, window: 59_000)
        #expect(harness.members[late]!.slot.at >= 89_000)
        for id in others.suffix(300) { harness.release(id) }
        var behind = 0
        for _ in 0..<300 {
            let id = harness.assign(earliest: 30_000, window: 59_000)
            if harness.members[id]!.slot.at >= 89_000 { behind += 1 }
        }
        #expect(behind <= 59)
        #expect(harness.planned.values.allSatisfy { $0 <= 10 })
    }

    @Test("holds to a lower rate from the change on, and gives more room after a higher one")
    func change() {
        var harness = SlotLedgerHarness(perSecond: 10)
        for _ in 0..<300 { _ = harness.assign(earliest: 30_000, window: 60_000) }
        harness.change(perSecond: 5, undelayed: 0)
        let late = harness.assign(earliest: 30_000, window: 60_000)
        #expect(harness.members[late]!.slot.at >= 90_000)
        harness.change(perSecond: 6, undelayed: 0)
        let other = harness.assign(earliest: 30_000, window: 59_000)
        #expect(harness.members[other]!.slot.at < 89_000)
        harness.change(perSecond: nil, undelayed: 1)
        for _ in 0..<1_000 { _ = harness.assign(earliest: 33_000, window: 10_000) }
        #expect(harness.members.values.allSatisfy { $0.slot.at < 150_000 })
        let permits = harness.ledger.permits(at: 30_000)
        #expect(permits == .max)
    }

    @Test("makes no debt of what a higher rate allowed", arguments: [nil, 1_000])
    func lowerRate(former: Int?) {
        var ledger = PlainLedger(perSecond: former, undelayed: 0)
        ledger.spend(1_000, at: 5_900)
        ledger.change(perSecond: 10, undelayed: 0)
        let now = ledger.permits(at: 5_999)
        #expect(now == 0)
        let next = ledger.nextPermit(after: 5_900)
        #expect(next == 6_000)
    }

    @Test("keeps the debt when the rate changes, and pays it under the new one")
    func debtUnderAnotherRate() {
        var lower = PlainLedger(perSecond: 10, undelayed: 0)
        lower.spend(35, at: 4_000)
        lower.change(perSecond: 5, undelayed: 0)
        let late = lower.nextPermit(after: 4_000)
        #expect(late == 10_000)
        var higher = PlainLedger(perSecond: 10, undelayed: 0)
        higher.spend(35, at: 4_000)
        higher.change(perSecond: 40, undelayed: 0)
        let rest = higher.permits(at: 4_999)
        #expect(rest == 5)
    }

    @Test("finds capacity after a long backlog, and none before")
    func backlog() {
        var ledger = PlainLedger(perSecond: 1, undelayed: 0)
        for id in 0..<UInt32(100_000) {
            _ = ledger.assign(id, earliest: 1_000, window: 60_000, isFixed: false, now: 0)
        }
        for id in 0..<UInt32(1_000) {
            let earliest = 1_000 + Int64(id) * 1_000
            let slot = ledger.assign(id, earliest: earliest, window: 5_000, isFixed: false, now: 0)
            #expect(slot.at >= 99_960_000)
        }
        let isFlat = (0..<250_000).allSatisfy { ledger.planned(at: $0 * 1_000) <= 1 }
        #expect(isFlat)
    }

    @Test("holds little for each further date whose window is full")
    func fullWindows() {
        var ledger = PlainLedger(perSecond: 1, undelayed: 3)
        let window: Int64 = 86_400_000
        for id in 0..<UInt32(86_400 + 200) {
            _ = ledger.assign(id, earliest: 0, window: window, isFixed: false, now: 0)
        }
        let before = ledger.byteCount
        for id in 0..<UInt32(100) {
            let earliest = Int64(id) * 1_000
            let slot = ledger.assign(id, earliest: earliest, window: window, isFixed: false, now: 0)
            #expect(slot.at >= window)
        }
        // Of the first date all seconds are full, of the next ones a few are not.
        let bytes = ledger.byteCount - before
        #expect(bytes < 100 * 1_000)
    }

    // MARK: - Immediate reloads

    @Test("lets immediate reloads have what the scheduled ones leave, a little at a time")
    func permits() {
        var ledger = PlainLedger(perSecond: 100, undelayed: 0)
        for id in 0..<UInt32(400) {
            _ = ledger.assign(id, earliest: 10_000, window: 10_000, isFixed: false, now: 0)
        }
        var total = 0
        for time in Int64(10_000)..<11_000 {
            let permits = ledger.permits(at: time)
            #expect(permits <= 6)
            ledger.spend(permits, at: time)
            total += permits
        }
        #expect(total == 60)
        let later = ledger.permits(at: 11_000)
        #expect(later == 3)
    }

    @Test("lets the first few immediate reloads of a second go at its beginning")
    func permitsUndelayed() {
        var ledger = PlainLedger(perSecond: 20, undelayed: 10)
        let permits = ledger.permits(at: 5_000)
        #expect(permits == 10)
        ledger.spend(10, at: 5_000)
        let none = ledger.permits(at: 5_499)
        #expect(none == 0)
        let next = ledger.nextPermit(after: 5_000)
        #expect(next == 5_500)
        let one = ledger.permits(at: 5_500)
        #expect(one == 1)
    }

    @Test("makes the next seconds pay for what was spent too much")
    func debt() {
        var ledger = PlainLedger(perSecond: 10, undelayed: 0)
        ledger.spend(35, at: 4_000)
        for time in stride(from: Int64(4_000), to: 7_500, by: 50) {
            let permits = ledger.permits(at: time)
            #expect(permits == 0)
        }
        let next = ledger.nextPermit(after: 4_000)
        #expect(next == 7_500)
        let permits = ledger.permits(at: 7_500)
        #expect(permits == 1)
        // What is left of it is the same if it is settled on the way.
        ledger.spend(0, at: 6_000)
        let rest = ledger.permits(at: 7_999)
        #expect(rest == 5)
    }

    @Test("puts no scheduled reload into a second that the debt of one before has filled")
    func indebtedSeconds() {
        var harness = SlotLedgerHarness(perSecond: 5)
        harness.ledger.spend(12, at: 20_000)
        for _ in 0..<20 { _ = harness.assign(earliest: 0, window: 30_000, now: 21_100) }
        #expect(harness.planned[21] == nil)
        for _ in 0..<150 { _ = harness.assign(earliest: 0, window: 30_000, now: 22_100) }
        // Two of the debt are left.
        #expect(harness.planned[22] == 3)
        #expect(harness.faults.isEmpty)
    }

    @Test(
        "forgets what was spent too much when it has kept others back for long enough",
        arguments: [0, 999],
        [false, true]
    )
    func debtEnds(planned: Int, isSettledOften: Bool) {
        var ledger = PlainLedger(perSecond: 1_000, undelayed: 0)
        // They leave all of each second, or one of a thousand.
        for second in 0..<Int64(60) {
            for _ in 0..<planned {
                _ = ledger.assignUniform(0, earliest: second * 1_000, window: 1, hash: 0)
            }
        }
        ledger.spend(1_000_000, at: 4_500)
        let end = 5_000 + PlainLedger.debtLimit * 1_000
        for now in stride(from: Int64(4_500), to: end, by: 500) {
            let permits = ledger.permits(at: now)
            #expect(permits == 0)
            let next = ledger.nextPermit(after: now)
            #expect(next == end)
            if isSettledOften { ledger.pass(now) }
        }
        let permits = ledger.permits(at: end)
        #expect(permits == (planned == 0 ? 50 : 1))
    }

    @Test("keeps others back anew when too much is spent again")
    func debtAgain() {
        var ledger = PlainLedger(perSecond: 10, undelayed: 0)
        ledger.spend(1_000, at: 4_000)
        ledger.spend(1_000, at: 9_000)
        let next = ledger.nextPermit(after: 9_000)
        #expect(next == 10_000 + PlainLedger.debtLimit * 1_000)
        // A change of the rate makes no debt, and forgets none.
        ledger.change(perSecond: 100, undelayed: 0)
        let other = ledger.nextPermit(after: 14_000)
        #expect(other == 10_000 + PlainLedger.debtLimit * 1_000)
    }

    @Test("puts no scheduled reload into a second that immediate ones have filled")
    func spentSeconds() {
        var harness = SlotLedgerHarness(perSecond: 5, undelayed: 10)
        harness.spend(5, at: 20_000)
        for _ in 0..<20 { _ = harness.assign(earliest: 0, window: 30_000, now: 20_100) }
        let planned = harness.planned
        #expect(planned[20] == nil)
        #expect(harness.faults.isEmpty)
    }

    @Test(
        "knows when the next permit comes, and none comes before",
        arguments: [1, 2, 3] as [UInt64]
    )
    func nextPermit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let rate = 1 + random.below(12)
            var ledger = PlainLedger(perSecond: rate, undelayed: random.below(3))
            for id in 0..<random.below(80) {
                let earliest = Int64(random.below(5_000))
                _ = ledger.assign(
                    UInt32(id),
                    earliest: earliest,
                    window: 8_000,
                    isFixed: false,
                    now: 0
                )
            }
            let now = Int64(random.below(6_000))
            ledger.spend(random.below(30), at: now)
            let next = ledger.nextPermit(after: now)
            var first = now + 1
            while ledger.permits(at: first) == 0 { first += 1 }
            #expect(next == first, "seed \(seed)")
        }
    }

    @Test("sets no bounds to immediate reloads without a rate")
    func withoutRate() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        ledger.spend(1_000_000, at: 3_000)
        let permits = ledger.permits(at: 3_000)
        #expect(permits == .max)
        let next = ledger.nextPermit(after: 3_000)
        #expect(next == 3_001)
    }
}
