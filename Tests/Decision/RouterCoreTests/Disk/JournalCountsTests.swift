import Basics
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

    @Test func `A new kind of entry takes a new version of records`() {
        // An older router refuses a record of a newer version as newer, and an entry that it does
        // not know as damaged. So with each new entry both numbers must change.
        let known: [UInt16: UInt8] = [3: 30, 4: 37]
        #expect(
            known[JournalRecord.version] == (1...UInt8.max).last { InputTag(rawValue: $0) != nil }
        )
    }
}
