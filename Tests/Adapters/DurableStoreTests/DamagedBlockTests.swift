import Basics
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("A table with one damaged bit")
struct DamagedBlockTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }
    private static let count: UInt32 = 4_000

    private func makeStore() throws -> [UInt32: String] {
        var generator = SeededGenerator(seed: 9)
        var records: [UInt32: String] = [:]
        for number in 0..<Self.count {
            let letters = generator.bytes(60).map { UInt8(0x61 + $0 % 26) }
            records[number] = String(decoding: letters, as: UTF8.self)
        }
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        try journal.writeCheckpoint(1, records: records, to: store)
        return records
    }

    @Test("has all records that are not in the bit's block, and says which are gone")
    func block() throws {
        let records = try makeStore()
        let file = try Damage.tableFile(path, ".sst")
        let whole = TestFolder.read(file)
        var firsts: Set<UInt32> = []
        for share in [10, 30, 50, 80] {
            var bytes = whole
            bytes[bytes.count * share / 100] ^= 4
            TestFolder.write(bytes, to: file)
            let view = try StoreView(salvaging: try StoreFolder(path: path).resolved())
            #expect(view.tableLosses.count == 1 && view.salvaged == [])
            let isKept = "; what is not in damaged blocks of it is kept"
            #expect(view.tableLosses.first?.message.hasSuffix(isKept) == true)
            var found: Set<UInt32> = []
            var damage: [StoreError] = []
            try view.visitTable { key, body throws(StoreError) in
                var reader = StoreReader(body)
                if key.type != 1 { return }
                if try reader.readCounted().string == records[key.number] {
                    found.insert(key.number)
                }
            } damage: {
                damage.append($0)
            }
            let lost = (0..<Self.count).filter { !found.contains($0) }
            try #require(!lost.isEmpty && lost.count < 2_000)
            // Those of one block follow each other.
            #expect(Int(lost.last! - lost[0]) == lost.count - 1)
            let next = lost.last! + 1
            let end = next == Self.count ? "to the last one" : "before 1/\(next)"
            let sentence = "of the table's records after 1/\(Int(lost[0]) - 1) and \(end), those in"
            #expect(damage.count == 1)
            #expect(lost[0] == 0 || damage.first?.message.contains(sentence) == true, "\(damage)")
            firsts.insert(lost[0])
        }
        #expect(firsts.count > 1)
    }

    @Test("has what another file has in front of it, if the bit is in the first block")
    func firstBlock() throws {
        _ = try makeStore()
        try {
            let store = try RocksStore(path: path, createIfMissing: false)
            try Journal().writeCheckpoint(2, records: [:], to: store)
        }()
        // The first file has the records, the second one the newest manifest alone.
        let files = TestFolder.files(path).sorted().filter {
            $0.hasPrefix("sealed-2/") && $0.hasSuffix(".sst")
        }
        try #require(files.count == 2)
        var bytes = TestFolder.read("\(path)/\(files[0])")
        bytes[20] ^= 4
        TestFolder.write(bytes, to: "\(path)/\(files[0])")
        let view = try StoreView(salvaging: try StoreFolder(path: path).resolved())
        var (manifests, numbers) = ([] as [UInt32], [] as [UInt32])
        var damage: [String] = []
        try view.visitTable { key, _ in
            if key.type == StoreManifest.type { manifests.append(key.epoch) }
            if key.type == 1 { numbers.append(key.number) }
        } damage: {
            damage.append($0.message)
        }
        let first = try #require(numbers.first)
        #expect(manifests == [2] && first > 0 && numbers == Array(first..<Self.count))
        let sentence = "of the table's records from the first one and before 1/\(first), those in"
        #expect(damage.count == 1 && damage[0].hasPrefix(sentence), "\(damage)")
    }
}
