import Basics
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Damage to what is not the journal: files of the table, lists of files, records.
@Suite("A damaged store")
struct StoreDamageTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

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
        arguments: [".sst", "MANIFEST-", "CURRENT", "OPTIONS-", "STORE", "CONTENTS"]
    )
    func flippedBits(kind: String) throws {
        let table = try makeStore(200)
        let files = TestFolder.files(path).filter { !$0.hasPrefix("table/") }
        let name = try #require(files.first { $0.contains(kind) })
        let bytes = TestFolder.read("\(path)/\(name)")
        let copy = folder.path(of: "copy")
        var generator = SeededGenerator(seed: 4)
        // Small files at every byte.
        let places =
            bytes.count < 1_500
            ? Array(bytes.indices) : (0..<40).map { _ in generator.below(bytes.count) }
        for position in places {
            var broken = bytes
            broken[position] ^= UInt8(1 << generator.below(8))
            TestFolder.deleteTree(copy)
            TestFolder.copyTree(path, to: copy)
            TestFolder.write(broken, to: "\(copy)/\(name)")
            var found: [TableKey: String] = [:]
            var journal: [[UInt8]] = []
            let before = TestFolder.contents(copy)
            let problems = storeError {
                if let problem = try StoreCheck(path: copy).problems.first { throw problem }
            }
            let error = storeError {
                let store = try RocksStore(path: copy, createIfMissing: false)
                found = try scanned(store)
                journal = try replayed(store)
            }
            #expect((error == nil) == (problems == nil), "they agree")
            if error == nil {
                #expect(found == table && journal == [[1]], "byte \(position) of \(bytes.count)")
            } else {
                #expect(
                    TestFolder.contents(copy) == before && error?.message.contains(kind) == true
                )
            }
        }
    }

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

/// Changes records of a closed store behind its back; the files are whole.
enum Damage {
    static func table(
        _ path: String,
        _ key: TableKey,
        _ change: (inout [UInt8]) -> Void
    ) throws {
        let store = try RocksStore(path: path, createIfMissing: false)
        defer { store.close() }
        var bytes: [UInt8] = []
        try store.scan { other, value throws(StoreError) in
            if other == key { bytes = value.array }
        }
        try #require(!bytes.isEmpty)
        change(&bytes)
        let database = try store.openedTable()
        var writer = StoreWriter()
        key.write(to: &writer)
        let name = writer.bytes
        bytes.withByteView { database.put(name, value: $0) }
        try database.commit()
        try store.seal()
    }

    /// Lets `change` change what was appended at that position; nil removes it.
    static func journal(
        _ path: String,
        _ position: UInt64,
        _ change: (inout [UInt8]?) -> Void
    ) throws {
        let folder = StoreFolder(path: path)
        var contents = try StoreFiles.contents(folder)
        let journal = try JournalFiles(folder, contents: contents)
        var parent = journal.files[0].header.parent
        var isFound = false
        contents.segments = []
        for file in journal.files {
            let (identifier, first) = (file.header.identifier, file.header.first)
            let header = SegmentHeader(identifier: identifier, first: first, parent: parent)
            var writer = StoreWriter()
            parent = header.write(to: &writer)
            var cursor = file.wholeGroups
            while let group = try cursor.next() {
                var records: [UInt8]? = group.records.array
                if group.position == position {
                    isFound = true
                    change(&records)
                }
                let link = JournalGroup.Link(mark: header.mark, parent: parent)
                records?.withByteView { records in
                    parent = JournalGroup.writeHeader(
                        of: records,
                        from: group.position,
                        link: link,
                        to: &writer
                    )
                    writer.put(raw: records)
                }
            }
            TestFolder.write(writer.bytes.array, to: "\(path)/\(file.name)")
            contents.segments.append(.init(first: first, checksum: header.checksum))
        }
        try #require(isFound)
        contents.end = .init(position: contents.segments[0].first - 1, checksum: 0)
        try folder.write(contents)
    }

    /// The file of the newest segment of the journal.
    static func newestSegment(_ path: String) throws -> String {
        let name = try #require(TestFolder.names("\(path)/journal").last)
        return "\(path)/journal/\(name)"
    }

    /// A file of the sealed table.
    static func tableFile(_ path: String, _ ending: String = ".sst") throws -> String {
        let name = TestFolder.files(path).last { $0.hasPrefix("sealed-") && $0.contains(ending) }
        return "\(path)/\(try #require(name))"
    }
}
