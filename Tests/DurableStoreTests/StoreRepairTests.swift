import ByteStorage
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("Repairing a store")
struct StoreRepairTests {
    let folder = TestFolder()
    private var path: String { folder.place("store") }

    /// Two checkpoints, behind records 2 and 4 of 6.
    private func makeStore() throws -> Journal {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        for epoch in 1...2 as ClosedRange<UInt32> {
            try journal.append([[1]], to: store)
            try journal.append([[2]], to: store)
            try journal.writeCheckpoint(epoch, records: [epoch: "of \(epoch)"], to: store)
        }
        try journal.append([[5]], to: store)
        try journal.append([[6]], to: store)
        return journal
    }

    /// Repairs it, as planned.
    private func repaired() throws -> StoreRepair {
        let plan = try StoreRepair.plan(path: path)
        #expect(TestFolder.names(folder.path) == ["store"], "a plan changes nothing")
        let repair = try StoreRepair(path: path)
        #expect(plan.kept == repair.kept && plan.losses == repair.losses)
        return repair
    }

    private func expectWhole(_ repair: StoreRepair) throws {
        let check = try StoreCheck(path: path)
        #expect(check.problems == [] && check.lastPosition == repair.kept.lastPosition)
        #expect(TestFolder.names(folder.path) == ["store", "store.damaged-1"])
        #expect(repair.damagedPath == folder.place("store.damaged-1"))
        // The router can go on with it.
        let store = try RocksStore(path: path, createIfMissing: false)
        try [0].withByteView { view throws(StoreError) in
            try store.append(view, from: repair.kept.lastPosition + 1, isSynced: true)
        }
    }

    @Test("keeps everything of a store that is whole")
    func whole() throws {
        _ = try makeStore()
        let repair = try repaired()
        #expect(repair.losses == [] && repair.kept.lastPosition == 6)
        #expect(repair.kept.manifest.epoch == 2 && repair.kept.tableRecordCount == 3)
        try expectWhole(repair)
    }

    @Test("keeps the journal up to a broken record, and says which one that is")
    func brokenJournal() throws {
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 2 && repair.kept.lastPosition == 5)
        #expect(repair.losses.count == 1 && repair.losses[0].message.contains("journal record 6"))
        try expectWhole(repair)
    }

    @Test("keeps the journal up to a gap")
    func gap() throws {
        _ = try makeStore()
        try Damage.journal(path, 5) { $0 = nil }
        let repair = try repaired()
        #expect(repair.kept.lastPosition == 4 && repair.losses.map(\.code) == [.gap])
        try expectWhole(repair)
    }

    @Test("goes back to the checkpoint before, with all of the journal, if the newest is broken")
    func brokenCheckpoint() throws {
        _ = try makeStore()
        try Damage.table(path, TableKey(type: 1, number: 2, epoch: 2)) { $0[12] ^= 1 }
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 1 && repair.kept.lastPosition == 6)
        #expect(
            repair.losses.count == 1 && repair.losses[0].message.contains("1/2/0 of checkpoint 2")
        )
        try expectWhole(repair)
    }

    @Test("begins with the journal's first record if no checkpoint is whole")
    func noCheckpoint() throws {
        _ = try makeStore()
        try Damage.table(path, TableKey(type: 1, number: 1, epoch: 1)) { $0[12] ^= 1 }
        let repair = try repaired()
        #expect(repair.kept.manifest == .none && repair.kept.lastPosition == 6)
        #expect(repair.kept.tableRecordCount == 0 && repair.losses.count == 2)
        try expectWhole(repair)
    }

    @Test("changes nothing if nothing is whole")
    func nothing() throws {
        _ = try makeStore()
        try Damage.table(path, TableKey(type: 1, number: 1, epoch: 1)) { $0[12] ^= 1 }
        try Damage.journal(path, 1) { $0?[32] ^= 1 }
        let error = storeError { _ = try StoreRepair(path: path) }
        #expect(error?.code == .corrupt)
        #expect(TestFolder.names(folder.path) == ["store"])
    }

    @Test("keeps what lies before a break of RocksDB's own log")
    func brokenLog() throws {
        var generator = SeededGenerator(seed: 2)
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            for _ in 0..<5 { try journal.append([generator.bytes(100)], to: store) }
        }
        let log = try #require(
            TestFolder.names(path).filter { $0.hasSuffix(".log") }
                .first { TestFolder.size("\(path)/\($0)") > 500 }
        )
        var bytes = TestFolder.read("\(path)/\(log)")
        bytes[bytes.count / 2] ^= 1
        TestFolder.write(bytes, to: "\(path)/\(log)")
        #expect(
            storeError { _ = try RocksStore(path: path, createIfMissing: false) }?.code == .corrupt
        )
        let repair = try repaired()
        #expect(repair.kept.lastPosition == 2 && !repair.losses.isEmpty)
        try expectWhole(repair)
    }

    @Test("refuses a store that a router uses")
    func locked() throws {
        let store = try RocksStore(path: path, createIfMissing: true)
        #expect(storeError { _ = try StoreRepair(path: path) }?.code == .locked)
        #expect(storeError { _ = try StoreRepair.plan(path: path) }?.code == .locked)
        withExtendedLifetime(store) {}
    }
}
