import DataStructures
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Stores of format 1, as the version before left one when it was killed.
@Suite("A store of format 1")
struct StoreMigrationTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    /// What a store holds: the newest checkpoint, and the journal behind it.
    private struct Holding: Equatable {
        var identifier = ""
        var seed: UInt64 = 0
        var manifest = StoreManifest.none
        var table: [TableKey: [UInt8]] = [:]
        var journal: [[UInt8]] = []
    }

    private func unpack(to folder: String? = nil) throws {
        let archive =
            #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            + "/IntegrationTests/fixtures/old_store.tar.gz"
        let target = folder ?? self.folder.path
        try #require(system("tar -xzf '/\(archive)' -C '\(target)'") == 0)
    }

    private func holding(_ path: String) throws -> Holding {
        let view = try StoreView(path: path)
        var holding = Holding(
            identifier: "\(view.description.identifier)",
            seed: view.description.decisionSeed.rawValue
        )
        holding.manifest = try view.manifests().first ?? .none
        try view.readCheckpoint(holding.manifest.epoch) { key, value throws(StoreError) in
            holding.table[key] = value.array
        }
        var chain = JournalChain(after: holding.manifest)
        try view.replay(from: chain.next) { group throws(StoreError) in
            try chain.follow(group) { holding.journal.append($0.body.array) }
        }
        return holding
    }

    @Test("is migrated when it is opened, and loses nothing by it")
    func migration() throws {
        try unpack()
        let before = try holding(path)
        #expect(before.manifest.epoch > 0 && before.table.count > 3 && before.journal.count > 10)
        let old = TestFolder.contents(path)
        let store = try RocksStore(path: path, createIfMissing: false)
        #expect(store.description.version == StoreDescription.currentVersion)
        #expect(try holding(path) == before)
        // Nothing of the old store is gone before the first change.
        for (name, bytes) in old {
            let index = name == "CURRENT" ? "migrating/CURRENT" : name
            #expect(TestFolder.read("\(path)/\(index)") == bytes)
        }
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        let last = try StoreStatistics(path: path).lastPosition
        _ = JournalRecord.end(&writer, from: start, position: last + 1, parent: 0)
        try store.append(writer.bytes, from: last + 1, isSynced: true)
        #expect(
            TestFolder.names(path)
                == [
                    "A-NEWER-FORMAT", "CONTENTS", "STORE", "STORE.copy", "journal", "sealed-1",
                    "table",
                ]
        )
    }

    @Test("can be read by the tools, which change nothing")
    func tools() throws {
        try unpack()
        let (before, old) = (try holding(path), TestFolder.contents(path))
        let check = try StoreCheck(path: path)
        #expect(check.isWhole && check.description?.version == 1)
        #expect(try StoreStatistics(path: path).lastPosition == check.lastPosition)
        _ = try StoreView(path: path).backup(to: folder.path(of: "copy"))
        try StoreView(path: path).dump { _ in }
        #expect(try holding(folder.path(of: "copy")) == before)
        #expect(TestFolder.contents(path) == old)
    }

    @Test("is migrated once more if that was interrupted, at whichever step", arguments: 0..<9)
    func interrupted(step: Int) throws {
        try unpack()
        let before = try holding(path)
        let other = folder.path(of: "other")
        mkdir(other, 0o700)
        try unpack(to: other)
        try { _ = try RocksStore(path: "\(other)/store", createIfMissing: false) }()
        let names = [
            "A-NEWER-FORMAT", "STORE", "STORE.copy", "journal", "sealed-1", "CONTENTS",
        ]
        mkdir("\(path)/migrating", 0o700)
        for (index, name) in names.enumerated() {
            let target = index < step ? path : "\(path)/migrating"
            #expect(rename("\(other)/store/\(name)", "\(target)/\(name)") == 0)
        }
        if step > names.count {
            rename("\(path)/CURRENT", "\(path)/migrating/CURRENT")
        }
        if step > names.count + 1 { unlink("\(path)/MANIFEST-000005") }
        #expect(try StoreCheck(path: path).isWhole)
        let store = try RocksStore(path: path, createIfMissing: false)
        #expect(try holding(path) == before)
        try store.end()
        #expect(
            TestFolder.names(path)
                == [
                    "A-NEWER-FORMAT", "CONTENTS", "STORE", "STORE.copy", "journal", "sealed-1",
                    "table",
                ]
        )
        #expect(try holding(path) == before)
    }

    @Test(
        "is left as it is if something else lies in its folder",
        arguments: ["thesis.txt", "x.log"]
    )
    func foreignFile(name: String) throws {
        try unpack()
        TestFolder.write([1], to: "\(path)/\(name)")
        let old = TestFolder.contents(path)
        let error = storeError { _ = try RocksStore(path: path, createIfMissing: false) }
        #expect(error?.code == .unusable && error?.message.contains(name) == true)
        #expect(TestFolder.contents(path) == old)
    }

    @Test("is left as it is if the disk has no room for a new one", .enabled(if: geteuid() == 0))
    func noRoom() throws {
        let disk = try SmallDisk(folder.path(of: "disk"), megabytes: 12)
        try unpack(to: folder.path(of: "disk"))
        let path = folder.path(of: "disk/store")
        let old = TestFolder.contents(path)
        disk.fill(leaving: 1 << 20)
        let error = storeError { _ = try RocksStore(path: path, createIfMissing: false) }
        #expect(error?.code == .full && error?.message.contains("of format 1") == true)
        #expect(TestFolder.contents(path) == old)
        disk.free()
        let store = try RocksStore(path: path, createIfMissing: false)
        #expect(store.description.version == StoreDescription.currentVersion)
    }

    @Test("says what was not whole at its end")
    func tornEnd() throws {
        try unpack()
        let logs = TestFolder.names(path).filter { $0.hasSuffix(".log") }
        let log = try #require(logs.last { TestFolder.size("\(path)/\($0)") > 0 })
        let bytes = TestFolder.read("\(path)/\(log)")
        #expect(try StoreView(path: path).tornEnd == nil)
        TestFolder.write(bytes.dropLast(3), to: "\(path)/\(log)")
        let store = try RocksStore(path: path, createIfMissing: false)
        let torn = try #require(store.tornEnd)
        #expect(torn.name == log && torn.offset + torn.byteCount == bytes.count - 3)
    }

    // MARK: Damage

    /// Files of the log that are not empty, oldest first.
    private var logs: [String] {
        TestFolder.names(path).filter {
            $0.hasSuffix(".log") && TestFolder.size("\(path)/\($0)") > 0
        }
        .map { "\(path)/\($0)" }
    }

    /// Start, check and repair must all refuse it, with the file and who can do more, and change
    /// nothing.
    private func expectRefused(naming name: String) throws {
        let old = TestFolder.contents(path)
        var errors = [
            storeError { _ = try RocksStore(path: path, createIfMissing: false) },
            storeError { _ = try StoreRepair(path: path) },
        ]
        errors.append(try StoreCheck(path: path).problems.first)
        for error in errors {
            let message = try #require(error).message
            #expect(error?.code == .corrupt && message.contains(name), "\(message)")
            #expect(message.hasPrefix("\(path) is a damaged store of format 1"), "\(message)")
            #expect(message.contains("the version that wrote it can examine it"), "\(message)")
        }
        #expect(TestFolder.contents(path) == old)
    }

    @Test("is refused if files of its log were exchanged, or one lies in the place of another")
    func exchangedLogs() throws {
        try unpack()
        let logs = logs
        let bytes = logs.map(TestFolder.read)
        try #require(logs.count == 2)
        for contents in [[bytes[1], bytes[0]], [bytes[0], bytes[0]], [bytes[1], bytes[1]]] {
            for (log, bytes) in zip(logs, contents) { TestFolder.write(bytes, to: log) }
            try expectRefused(naming: logs[1])
        }
        for (log, bytes) in zip(logs, bytes) { TestFolder.write(bytes, to: log) }
        #expect(try StoreCheck(path: path).isWhole)
    }

    @Test("is refused if a part of its log stands there twice")
    func repeatedBatch() throws {
        try unpack()
        let log = try #require(logs.last)
        let bytes = TestFolder.read(log)
        let end = 7 + Int(bytes[4]) + Int(bytes[5]) << 8
        TestFolder.write(bytes[..<end] + bytes, to: log)
        try expectRefused(naming: log)
    }

    @Test("is refused with its folder if RocksDB finds it damaged")
    func damagedRecord() throws {
        try unpack()
        let log = try #require(logs.first)
        var bytes = TestFolder.read(log)
        bytes[40] ^= 1
        TestFolder.write(bytes, to: log)
        try expectRefused(naming: "checksum")
    }

    /// A record of RocksDB's log that holds a batch, without its checksum.
    private func batch(_ sequence: UInt64, _ count: UInt32, type: UInt8 = 1) -> [UInt8] {
        var writer = StoreWriter()
        writer.put(0 as UInt32)
        writer.put(12 as UInt16)
        writer.put(type)
        writer.put(sequence)
        writer.put(count)
        return writer.bytes.array
    }

    @Test("has batches in the order of their numbers in all files of its log")
    func orderOfBatches() throws {
        func check(_ files: [String: [UInt8]]) throws(StoreError) -> TornEnd? {
            let logFolder = StoreFolder(path: folder.path(of: "logs"))
            TestFolder.deleteTree(logFolder.path)
            mkdir(logFolder.path, 0o700)
            for (name, bytes) in files { TestFolder.write(bytes, to: "\(logFolder.path)/\(name)") }
            return try FormerLog.check(logFolder)
        }
        // A batch without changes has the number of the next one; numbers without a log leave gaps.
        let first = batch(5, 3) + batch(8, 0) + batch(8, 1)
        #expect(try check(["000009.log": first, "000010.log": batch(20, 1)]) == nil)
        #expect(
            storeError { _ = try check(["000001.log": batch(5, 3) + batch(7, 1)]) }?.code
                == .corrupt
        )
        // By number and not by name.
        #expect(try check(["999999.log": first, "1000000.log": batch(9, 1)]) == nil)
        #expect(
            storeError { _ = try check(["2.log": first, "10.log": batch(4, 1)]) }?.code == .corrupt
        )
        // What a loss of power may leave, and files that are written over again, are RocksDB's to
        // judge.
        #expect(try check(["1.log": first + batch(0, 0)]) == nil)
        #expect(try check(["1.log": first, "2.log": batch(1, 1, type: 5)]) == nil)
        #expect(try check(["1.log": first, "2.log": [], "3.log": batch(9, 1)]) == nil)
        let torn = try check(["1.log": first, "2.log": batch(9, 1) + batch(10, 1).dropLast()])
        #expect(torn == TornEnd(name: "2.log", offset: 19, byteCount: 18))
    }

    // MARK: What the version before has left

    @Test("is left as it is if a copy that was not finished lies in its folder, which is named")
    func partialWithin() throws {
        try unpack()
        mkdir("\(path)/copy.partial", 0o700)
        try unpack(to: "\(path)/copy.partial")
        let old = TestFolder.contents(path)
        let error = storeError { _ = try RocksStore(path: path, createIfMissing: false) }
        #expect(error?.code == .unusable && error?.message.contains("copy.partial") == true)
        #expect(error?.message.contains("move that away") == true)
        #expect(TestFolder.contents(path) == old)
    }

    @Test("is backed up and repaired beside copies of the version before that were not finished")
    func partialBeside() throws {
        try unpack()
        let before = try holding(path)
        for name in ["copy.partial", "store.repaired"] {
            TestFolder.copyTree(path, to: folder.path(of: name))
            // What came last is not there yet.
            unlink("\(folder.path(of: name))/CURRENT")
        }
        _ = try StoreView(path: path).backup(to: folder.path(of: "copy"))
        #expect(try holding(folder.path(of: "copy")) == before)
        let repair = try StoreRepair(path: path)
        _ = try repair.apply { _ in }
        #expect(try holding(path) == before)
        #expect(TestFolder.names(folder.path) == ["copy", "store", "store.damaged-1"])
    }

    @Test("is not taken for one that was not finished if something else lies there")
    func foreignBeside() throws {
        try unpack()
        TestFolder.copyTree(path, to: folder.path(of: "copy.partial"))
        TestFolder.write([1], to: folder.path(of: "copy.partial/server.log"))
        let old = TestFolder.contents(folder.path(of: "copy.partial"))
        let error = storeError { _ = try StoreView(path: path).backup(to: folder.path(of: "copy")) }
        #expect(error?.code == .unusable && error?.message.contains("server.log") == true)
        #expect(TestFolder.contents(folder.path(of: "copy.partial")) == old)
    }
}
