import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("The tools of the store")
struct StoreToolTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    /// Two checkpoints, the second one over a changed record, with journal before, between, behind.
    private func makeStore() throws -> (store: RocksStore, journal: Journal) {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1], [2]], to: store)
        try journal.writeCheckpoint(1, records: [1: "old", 2: "kept"], to: store)
        try journal.append([[3]], to: store)
        try store.rotate(before: 4)
        try journal.writeCheckpoint(2, records: [1: "new"], to: store)
        try journal.append([[4], [5, 5]], to: store)
        try journal.append([[6]], to: store)
        return (store, journal)
    }

    @Test("look at a store that a router uses, and leave no trace in its folder")
    func noTrace() throws {
        let (store, _) = try makeStore()
        // The one before is deleted on another thread.
        while access("\(path)/sealed-1", F_OK) == 0 { sched_yield() }
        let before = TestFolder.contents(path)
        _ = try StoreCheck(path: path)
        _ = try StoreStatistics(path: path)
        _ = try StoreView(path: path + "/").backup(to: folder.path(of: "backup/"))
        try StoreView(path: path).dump { _ in }
        #expect(TestFolder.contents(path) == before)
        #expect(TestFolder.names(folder.path) == ["backup", "store"])
        withExtendedLifetime(store) {}
    }

    @Test("say what is not there, or is no store")
    func noStore() throws {
        #expect(storeError { _ = try StoreCheck(path: path) }?.code == .missing)
        #expect(storeError { _ = try StoreStatistics(path: folder.path) }?.code == .missing)
        #expect(storeError { _ = try StoreView(path: path) }?.code == .missing)
        #expect(storeError { _ = try StoreRepair(path: path) }?.code == .missing)
        try { _ = try RocksDatabase(path: path, access: .readWrite) }()
        #expect(storeError { _ = try StoreCheck(path: path) }?.code == .older)
    }

    @Test("refuse a store of a newer version")
    func newer() throws {
        try { _ = try RocksStore(path: path, createIfMissing: true, version: 5) }()
        #expect(storeError { _ = try StoreCheck(path: path) }?.code == .newer)
        #expect(storeError { _ = try StoreStatistics(path: path) }?.code == .newer)
        #expect(storeError { _ = try StoreRepair(path: path) }?.code == .newer)
    }

    @Test(
        "say that a record of the journal is older or newer, also before the first checkpoint",
        arguments: [(2 as UInt16, StoreErrorCode.older), (JournalRecord.version + 1, .newer)]
    )
    func otherRecord(version: UInt16, code: StoreErrorCode) throws {
        try {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            _ = JournalRecord.end(&writer, from: start, position: 1, parent: 0, version: version)
            let store = try RocksStore(path: path, createIfMissing: true)
            try store.append(writer.bytes, from: 1, isSynced: true)
            #expect(storeError { _ = try replayed(store) }?.code == code)
        }()
        #expect(try StoreCheck(path: path).problems.map(\.code) == [code])
        #expect(storeError { _ = try StoreRepair(path: path) }?.code == code)
        #expect(
            storeError { _ = try StoreView(path: path).backup(to: folder.path(of: "copy")) }?.code
                == code
        )
    }

    // MARK: Check

    @Test("check counts what there is in a whole store")
    func wholeCheck() throws {
        let (store, journal) = try makeStore()
        var changes = TableChanges()
        changes.put(TableKey(type: 1, number: 9, epoch: 3)) { $0.put(0 as UInt8) }
        try store.write(changes)
        try store.seal()
        let check = try StoreCheck(path: path)
        #expect(check.problems == [] && check.isWhole)
        #expect(check.description == store.description)
        #expect(check.manifest?.epoch == 2 && check.manifest?.position == 3)
        #expect(check.tableRecordCount == 6 && check.unsealedRecordCount == 1)
        #expect(check.journalRecordCount == 3 && check.lastPosition == journal.position)
    }

    @Test("check of an empty store finds nothing, and nothing wrong")
    func emptyCheck() throws {
        let store = try RocksStore(path: path, createIfMissing: true)
        let check = try StoreCheck(path: path)
        #expect(check.isWhole && check.manifest == nil && check.lastPosition == 0)
        withExtendedLifetime(store) {}
    }

    @Test("check finds every broken record, and continues after it")
    func brokenCheck() throws {
        try { _ = try makeStore() }()
        try Damage.table(path, TableKey(type: 1, number: 2, epoch: 1)) { $0[0] ^= 1 }
        try Damage.table(path, TableKey(type: 1, number: 1, epoch: 2)) { $0.removeLast() }
        try Damage.journal(path, 4) { $0?[8] ^= 1 }
        let check = try StoreCheck(path: path)
        #expect(check.problems.map(\.code) == [.corrupt, .corrupt, .corrupt, .gap])
        let messages = check.problems.map(\.message)
        #expect(messages[0].contains("1/1/0 of checkpoint 2"))
        #expect(messages[1].contains("1/2/0 of checkpoint 1"))
        #expect(messages[2] == "journal record 4 has a wrong checksum")
        #expect(messages[3].contains("6 follows"))
    }

    @Test("check says nothing of the journal's beginning if the manifest cannot be read")
    func lostManifest() throws {
        try {
            var journal = Journal()
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1], [2]], to: store)
            try store.rotate(before: 3)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
            try store.cut(before: 3)
            try journal.append([[3]], to: store)
        }()
        #expect(try StoreCheck(path: path).isWhole)
        try Damage.table(path, StoreManifest.key(epoch: 1)) { $0[0] ^= 1 }
        let check = try StoreCheck(path: path)
        #expect(check.problems.map(\.code) == [.corrupt] && check.lastPosition == 3)
    }

    @Test("check finds a gap in the journal, and a log that is broken")
    func gapCheck() throws {
        try { _ = try makeStore() }()
        try Damage.journal(path, 4) { $0 = nil }
        let gap = try StoreCheck(path: path)
        #expect(gap.problems.map(\.code) == [.gap] && gap.lastPosition == 6)
        let log = "\(path)/journal/00000000000000000001.log"
        var bytes = TestFolder.read(log)
        bytes[60] ^= 1
        TestFolder.write(bytes, to: log)
        let broken = try StoreCheck(path: path)
        #expect(broken.problems.contains { $0.message.contains("\(log) is damaged at byte 48") })
    }

    // MARK: Statistics

    @Test("statistics count the records after the checkpoint, and the bytes of files")
    func statistics() throws {
        let (store, journal) = try makeStore()
        var statistics = try StoreStatistics(path: path)
        // RocksDB may write to its log, or delete a file, between the two counts.
        for _ in 1...100 where statistics.fileByteCount != store.diskByteCount {
            statistics = try StoreStatistics(path: path)
        }
        #expect(statistics.description == store.description)
        #expect(statistics.manifest == journal.manifest(2).at(3, of: journal, statistics))
        #expect(statistics.segments == [1, 4])
        #expect(statistics.journalRecordCount == 3)
        #expect(statistics.journalByteCount == 3 * JournalRecord.headerByteCount + 4)
        #expect(statistics.lastPosition == 6)
        #expect(statistics.tableFileByteCount > 0 && statistics.journalFileByteCount > 100)
        #expect(statistics.fileByteCount == store.diskByteCount)
        #expect(statistics.tableRecordEstimate == 5)
    }

    // MARK: Dump

    @Test("dump returns everything in order, broken records as problems")
    func dump() throws {
        let description = try { try makeStore().store.description }()
        try Damage.table(path, TableKey(type: 1, number: 2, epoch: 1)) { $0[9] ^= 1 }
        var lines: [String] = []
        try StoreView(path: path).dump { item in
            switch item {
            case .description(let found):
                lines.append(found == description ? "facts" : "other facts")
            case .tableRecord(let key, let body): lines.append("\(key): \(body.count)")
            case .journalRecord(let record):
                lines.append("\(record.position): \(record.body.array)")
            case .problem(let error): lines.append(error.code.rawValue)
            }
        }
        #expect(
            lines == [
                "facts", "0/0/0 of checkpoint 2: 20", "0/0/0 of checkpoint 1: 20",
                "1/1/0 of checkpoint 2: 4", "1/1/0 of checkpoint 1: 4", "store-corrupt",
                "1: [1]", "2: [2]", "3: [3]", "4: [4]", "5: [5, 5]", "6: [6]",
            ]
        )
        // What the receiver throws ends it.
        let stop = StoreError(.io, message: "the pipe is closed")
        var count = 0
        let error = storeError {
            try StoreView(path: path).dump { _ throws(StoreError) in
                count += 1
                if count == 3 { throw stop }
            }
        }
        #expect(error == stop && count == 3)
    }

    @Test("dump returns no more than it is asked for")
    func selectedDump() throws {
        try { _ = try makeStore() }()
        func positions(_ selection: DumpSelection) throws -> (table: Int, journal: [UInt64]) {
            var found: (table: Int, journal: [UInt64]) = (0, [])
            try StoreView(path: path).dump(selection) { item in
                switch item {
                case .tableRecord: found.table += 1
                case .journalRecord(let record): found.journal.append(record.position)
                case .description, .problem: break
                }
            }
            return found
        }
        var selection = DumpSelection()
        selection.firstPosition = 5
        #expect(try positions(selection) == (5, [5, 6]))
        selection.hasTable = false
        #expect(try positions(selection) == (0, [5, 6]))
        selection.hasTable = true
        selection.hasJournal = false
        #expect(try positions(selection) == (5, []))
    }

    @Test("dump continues with the journal when the table cannot be read to its end")
    func brokenDump() throws {
        try { _ = try makeStore() }()
        let file = try Damage.tableFile(path)
        var bytes = TestFolder.read(file)
        bytes[30] ^= 1
        TestFolder.write(bytes, to: file)
        var problems = 0
        var records = 0
        try StoreView(path: path).dump { item in
            if case .problem = item { problems += 1 }
            if case .journalRecord = item { records += 1 }
        }
        #expect(problems == 1 && records == 6)
    }
}

extension StoreManifest {
    /// The same at an earlier position, the checksum of which is that of the store.
    fileprivate func at(
        _ position: UInt64,
        of journal: Journal,
        _ statistics: StoreStatistics
    ) -> StoreManifest {
        let checksum = statistics.manifest.checksum
        return StoreManifest(epoch: epoch, position: position, checksum: checksum, version: 1)
    }
}
