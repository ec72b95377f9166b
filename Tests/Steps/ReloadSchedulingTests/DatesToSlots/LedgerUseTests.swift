import Basics
import StoreFormat
import Testing

@testable import ReloadScheduling

@Suite("What an origin's seconds are used for")
struct LedgerUseTests {
    private static let now: Int64 = 1_000_000

    private func ledger() -> PlainLedger { PlainLedger(perSecond: 50, undelayed: 0) }

    private func looked(
        at ledger: borrowing PlainLedger,
        from now: Int64,
        seconds: Int
    ) -> LedgerUse {
        var groupsLeft = PlainLedger.useGroupLimit
        return ledger.use(from: now, seconds: seconds, groupsLeft: &groupsLeft)
    }

    @Test("dates of more groups than may be looked at are among those that are given only")
    func limit() {
        var ledger = ledger()
        for id in 0..<10 as Range<UInt32> {
            _ = ledger.assign(
                id,
                earliest: Self.now + Int64(id) * 1_000,
                window: 1_000,
                isFixed: false,
                now: Self.now
            )
        }
        var groupsLeft = 4
        let use = ledger.use(from: Self.now, seconds: 60, groupsLeft: &groupsLeft)
        #expect(use.requested.reduce(0, +) == 4 && use.assigned.reduce(0, +) == 10)
        #expect(groupsLeft == 0)
    }

    @Test("the same date is asked for at once, and given over the window")
    func spread() {
        var ledger = ledger()
        let wasUsed = ledger.isUsed
        #expect(!wasUsed)
        for id in 0..<1_000 as Range<UInt32> {
            _ = ledger.assign(
                id,
                earliest: Self.now + 10_000,
                window: 100_000,
                isFixed: false,
                now: Self.now
            )
        }
        let use = looked(at: ledger, from: Self.now, seconds: 120)
        let isUsed = ledger.isUsed
        #expect(isUsed)
        #expect(use.requested.count == 120 && use.assigned.count == 120)
        #expect(use.peakRequested == 1_000 && use.requested[10] == 1_000)
        #expect(use.assigned.reduce(0, +) == 1_000)
        #expect(use.peakAssigned == 10 || use.peakAssigned == 11)
        #expect(use.assigned[..<10].allSatisfy { $0 == 0 })
    }

    @Test("what has reloaded was asked for, also once the ledger is read again")
    func finished() throws {
        var ledger = ledger()
        let slots = (0..<10 as Range<UInt32>).map { id in
            ledger.assign(
                id,
                earliest: Self.now + 5_000,
                window: 20_000,
                isFixed: true,
                now: Self.now
            )
        }
        for slot in slots.prefix(4) { ledger.finish(slot.position, now: Self.now) }
        let use = looked(at: ledger, from: Self.now, seconds: 60)
        #expect(use.requested[5] == 10 && use.assigned.reduce(0, +) == 10)
        let bytes = stored { ledger.write(to: &$0) }
        let read = try restored(bytes) { reader throws(StoreError) in
            try PlainLedger(reading: &reader, hashKey: HashKey(low: 2, high: 0))
        }
        let again = looked(at: read, from: Self.now, seconds: 60)
        #expect(again == use)
    }

    @Test("what is released is neither, and what lies after the range is not reported")
    func cancelled() {
        var ledger = ledger()
        let slots = (0..<10 as Range<UInt32>).map { id in
            ledger.assign(
                id,
                earliest: Self.now + Int64(id) * 60_000,
                window: 1_000,
                isFixed: false,
                now: Self.now
            )
        }
        let near = looked(at: ledger, from: Self.now, seconds: 120)
        let all = looked(at: ledger, from: Self.now, seconds: 600)
        let one = looked(at: ledger, from: Self.now + 60_000, seconds: 1)
        #expect(near.requested.reduce(0, +) == 2)
        #expect(all.requested.reduce(0, +) == 10)
        #expect(one.peakAssigned == 1)
        for slot in slots { _ = ledger.release(slot.position, now: Self.now) }
        let rest = looked(at: ledger, from: Self.now, seconds: 600)
        let isUsed = ledger.isUsed
        #expect(rest == LedgerUse(seconds: 600))
        #expect(!isUsed)
    }
}
