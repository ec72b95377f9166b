import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("Misuse of RocksIterator")
struct RocksIteratorMisuse {
    /// What is asked of an iterator that is not at a record.
    enum Request: String, CaseIterable, Codable {
        case next, key, value
    }

    private let folder = TestFolder()

    @Test("behind the last record it does not move, and reads nothing", arguments: Request.allCases)
    func end(request: Request) async {
        await #expect(processExitsWith: .trap) { [path = folder.path as String, request] in
            var iterator = try RocksDatabase(path: path, access: .readWrite).iterate()
            iterator.seekToFirst()
            Self.perform(request, on: &iterator)
        }
    }

    @Test("before its first seek it does not move, and reads nothing", arguments: Request.allCases)
    func beginning(request: Request) async {
        await #expect(processExitsWith: .trap) { [path = folder.path as String, request] in
            var iterator = try RocksDatabase(path: path, access: .readWrite).iterate()
            Self.perform(request, on: &iterator)
        }
    }

    @Test("it reads its database although all others have dropped it")
    func owner() throws {
        var database: RocksDatabase? = try RocksDatabase(path: folder.path, access: .readWrite)
        [1, 2].withByteView { database!.put($0, value: $0) }
        try database!.commit()
        var iterator = database!.iterate()
        database = nil
        iterator.seekToFirst()
        #expect(try iterator.isValid())
        #expect(iterator.key.array == [1, 2])
        iterator.next()
        #expect(try iterator.isValid() == false)
    }

    private static func perform(_ request: Request, on iterator: inout RocksIterator) {
        switch request {
        case .next: iterator.next()
        case .key: _ = iterator.key
        case .value: _ = iterator.value
        }
    }
}

@Suite("Misuse of RocksDatabase")
struct RocksDatabaseMisuse {
    private let folder = TestFolder()

    @Test("a property that does not exist has no value")
    func property() async {
        await #expect(processExitsWith: .trap) { [path = folder.path as String] in
            _ = try RocksDatabase(path: path, access: .readWrite).property("none")
        }
    }

    @Test("an empty batch, empty keys and keys that are absent may be committed")
    func empty() throws {
        let database = try RocksDatabase(path: folder.path, access: .readWrite)
        try database.commit()
        database.put(.empty, value: .empty)
        database.delete(.empty)
        database.delete(.empty)
        try database.commit()
        try database.flush()
        var iterator = database.iterate()
        iterator.seekToFirst()
        #expect(try iterator.isValid() == false)
    }
}

@Suite("Misuse of SegmentCursor")
struct SegmentCursorMisuse {
    private let folder = TestFolder()

    /// A segment whose file has this many bytes, all of them 0xff.
    private func segment(_ byteCount: Int) throws -> JournalSegment {
        let bytes = [UInt8](repeating: 0xff, count: byteCount)
        TestFolder.write(bytes, to: folder.path(of: "segment"))
        let descriptor = open(folder.path(of: "segment"), O_RDONLY)
        try #require(descriptor >= 0)
        return JournalSegment(
            StoreFolder(path: folder.path),
            name: "segment",
            descriptor: descriptor,
            header: SegmentHeader(identifier: .init(high: 1, low: 2), first: 1, parent: 0)
        )
    }

    @Test(
        "no group is found after the end of a file, nor in one that is shorter than was said",
        arguments: [0, 48, 1 << 20, .max]
    )
    func end(end: Int) throws {
        let segment = try segment(1_000)
        for offset in [SegmentHeader.byteCount, 999, 1_000, 1 << 40, .max] {
            var cursor = segment.groups(from: offset, after: nil, to: end)
            #expect(try cursor.next() == nil)
            #expect(try cursor.next() == nil)
        }
    }
}
