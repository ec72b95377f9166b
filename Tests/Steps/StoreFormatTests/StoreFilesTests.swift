import Basics
import StoreFormat
import Testing

@Suite("The files of a store")
struct StoreFilesTests {
    private static let identifier = StoreDescription.Identifier(high: 3, low: 4)
    private static let contents = StoreContents(
        identifier: identifier,
        end: StoreContents.JournalEnd(position: 12, checksum: 5),
        segments: [.init(first: 3, checksum: 6), .init(first: 9, checksum: 7)],
        table: StoreContents.SealedTable(
            number: 2,
            position: 8,
            files: [
                .init(name: "CURRENT", byteCount: 16, checksum: 8),
                .init(name: "000012.sst", byteCount: 1 << 40, checksum: 9),
            ]
        )
    )

    private static func bytes(_ contents: StoreContents) -> [UInt8] {
        var writer = StoreWriter()
        contents.write(to: &writer)
        return writer.bytes.array
    }

    private static func read(_ bytes: [UInt8]) throws(StoreError) -> StoreContents {
        try bytes.withByteView { view throws(StoreError) in try StoreContents(view) }
    }

    @Test("are listed, and the list comes back as it was written")
    func roundTrip() throws {
        #expect(try Self.read(Self.bytes(Self.contents)) == Self.contents)
    }

    @Test("are not listed by a list with another bit, or with an end that is cut off")
    func damagedContents() {
        let bytes = Self.bytes(Self.contents)
        for bit in 0..<(bytes.count * 8) {
            var broken = bytes
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: StoreError.self) { try Self.read(broken) }
        }
        for count in 0..<bytes.count {
            #expect(throws: StoreError.self) { try Self.read(Array(bytes.prefix(count))) }
        }
    }

    @Test("are not listed outside of their folder, nor is the journal without a segment")
    func impossibleContents() {
        for name in ["", ".", "..", "../STORE", "a/b"] {
            var other = Self.contents
            other.table = .init(
                number: 1,
                position: 1,
                files: [.init(name: name, byteCount: 1, checksum: 1)]
            )
            #expect(throws: StoreError.self) { try Self.read(Self.bytes(other)) }
        }
        for segments in [[], Array(Self.contents.segments.reversed())] {
            var other = Self.contents
            other.segments = segments
            #expect(throws: StoreError.self) { try Self.read(Self.bytes(other)) }
        }
    }

    // MARK: - Segments

    private static let header = SegmentHeader(identifier: identifier, first: 7, parent: 99)

    /// A header and three groups, and where each begins.
    private static func segment() -> (bytes: [UInt8], starts: [Int]) {
        var writer = StoreWriter()
        var parent = header.write(to: &writer)
        var starts: [Int] = []
        for (position, text) in [(7, "seven"), (8, ""), (9, "nine, and more")] {
            starts.append(writer.count)
            let records = Array(text.utf8)
            parent = records.withByteView { records in
                JournalGroup.writeHeader(
                    of: records,
                    from: UInt64(position),
                    link: JournalGroup.Link(mark: header.mark, parent: parent),
                    to: &writer
                )
            }
            records.withByteView { writer.put(raw: $0) }
        }
        return (writer.bytes.array, starts)
    }

    /// What can be read of a segment, and where that ends.
    private static func readSegment(_ bytes: [UInt8]) -> (texts: [String], end: Int) {
        bytes.withByteView { bytes in
            guard let found = SegmentHeader(bytes), found == header else { return ([], 0) }
            var texts: [String] = []
            var (offset, parent) = (SegmentHeader.byteCount, found.checksum)
            while case .group(let group) = JournalGroup.read(
                bytes.slice(offset, to: bytes.count),
                mark: found.mark,
                parent: parent
            ) {
                texts.append(group.records.string)
                (offset, parent) = (offset + group.byteCount, group.checksum)
            }
            return (texts, offset)
        }
    }

    private static let texts = ["seven", "", "nine, and more"]

    @Test("of the journal come back as they were written, up to wherever they are cut off")
    func cutSegment() {
        let (bytes, starts) = Self.segment()
        #expect(Self.readSegment(bytes) == (Self.texts, bytes.count))
        for count in 0..<bytes.count {
            let whole = (starts.dropFirst() + [bytes.count]).count { $0 <= count }
            let texts = Self.readSegment(Array(bytes.prefix(count))).texts
            #expect(texts == Array(Self.texts.prefix(whole)))
        }
    }

    @Test("of the journal are read up to the group in which a bit has changed")
    func damagedSegment() {
        let (bytes, starts) = Self.segment()
        for bit in 0..<(bytes.count * 8) {
            var broken = bytes
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            let whole = max(0, starts.count { $0 <= bit / 8 } - 1)
            #expect(Self.readSegment(broken).texts == Array(Self.texts.prefix(whole)), "bit \(bit)")
        }
    }

    @Test("of the journal cannot have a group of another segment, nor one twice, nor lack one")
    func otherGroups() {
        let (bytes, starts) = Self.segment()
        let twice = bytes[..<starts[1]] + bytes[starts[0]...]
        #expect(Self.readSegment(Array(twice)).texts == ["seven"])
        let without = bytes[..<starts[1]] + bytes[starts[2]...]
        #expect(Self.readSegment(Array(without)).texts == ["seven"])
    }

    @Test("of the journal are named for their first record")
    func names() {
        for first in [1, 42, UInt64.max] {
            #expect(SegmentHeader.first(ofFile: SegmentHeader.fileName(first)) == first)
        }
        for name in ["1.log", "00000000000000000001", "0000000000000000001x.log", ".log"] {
            #expect(SegmentHeader.first(ofFile: name) == nil)
        }
    }

    @Test("of the journal say the last position of a group, if its records can be followed")
    func lastPosition() {
        var writer = StoreWriter()
        var parent: UInt64 = 0
        for position in 5...7 as ClosedRange<UInt64> {
            let start = JournalRecord.begin(&writer)
            writer.put(position)
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
        }
        func last(_ records: [UInt8]) -> UInt64? {
            var group = StoreWriter()
            return records.withByteView { records in
                let link = JournalGroup.Link(mark: 1, parent: 2)
                _ = JournalGroup.writeHeader(of: records, from: 5, link: link, to: &group)
                group.put(raw: records)
                guard case .group(let group) = JournalGroup.read(group.bytes, mark: 1, parent: 2)
                else { return nil }
                return group.lastPosition
            }
        }
        #expect(last(writer.bytes.array) == 7)
        #expect(last(writer.bytes.array.dropLast()) == 5)
        #expect(last([1, 2, 3]) == 5)
        // Behind the last number there is none; what follows it is not followed.
        var beyond = StoreWriter()
        for position in [UInt64.max, 9] {
            let start = JournalRecord.begin(&beyond)
            _ = JournalRecord.end(&beyond, from: start, position: position, parent: 0)
        }
        #expect(last(beyond.bytes.array) == 5)
    }
}
