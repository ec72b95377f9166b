import Basics
import StoreFormat
import Testing

@Suite("A record of the journal")
struct JournalRecordTests {
    @Test("comes back as it was written, and names the one before")
    func roundTrip() throws {
        var writer = StoreWriter(capacity: 64)
        var parent: UInt64 = 0
        for position in 1...3 as ClosedRange<UInt64> {
            let start = JournalRecord.begin(&writer)
            writer.put(counted: String(repeating: "x", count: Int(position) * 50))
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
        }
        var reader = StoreReader(writer.bytes)
        var expected: UInt64 = 0
        for position in 1...3 as ClosedRange<UInt64> {
            let record = try JournalRecord.read(&reader)
            #expect(record.position == position && record.parent == expected)
            var body = StoreReader(record.body)
            #expect(try body.readCounted().count == Int(position) * 50)
            try body.finish()
            expected = record.checksum
        }
        try reader.finish()
    }

    @Test("of an older or a newer format is refused as such")
    func versions() throws {
        for version in 0...JournalRecord.version + 1 {
            var writer = StoreWriter(capacity: 64)
            let start = JournalRecord.begin(&writer)
            let sum = JournalRecord.end(
                &writer,
                from: start,
                position: 1,
                parent: 0,
                version: version
            )
            var reader = StoreReader(writer.bytes)
            do throws(StoreError) {
                let record = try JournalRecord.read(&reader)
                #expect(record.version == version && record.checksum == sum)
                #expect((3...JournalRecord.version).contains(version))
            } catch {
                #expect(error.code == (version < 3 ? .older : .newer))
                #expect(
                    error.message
                        == "journal record 1 is of format \(version); "
                        + "this version reads formats 3 to 4"
                )
            }
        }
    }
}
