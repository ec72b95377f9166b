import DataStructures
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Damage to what is not the log: files of the table, the list of files, records.
@Suite("A damaged store")
struct StoreDamageTests {
    let folder = TestFolder()
    private var path: String { folder.place("store") }

    /// A store with a checkpoint of so many records of a kilobyte.
    private func makeStore(_ count: UInt32) throws -> [TableKey: String] {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        var generator = SeededGenerator(seed: 3)
        var records: [UInt32: String] = [:]
        for number in 0..<count {
            records[number] = String((0..<1_000).map { _ in generator.pick(Array("abcdefgh")) })
        }
        try journal.writeCheckpoint(1, records: records, to: store)
        return try scanned(store)
    }

    @Test(
        "is refused or read as it was, whatever byte of whatever file has changed",
        arguments: [".sst", "MANIFEST-", "CURRENT", "OPTIONS-", "IDENTITY"]
    )
    func flippedBits(kind: String) throws {
        let table = try makeStore(200)
        let names = TestFolder.names(path).filter { $0.hasSuffix(kind) || $0.hasPrefix(kind) }
        // The largest: that of the table.
        let name = try #require(names.max { size($0) < size($1) })
        let bytes = TestFolder.read("\(path)/\(name)")
        let copy = folder.place("copy")
        var generator = SeededGenerator(seed: 4)
        // Small files at every byte.
        let places =
            bytes.count < 1_500
            ? Array(bytes.indices) : (0..<40).map { _ in generator.below(bytes.count) }
        for place in places {
            var broken = bytes
            broken[place] ^= UInt8(1 << generator.below(8))
            TestFolder.deleteTree(copy)
            TestFolder.copyTree(path, to: copy)
            TestFolder.write(broken, to: "\(copy)/\(name)")
            var found: [TableKey: String] = [:]
            var journal: [[UInt8]] = []
            let error = storeError {
                let store = try RocksStore(path: copy, createIfMissing: false)
                found = try scanned(store)
                journal = try replayed(store)
            }
            if error == nil {
                #expect(found == table && journal == [[1]], "byte \(place) of \(bytes.count)")
            }
        }
    }

    private func size(_ name: String) -> Int { TestFolder.size("\(path)/\(name)") }

    @Test("says which record of the table is not whole")
    func tableRecord() throws {
        _ = try makeStore(3)
        let key = TableKey(type: 1, number: 2, epoch: 1)
        try Damage.table(path, key) { $0[$0.count - 1] ^= 1 }
        let store = try RocksStore(path: path, createIfMissing: false)
        let error = try #require(storeError { _ = try scanned(store) })
        #expect(error.code == .corrupt && error.message.contains("1/2/0 of checkpoint 1"))
    }

    @Test("says which record of the journal is not whole, and which one is missing")
    func journalRecord() throws {
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            for number in 1...5 as ClosedRange<UInt8> { try journal.append([[number]], to: store) }
        }
        func error() throws -> StoreError {
            let store = try RocksStore(path: path, createIfMissing: false)
            return try #require(storeError { _ = try replayed(store) })
        }
        try Damage.journal(path, 4) { $0?[32] ^= 1 }
        let broken = try error()
        #expect(broken.code == .corrupt && broken.message.contains("journal record 4"))
        try Damage.journal(path, 4) { $0?[32] ^= 1 }
        try Damage.journal(path, 3) { $0 = nil }
        let gap = try error()
        #expect(gap.code == .gap && gap.message.contains("journal record 3 is missing"))
    }

    @Test("says with which record the journal begins if that is not the one expected")
    func lostBeginning() throws {
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            for number in 1...3 as ClosedRange<UInt8> { try journal.append([[number]], to: store) }
        }
        try Damage.journal(path, 1) { $0 = nil }
        let store = try RocksStore(path: path, createIfMissing: false)
        let error = try #require(storeError { _ = try replayed(store) })
        #expect(error.code == .gap)
        #expect(error.message == "the journal begins with record 2; record 1 was expected")
    }

    @Test("shows a record of another history by its parent")
    func otherHistory() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        var other = journal
        try other.append([[2]], to: store)
        _ = journal.group([[3]])
        try journal.append([[4]], to: store)
        let error = try #require(storeError { _ = try replayed(store) })
        #expect(error.code == .corrupt && error.message.contains("record 3 does not follow"))
    }

    @Test("is read without a trap when its journal is noise", arguments: 0..<100)
    func noise(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var journal = Journal()
        var (bytes, _) = journal.group((0..<5).map { _ in generator.bytes(generator.below(60)) })
        for _ in 0...generator.below(3) {
            switch generator.below(3) {
            case 0: bytes[generator.below(bytes.count)] ^= UInt8(1 << generator.below(8))
            case 1: bytes.removeLast(generator.below(bytes.count))
            default: bytes.insert(UInt8(generator.below(256)), at: generator.below(bytes.count))
            }
            if bytes.isEmpty { bytes = [0] }
        }
        var chain = JournalChain(next: 1, parent: 0)
        let (whole, first) = (journal.bodies, chain.next)
        var found: [[UInt8]] = []
        _ = storeError {
            try bytes.withByteView { view throws(StoreError) in
                try chain.follow(view) { found.append($0.body.array) }
            }
        }
        #expect(
            Array(whole.prefix(found.count)) == found && chain.next == first + UInt64(found.count)
        )
    }
}

/// Changes records of a closed store behind its back.
enum Damage {
    static func table(
        _ path: String,
        _ key: TableKey,
        _ change: (inout [UInt8]) -> Void
    ) throws {
        try with(path) { database in
            var bytes: [UInt8] = []
            try database.readTable { other, value throws(StoreError) in
                if other == key { bytes = value.array }
            }
            try #require(!bytes.isEmpty)
            change(&bytes)
            var writer = StoreWriter()
            key.write(to: &writer)
            let name = writer.bytes
            bytes.withByteView { database.put(FamilyName.table, name, $0) }
            try database.commit(.unlogged)
            try database.flush(FamilyName.table, isWaiting: true)
        }
    }

    /// Lets `change` change what was appended at that position; nil removes it.
    static func journal(
        _ path: String,
        _ position: UInt64,
        _ change: (inout [UInt8]?) -> Void
    ) throws {
        try with(path) { database in
            var bytes: [UInt8]?
            try database.readLog(from: position) { other, value throws(StoreError) in
                if other == position { bytes = value.array }
            }
            try #require(bytes != nil)
            change(&bytes)
            let family = FamilyName.segment(from: database.segments.last { $0 <= position }!)
            try withKey(position) { key throws(StoreError) in
                if let bytes {
                    bytes.withByteView { database.put(family, key, $0) }
                } else {
                    database.delete(family, key)
                }
            }
            try database.commit(.synced)
        }
    }

    static func with(_ path: String, _ body: (RocksDatabase) throws -> Void) throws {
        let names = try RocksDatabase.familyNames(path: path)
        try body(RocksDatabase(path: path, .readWrite, families: names))
    }
}
