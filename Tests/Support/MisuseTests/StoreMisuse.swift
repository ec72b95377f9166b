import DataStructures
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
