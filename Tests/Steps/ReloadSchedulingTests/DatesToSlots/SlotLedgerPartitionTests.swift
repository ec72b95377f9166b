import Basics
import TestSupport
import Testing

@testable import ReloadScheduling

/// An origin whose devices are in several partitions, each of which has a ledger for it.
@Suite("The ledgers of an origin's partitions")
struct SlotLedgerPartitionTests {
    @Test(
        "never let more happen in a second than the rate, whatever is asked of them",
        arguments: 1...24 as ClosedRange<UInt64>,
        [2, 3, 8]
    )
    func rate(seed: UInt64, count: Int) throws {
        var random = SeededGenerator(seed: seed)
        let ledgers = PartitionedLedgers(
            count: count,
            perSecond: 1 + random.below(random.pick([1, 4, 12, 100])),
            undelayed: random.below(6),
            seed: seed,
            now: random.pick([0, 3_000, 1_700_000_000_000])
        )
        for step in 0..<1_500 {
            ledgers.step()
            if step % 20 > 0 { continue }
            try ledgers.check()
            #expect(ledgers.faults.isEmpty, "seed \(seed), step \(step)")
            if !ledgers.faults.isEmpty { return }
        }
        #expect(ledgers.lentCount > 2, "seed \(seed) says little")
    }

    /// A date for many devices, each in the partition that its name says.
    private func planned(
        devices: Int,
        window: Int64,
        count: Int,
        perSecond: Int?
    ) -> [Int64: Int] {
        let map = PartitionMap(count: count, seed: DecisionSeed(7))
        let ledgers = PartitionedLedgers(count: count, perSecond: perSecond, seed: 1)
        for number in 0..<devices {
            let partition = Array("game".utf8).withByteView { app in
                Array("device-\(number)".utf8).withByteView { map.partition(app: app, device: $0) }
            }
            ledgers.assign(in: partition.index, earliest: 3_600_250, window: window * 1_000)
        }
        return ledgers.planned
    }

    @Test(
        "load a date's busiest second with the mean, rounded up, and one for each of them at most",
        arguments: [2, 3, 8],
        [nil, 2_000, 120, 90, 50, 12, 3, 1] as [Int?]
    )
    func busiestSecond(count: Int, perSecond: Int?) {
        let (devices, window) = (20_000, 240 as Int64)
        let planned = planned(
            devices: devices,
            window: window,
            count: count,
            perSecond: perSecond
        )
        let mean = (devices + Int(window) - 1) / Int(window)
        let busiest = planned.values.max() ?? 0
        #expect(planned.values.reduce(0, +) == devices)
        #expect(busiest <= mean + count)
        #expect(busiest <= perSecond ?? .max)
        if let perSecond, perSecond < mean {
            // The window is too short: none of its seconds is left empty, and it grows about as one
            // ledger's does.
            let alone = self.planned(
                devices: devices,
                window: window,
                count: 1,
                perSecond: perSecond
            )
            let end = 3_600 + Int64(devices / perSecond) * 11 / 10
            func late(_ counts: [Int64: Int]) -> Int {
                counts.filter { $0.key > end }.values.reduce(0, +)
            }
            #expect(late(planned) <= late(alone) + devices / 50)
            #expect((3_601..<3_840).allSatisfy { planned[$0] == perSecond })
        }
    }

    @Test("give each partition every eighth second of a rate of one, and lose none")
    func rateOfOne() {
        let planned = planned(devices: 100, window: 8_000, count: 8, perSecond: 1)
        #expect(planned.count == 100 && planned.values.allSatisfy { $0 == 1 })
        #expect(planned.keys.allSatisfy { (3_600...11_601).contains($0) })
    }

    @Test("let a partition without a share of this second send what another one lends")
    func lending() {
        var lender = PlainLedger(
            perSecond: 1,
            undelayed: 1,
            for: Partition(PartitionID(index: 0), of: 2)
        )
        var borrower = PlainLedger(
            perSecond: 1,
            undelayed: 1,
            for: Partition(PartitionID(index: 1), of: 2)
        )
        #expect(lender.permits(at: 4_000) == 1 && borrower.permits(at: 4_000) == 0)
        #expect(borrower.nextPermit(after: 4_000) == 5_000)
        lender.lend(1, at: 4_000)
        borrower.borrow(1, at: 4_100)
        #expect(lender.permits(at: 4_000) == 0 && borrower.permits(at: 4_100) == 1)
        #expect(borrower.nextPermit(after: 4_100) == 4_101)
        borrower.spend(1, at: 4_200)
        let isOverdrawn = borrower.isOverdrawn(at: 4_999)
        #expect(borrower.permits(at: 4_999) == 0 && !isOverdrawn)
        // It was lent for that second: it is no debt, and nothing is left of it.
        #expect(borrower.permits(at: 5_000) == 1 && lender.permits(at: 5_000) == 0)
        #expect(lender.permits(at: 6_000) == 1)
    }

    @Test("forget what was borrowed and not spent, with the second")
    func unspent() {
        var borrower = PlainLedger(
            perSecond: 3,
            undelayed: 3,
            for: Partition(PartitionID(index: 1), of: 2)
        )
        // It has two permits in odd seconds, and one in even ones.
        borrower.borrow(5, at: 1_000)
        #expect(borrower.permits(at: 1_000) == 7)
        #expect(borrower.permits(at: 2_000) == 1)
        borrower.spend(0, at: 2_000)
        #expect(borrower.permits(at: 2_000) == 1)
        // What comes later pays what was sent too early.
        borrower.spend(5, at: 3_000)
        let before = borrower.isOverdrawn(at: 3_000)
        borrower.borrow(2, at: 3_000)
        let after = borrower.isOverdrawn(at: 3_000)
        #expect(before && after, "three are a debt, and then one")
        #expect(borrower.permits(at: 4_000) == 0)
        #expect(borrower.permits(at: 5_000) == 2)
    }
}
