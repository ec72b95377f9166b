import DataStructures
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

struct JournalCountsTests {
    /// Adds a record with these entries and bytes after them.
    private func add(_ bytes: [UInt8], to counts: inout JournalCounts) throws {
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        bytes.withByteView { writer.put(raw: $0) }
        _ = JournalRecord.end(&writer, from: start, position: 1, parent: 0)
        var reader = StoreReader(writer.bytes)
        counts.add(try JournalRecord.read(&reader))
    }

    @Test func `Entries are counted by kind, and pushes, up to what cannot be read`() throws {
        var counts = JournalCounts()
        let batch: [UInt8] = [InputTag.batch.rawValue, 1, 20, 3]
        let ended: [UInt8] = [InputTag.ended.rawValue, 5]
        try add(batch + ended + batch, to: &counts)
        try add(ended + [0xff] + batch, to: &counts)
        try add([], to: &counts)
        #expect(counts.records == 3 && counts.pushes == 6)
        #expect(counts.entries == ["batch": 2, "ended": 2])
    }
}
