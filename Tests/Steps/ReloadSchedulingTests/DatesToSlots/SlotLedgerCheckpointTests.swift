import TestSupport
import Testing

/// A checkpoint takes some thousand calls to be written, and none of them may be seen in it.
@Suite("The checkpoint of a slot ledger")
struct SlotLedgerCheckpointTests {
    @Test(
        "is the ledger as it was when it began, whatever is called meanwhile",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func image(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var replicas = SlotLedgerReplicas(
            seed: seed,
            perSecond: seed % 3 == 0 ? nil : 1 + random.below(30),
            undelayed: random.below(6),
            now: random.pick([0, 3_000, 1_700_000_000_000])
        )
        var begun = 0
        for step in 0..<3_000 {
            replicas.step()
            if !replicas.isCheckpointing && random.below(30) == 0 {
                replicas.beginCheckpoint()
                begun += 1
            }
            if random.below(300) == 0 { replicas.abandonCheckpoint() }
            for _ in 0..<random.below(random.pick([2, 2, 2, 20])) { replicas.continueCheckpoint() }
            let faults = replicas.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
        #expect(begun > 10, "seed \(seed) says little")
    }

    @Test(
        "has a long group as it was, changed before, while or after it is written",
        arguments: 0...8
    )
    func longGroup(piecesBefore: Int) {
        var replicas = SlotLedgerReplicas(seed: 1, perSecond: nil, undelayed: 2, now: 0)
        for id in 0..<70_001 {
            replicas.takeOne(earliest: 3_600_000, window: 60_000, isFixed: id % 9 == 0)
        }
        replicas.beginCheckpoint()
        for _ in 0..<piecesBefore { replicas.continueCheckpoint() }
        for position in 0..<40 { replicas.release(position * 1_700) }
        for _ in 0..<100 { replicas.takeOne(earliest: 3_600_000, window: 60_000, isFixed: false) }
        while replicas.isCheckpointing { replicas.continueCheckpoint() }
        let faults = replicas.faults
        #expect(faults.isEmpty)
    }
}
