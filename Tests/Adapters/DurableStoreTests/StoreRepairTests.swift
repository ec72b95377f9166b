import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("Repairing a store")
struct StoreRepairTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

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
        let before = try StoreCheck(path: path)
        let repair = try StoreRepair(path: path)
        #expect(repair.isWhole == (repair.losses.isEmpty && before.isWhole))
        #expect(try StoreCheck(path: path).problems == before.problems, "a plan changes nothing")
        var tried: [String] = []
        let damagedPath = try repair.apply { path throws(StoreError) in
            tried.append(path)
            #expect(try StoreCheck(path: path).lastPosition == repair.kept.lastPosition)
        }
        #expect(tried == [folder.path(of: "store.repaired")])
        #expect(damagedPath == folder.path(of: "store.damaged-1"))
        return repair
    }

    private func expectWhole(_ repair: consuming StoreRepair) throws {
        let check = try StoreCheck(path: path)
        #expect(check.problems == [] && check.lastPosition == repair.kept.lastPosition)
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
        #expect(repair.losses == [] && repair.isWhole && repair.kept.lastPosition == 6)
        #expect(repair.lostPositions == nil)
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
        #expect(repair.lostPositions == 6...6)
        try expectWhole(repair)
    }

    @Test("keeps the journal up to a gap")
    func gap() throws {
        _ = try makeStore()
        try Damage.journal(path, 5) { $0 = nil }
        let repair = try repaired()
        #expect(repair.kept.lastPosition == 4 && repair.losses.map(\.code) == [.gap])
        #expect(repair.lostPositions == 5...6)
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

    @Test("begins with the journal's first record if no checkpoint is complete")
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
        #expect(
            error?.message.contains("nothing can be recovered from \(path): restore a backup")
                == true
        )
        #expect(TestFolder.names(folder.path) == ["store"])
    }

    @Test("keeps what lies before a break of a file of the journal")
    func brokenLog() throws {
        var generator = SeededGenerator(seed: 2)
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            for _ in 0..<5 { try journal.append([generator.bytes(100)], to: store) }
        }
        let log = try Damage.newestSegment(path)
        var bytes = TestFolder.read(log)
        bytes[bytes.count / 2] ^= 1
        TestFolder.write(bytes, to: log)
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
        withExtendedLifetime(store) {}
    }

    @Test(
        "keeps what lies before a break wherever the log is broken, and tools name the byte",
        arguments: [1, 70_000]
    )
    func brokenAnywhere(byteCount: Int) throws {
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1], [2]], to: store)
            try store.rotate(before: 3)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
        }
        let store = try RocksStore(path: path, createIfMissing: false)
        let log = try Damage.newestSegment(path)
        // Where the records begin in the log.
        var places: [Int] = []
        var generator = SeededGenerator(seed: 5)
        for _ in 3...7 {
            places.append(TestFolder.size(log))
            try journal.append([generator.bytes(byteCount)], to: store)
        }
        store.close()
        let bytes = TestFolder.read(log)
        let whole = folder.path(of: "whole")
        TestFolder.copyTree(path, to: whole)
        var kept: Set<UInt64> = []
        for index in 0..<80 {
            // In every record but the last, which would count as torn.
            let record = index % 4
            let length = places[record + 1] - places[record]
            let position = places[record] + (index < 4 ? 6 : generator.below(length))
            TestFolder.deleteTree(path)
            TestFolder.copyTree(whole, to: path)
            var broken = bytes
            broken[position] ^= 1 << UInt8(index % 8)
            TestFolder.write(broken, to: log)
            let check = try StoreCheck(path: path)
            let sentence = "\(log) is damaged at byte \(places[record]);"
            #expect(
                check.problems.contains { $0.message.contains(sentence) },
                "byte \(position): \(check.problems)"
            )
            let repair = try StoreRepair(path: path)
            kept.insert(repair.kept.lastPosition)
            #expect(repair.kept.manifest.epoch == 1)
            #expect(repair.kept.lastPosition == UInt64(record + 2), "byte \(position)")
            #expect(repair.losses.first?.message.contains(sentence) == true)
        }
        #expect(kept == [2, 3, 4, 5] && TestFolder.names(folder.path) == ["store", "whole"])
    }

    @Test(
        "begins with the journal's first record if a file of the table is missing or damaged",
        arguments: [".sst"],
        [true, false]
    )
    func lostTable(kind: String, isMissing: Bool) throws {
        _ = try makeStore()
        try damageTable(kind, isMissing)
        let check = try StoreCheck(path: path)
        #expect(check.problems.first?.message.contains(kind) == true)
        let repair = try repaired()
        #expect(repair.kept.manifest == .none && repair.kept.lastPosition == 6)
        #expect(repair.losses.map(\.code) == [.corrupt] && repair.lostPositions == nil)
        try expectWhole(repair)
    }

    @Test(
        "keeps everything if only the lists of the table's files are missing or damaged",
        arguments: ["MANIFEST-", "CURRENT", "OPTIONS-"],
        [true, false]
    )
    func unlistedTable(kind: String, isMissing: Bool) throws {
        _ = try makeStore()
        let before = try { try scanned(RocksStore(path: path, createIfMissing: false)) }()
        try damageTable(kind, isMissing)
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 2 && repair.kept.lastPosition == 6)
        #expect(repair.losses == [] && repair.lostPositions == nil && !repair.isWhole)
        #expect(repair.salvaged.map(\.code) == [.corrupt])
        #expect(repair.salvaged[0].message.contains(kind))
        try expectWhole(repair)
        let after = try { try scanned(RocksStore(path: path, createIfMissing: false)) }()
        #expect(after == before)
        #expect(Set(TestFolder.names(folder.path)) == ["store", "store.damaged-1"])
    }

    @Test(
        "keeps everything if STORE or CONTENTS, or both, are missing or damaged",
        arguments: [["STORE"], ["CONTENTS"], ["STORE", "CONTENTS"]],
        [true, false]
    )
    func unlistedStore(names: [String], isMissing: Bool) throws {
        _ = try makeStore()
        let description = try { try StoreView(path: path).description }()
        for name in names {
            if isMissing {
                unlink("\(path)/\(name)")
            } else {
                var bytes = TestFolder.read("\(path)/\(name)")
                bytes[bytes.count / 2] ^= 1
                TestFolder.write(bytes, to: "\(path)/\(name)")
            }
        }
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 2 && repair.kept.lastPosition == 6)
        #expect(repair.losses == [] && repair.salvaged.count == names.count && !repair.isWhole)
        try expectWhole(repair)
        #expect(try StoreView(path: path).description == description)
    }

    @Test("begins with the table that was sealed last if CONTENTS is damaged")
    func rebuiltContents() throws {
        var journal = try makeStore()
        try {
            let store = try RocksStore(path: path, createIfMissing: false)
            try store.rotate(before: 7)
            try journal.append([[7]], to: store)
            try journal.writeCheckpoint(3, records: [3: "three"], to: store)
            try store.cut(before: 7)
            try journal.append([[8]], to: store)
        }()
        unlink("\(path)/CONTENTS")
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 3 && repair.kept.lastPosition == 8)
        try expectWhole(repair)
    }

    @Test("restores nothing if STORE and its copy are damaged")
    func noDescription() throws {
        _ = try makeStore()
        for name in ["STORE", "STORE.copy"] { TestFolder.write([1], to: "\(path)/\(name)") }
        let error = storeError { _ = try StoreRepair(path: path) }
        #expect(
            error?.code == .corrupt && error?.message.contains("nothing can be recovered") == true
        )
    }

    @Test("does the same in a dry run, and leaves everything as it is")
    func dryRun() throws {
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        let before = TestFolder.contents(path)
        let repair = try StoreRepair(path: path)
        var kept: UInt64 = 0
        let place = try repair.apply(isDryRun: true) { path throws(StoreError) in
            kept = try StoreCheck(path: path).lastPosition
        }
        #expect(place == path && kept == repair.kept.lastPosition && kept == 5)
        #expect(TestFolder.names(folder.path) == ["store"] && TestFolder.contents(path) == before)
    }

    @Test("knows every record that it leaves out, also after the damage")
    func lostRecords() throws {
        var journal = Journal()
        let log: String
        var place = 0
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            log = try Damage.newestSegment(path)
            for number in 1...16 as ClosedRange<UInt8> {
                if number == 7 { place = TestFolder.size(log) }
                try journal.append([[number]], to: store)
            }
        }
        var bytes = TestFolder.read(log)
        bytes[place + JournalGroup.headerByteCount + 2] ^= 1
        TestFolder.write(bytes, to: log)
        let repair = try StoreRepair(path: path)
        #expect(repair.kept.lastPosition == 6 && repair.lostPositions == 7...16)
        var readable: [UInt64] = []
        try repair.forEachLostRecord { readable.append($0.position) }
        #expect(readable == Array(8...16))
    }

    private func damageTable(_ kind: String, _ isMissing: Bool) throws {
        let file = try Damage.tableFile(path, kind)
        if isMissing {
            unlink(file)
        } else {
            var bytes = TestFolder.read(file)
            bytes[bytes.count / 2] ^= 1
            TestFolder.write(bytes, to: file)
        }
    }

    @Test(
        "says that nothing can be kept if a file of the table and the journal's beginning are lost",
        arguments: [".sst"],
        [true, false]
    )
    func lostTableAndJournal(kind: String, isMissing: Bool) throws {
        var journal = try makeStore()
        try {
            let store = try RocksStore(path: path, createIfMissing: false)
            try store.rotate(before: 7)
            try journal.append([[7]], to: store)
            try journal.writeCheckpoint(3, records: [:], to: store)
            try store.cut(before: 7)
        }()
        try damageTable(kind, isMissing)
        let before = TestFolder.contents(path)
        let error = try #require(storeError { _ = try StoreRepair(path: path) })
        #expect(error.code == .corrupt && error.message.contains(kind))
        #expect(error.message.contains("nothing can be recovered from \(path)"))
        let check = try StoreCheck(path: path)
        #expect(check.problems.map(\.code) == [.corrupt])
        #expect(check.problems[0].message.contains(kind))
        let opening = storeError { _ = try RocksStore(path: path, createIfMissing: true) }
        #expect(opening?.code == .corrupt && opening?.message.contains(kind) == true)
        #expect(TestFolder.contents(path) == before)
    }

    @Test("keeps everything if two files of the journal were exchanged")
    func exchangedFiles() throws {
        var journal = try makeStore()
        try {
            let store = try RocksStore(path: path, createIfMissing: false)
            try store.rotate(before: 7)
            try journal.append([[7]], to: store)
        }()
        let names = TestFolder.names("\(path)/journal").map { "\(path)/journal/\($0)" }
        let bytes = names.map(TestFolder.read)
        TestFolder.write(bytes[1], to: names[0])
        TestFolder.write(bytes[0], to: names[1])
        let before = TestFolder.contents(path)
        let error = storeError { _ = try RocksStore(path: path, createIfMissing: false) }
        #expect(error?.code == .corrupt && error?.message.contains(names[0]) == true)
        #expect(TestFolder.contents(path) == before)
        let repair = try repaired()
        #expect(repair.kept.manifest.epoch == 2 && repair.kept.lastPosition == 7)
        #expect(repair.losses.map(\.code) == [.corrupt, .corrupt] && repair.lostPositions == nil)
        try expectWhole(repair)
    }

    @Test("changes nothing if no router can be made of what is kept")
    func failingTrial() throws {
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        let names = TestFolder.contents(path)
        let refusal = StoreError(.corrupt, message: "no router")
        let error = storeError {
            _ = try StoreRepair(path: path).apply { _ throws(StoreError) in throw refusal }
        }
        #expect(error == refusal)
        #expect(TestFolder.names(folder.path) == ["store"] && TestFolder.contents(path) == names)
    }

    @Test("replaces the folder that a link leads to, and not the link")
    func link() throws {
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        symlink("store", folder.path(of: "link"))
        let repair = try StoreRepair(path: folder.path(of: "link"))
        #expect(try repair.apply { _ in } == folder.path(of: "store.damaged-1"))
        #expect(try StoreCheck(path: folder.path(of: "link")).isWhole)
        #expect(TestFolder.names(folder.path) == ["link", "store", "store.damaged-1"])
    }

    @Test("refuses a mount point before it copies anything", .enabled(if: geteuid() == 0))
    func mountPoint() throws {
        let disk = try SmallDisk(path, megabytes: 8)
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        let repair = try StoreRepair(path: path)
        let error = storeError { _ = try repair.apply { _ in } }
        #expect(error?.code == .unusable)
        #expect(
            error?.message == "\(path) is a mount point and cannot be replaced: back up, "
                + "repair the backup, copy it back"
        )
        #expect(TestFolder.names(folder.path) == ["store"])
        withExtendedLifetime(disk) {}
    }

    @Test("leaves the store with whom it belongs to", .enabled(if: geteuid() == 0))
    func owner() throws {
        _ = try makeStore()
        try Damage.journal(path, 6) { $0?[32] ^= 1 }
        TestFolder.giveAway(path, to: 65_534, 65_533)
        _ = try StoreRepair(path: path).apply { _ in }
        TestFolder.expect(path, ownedBy: 65_534, 65_533)
    }
}
