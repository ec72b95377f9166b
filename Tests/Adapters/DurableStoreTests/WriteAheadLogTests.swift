import DataStructures
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Every damage to RocksDB's log is either refused, or has taken nothing but the last append.
@Suite("A damaged log")
struct WriteAheadLogTests {
    let folder = TestFolder()
    private var path: String { folder.place("store") }

    /// A store with one log whose batches cross its blocks, and what it holds.
    private func makeStore(_ seed: UInt64) throws -> (groups: [[[UInt8]]], log: String) {
        var generator = SeededGenerator(seed: seed)
        var journal = Journal()
        var groups: [[[UInt8]]] = []
        let store = try RocksStore(path: path, createIfMissing: true)
        for count in [10, 20_000, 3, 40_000, 12_000, 5, 1_000] {
            groups.append([generator.bytes(count), generator.bytes(generator.below(40))])
            try journal.append(groups.last!, to: store)
        }
        let logs = TestFolder.names(path).filter { $0.hasSuffix(".log") }
        let log = try #require(
            logs.max { TestFolder.size("\(path)/\($0)") < TestFolder.size("\(path)/\($1)") }
        )
        return (groups, "\(path)/\(log)")
    }

    /// What a store with this log holds, or the error that it is refused with.
    private func open(
        _ bytes: [UInt8],
        _ log: String,
        original: [UInt8]
    ) throws -> Result<[[UInt8]], StoreError> {
        TestFolder.deleteTree(folder.place("copy"))
        TestFolder.copyTree(path, to: folder.place("copy"))
        TestFolder.write(bytes, to: folder.place("copy/" + log.split(separator: "/").last!))
        var found: [[UInt8]] = []
        let error = storeError {
            let store = try RocksStore(path: folder.place("copy"), createIfMissing: false)
            found = try replayed(store)
        }
        return error.map { .failure($0) } ?? .success(found)
    }

    @Test("is refused when anything before the last append has changed", arguments: 0..<2)
    func flippedBits(seed: UInt64) throws {
        let (groups, log) = try makeStore(seed)
        let bytes = TestFolder.read(log)
        let all = groups.flatMap { $0 }
        let withoutLast = groups.dropLast().flatMap { $0 }
        var generator = SeededGenerator(seed: seed &+ 100)
        var refusals = 0
        // Headers of records are where a reader may lose its way: those of the blocks, and the first.
        var places = [0, 4, 5, 6, 7, 32_768, 32_772, 32_773, 32_774, 65_536, 65_540, 65_542]
        places += (0..<50).map { _ in generator.below(bytes.count) }
        for place in places {
            var broken = bytes
            let change = UInt8(truncatingIfNeeded: generator.next())
            broken[place] ^= change == 0 ? 1 : change
            switch try open(broken, log, original: bytes) {
            case .failure(let error):
                refusals += 1
                #expect(error.code == .corrupt && error.message.contains("byte"), "\(place)")
            case .success(let found):
                #expect(found == withoutLast || found == all, "byte \(place)")
                // Only the last batch can be taken for a torn one.
                #expect(place >= bytes.count - 1_200, "byte \(place)")
            }
        }
        #expect(refusals > 40)
    }

    @Test("is cut off at a torn end, and goes on from there", arguments: 0..<2)
    func tornEnds(seed: UInt64) throws {
        let (groups, log) = try makeStore(seed)
        let bytes = TestFolder.read(log)
        var generator = SeededGenerator(seed: seed &+ 200)
        for _ in 0..<20 {
            let count = generator.below(bytes.count)
            // What a power failure may leave: nothing, zeros, or something else behind the end.
            let tail = generator.pick([
                [], [UInt8](repeating: 0, count: 5_000), generator.bytes(generator.below(50)),
            ])
            let found = try open(Array(bytes.prefix(count)) + tail, log, original: bytes).get()
            let prefixes = (0...groups.count).map { groups.prefix($0).flatMap { $0 } }
            #expect(prefixes.contains(found), "cut at \(count)")

            let store = try RocksStore(path: folder.place("copy"), createIfMissing: false)
            try appendNext(to: store, behind: found.count)
            store.close()
            try store.reopen()
            #expect(try replayed(store).count == found.count + 1)
        }
    }

    private func appendNext(to store: RocksStore, behind count: Int) throws {
        var parent: UInt64 = 0
        var chain = JournalChain(next: 1, parent: 0)
        try store.replay(from: 1) { group throws(StoreError) in
            try chain.follow(group) { parent = $0.checksum }
        }
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        _ = JournalRecord.end(&writer, from: start, position: UInt64(count + 1), parent: parent)
        try store.append(writer.bytes, from: UInt64(count + 1), isSynced: true)
    }

    @Test("is refused when a file of it is broken and another one follows")
    func earlierFile() throws {
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1], [2]], to: store)
            try store.rotate(before: 3)
            try journal.append([[3]], to: store)
        }
        let logs = TestFolder.names(path).filter { name in
            name.hasSuffix(".log") && TestFolder.size("\(path)/\(name)") > 0
        }
        try #require(logs.count == 2)
        let log = "\(path)/\(logs[0])"
        TestFolder.write(TestFolder.read(log).dropLast(1), to: log)
        let error = storeError { _ = try RocksStore(path: path, createIfMissing: false) }
        #expect(error?.code == .corrupt && error?.message.contains(logs[1]) == true)
    }

    @Test("is read without a trap whatever is in it", arguments: 0..<200)
    func noise(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = generator.bytes(generator.below(70_000))
        // Small lengths and known types let the reader go further.
        for _ in 0..<generator.below(2_000) where bytes.count > 8 {
            let place = generator.below(bytes.count - 7)
            bytes[place + 5] = 0
            bytes[place + 6] = UInt8(generator.below(6))
        }
        TestFolder.write(bytes, to: folder.place("000001.log"))
        let store = StoreFolder(path: folder.path)
        let verdict = try #require(try WriteAheadLog.check(store, "000001.log"))
        #expect(bytes.isEmpty ? verdict.0 == .whole : verdict.0 == .torn(at: 0))
    }

    @Test("has the checksums that RocksDB writes")
    func checksums() {
        let crc = CRC32C()
        // RFC 3720, B.4.
        #expect([UInt8](repeating: 0, count: 32).withByteView { crc.checksum($0) } == 0x8a91_36aa)
        #expect([UInt8](repeating: 255, count: 32).withByteView { crc.checksum($0) } == 0x62a8_ab43)
        #expect([UInt8](0..<32).withByteView { crc.checksum($0) } == 0x46dd_794e)
        #expect([UInt8](0..<31).withByteView { crc.checksum($0) } != 0x46dd_794e)
    }
}
