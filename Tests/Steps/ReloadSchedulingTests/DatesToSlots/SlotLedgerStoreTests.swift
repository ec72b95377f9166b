import Basics
import StoreFormat
import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("A slot ledger that is read from its bytes")
struct SlotLedgerStoreTests {
    @Test(
        "answers all later calls as the written one does",
        arguments: 1...32 as ClosedRange<UInt64>
    )
    func behaviour(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var replicas = SlotLedgerReplicas(
            seed: seed,
            perSecond: seed % 3 == 0 ? nil : 1 + random.below(seed % 3 == 1 ? 4 : 40),
            undelayed: random.below(6),
            now: random.pick([0, 3_000, 1_700_000_000_000])
        )
        for step in 0..<2_000 {
            replicas.step()
            if random.below(60) == 0 { try replicas.read() }
            if random.below(20) == 0 { replicas.compareBytes() }
            let faults = replicas.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }

    @Test(
        "answers as the written one does if it has a share of a rate, and lends and borrows",
        arguments: 1...16 as ClosedRange<UInt64>,
        [2, 3, 8, 64]
    )
    func shares(seed: UInt64, count: Int) throws {
        var random = SeededGenerator(seed: seed)
        var replicas = SlotLedgerReplicas(
            seed: seed,
            perSecond: 1 + random.below(random.pick([2, 10, 200])),
            undelayed: random.below(6),
            for: Partition(PartitionID(index: random.below(count)), of: count),
            now: random.pick([0, 3_000, 1_700_000_000_000])
        )
        for step in 0..<600 {
            replicas.step()
            if random.below(40) == 0 { try replicas.read() }
            if random.below(20) == 0 { replicas.compareBytes() }
            try replicas.first.checkInvariants()
            let faults = replicas.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }

    @Test("is met in every state that a ledger can be in")
    func kinds() {
        var kinds: Set<SlotLedgerKind> = []
        for seed in 1...10 as ClosedRange<UInt64> {
            var replicas = SlotLedgerReplicas(
                seed: seed,
                perSecond: 1 + Int(seed) % 4,
                undelayed: Int(seed) % 3,
                now: 3_000
            )
            for _ in 0..<400 {
                replicas.step()
                kinds.formUnion(replicas.first.kinds)
            }
        }
        let missing = Set(SlotLedgerKind.allCases).subtracting(kinds)
        #expect(missing.isEmpty)
    }

    @Test("continues without groups where the written one had too many")
    func withoutGroups() throws {
        var replicas = SlotLedgerReplicas(seed: 1, perSecond: 200, undelayed: 2, now: 0)
        for date in 0..<Int64(PlainLedger.groupLimit) + 2_000 {
            if date == Int64(PlainLedger.groupLimit) + 1_000 { try replicas.read() }
            replicas.takeOne(earliest: 10_000 + date * 7, window: 500, isFixed: false)
        }
        for _ in 0..<200 { replicas.step() }
        replicas.compareBytes()
        let faults = replicas.faults
        #expect(faults.isEmpty)
    }

    @Test("keeps the places of a long array, row by row, in all its segments")
    func longArrays() throws {
        var replicas = SlotLedgerReplicas(seed: 2, perSecond: 40, undelayed: 3, now: 0)
        for id in 0..<6_000 {
            let window: Int64 = id % 5 == 0 ? 7_000 : 60_000
            replicas.takeOne(earliest: 3_600_250, window: window, isFixed: id % 9 == 0)
            if id % 700 == 0 { try replicas.read() }
        }
        for _ in 0..<400 { replicas.step() }
        try replicas.read()
        let faults = replicas.faults
        #expect(faults.isEmpty)
    }

    @Test("gives each member its place, and that to no other")
    func seats() throws {
        var ledger = PlainLedger(perSecond: 3, undelayed: 0)
        let slot = ledger.assign(7, earliest: 5_000, window: 3_000, isFixed: true, now: 0)
        let other = ledger.assignUniform(8, earliest: 9_000, window: 1_000, hash: 1)
        var copy = try SlotLedgerReplicas.read(stored { ledger.write(to: &$0) })
        var (beside, elsewhere, earlier) = (slot.position, slot.position, slot.position)
        beside.index += 1
        elsewhere.group += 1
        earlier.group |= 1 << 18
        for position in [beside, elsewhere, earlier, .none, SlotPosition(second: 8)] {
            let isSeated = copy.nameMember(7, isFixed: true, at: position)
            #expect(!isSeated, "\(position)")
        }
        let isID = copy.nameMember(SlotEntry.idLimit, isFixed: false, at: slot.position)
        #expect(!isID)
        var missing = copy.unnamedCount
        #expect(missing == 1)
        let isSeated = copy.nameMember(7, isFixed: true, at: slot.position)
        let isSeatedTwice = copy.nameMember(8, isFixed: true, at: slot.position)
        let isSeatedWithoutGroup = copy.nameMember(8, isFixed: false, at: other.position)
        #expect(isSeated && !isSeatedTwice && isSeatedWithoutGroup)
        missing = copy.unnamedCount
        #expect(missing == 0)
    }

    @Test("is refused if it has places after the last one")
    func placesBehindTheEnd() {
        var ledger = PlainLedger(perSecond: 3, undelayed: 0)
        _ = ledger.assign(7, earliest: 5_000, window: 3_000, isFixed: true, now: 0)
        let bytes = stored { ledger.write(to: &$0) }
        for bit in 2..<8 {
            var damaged = bytes
            damaged[bytes.count - 1] |= 1 << UInt8(bit)
            #expect(throws: StoreError.self, "bit \(bit)") {
                _ = try SlotLedgerReplicas.read(damaged)
            }
        }
    }
}
