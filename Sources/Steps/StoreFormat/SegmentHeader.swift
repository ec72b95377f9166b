package import Basics

/// The header of a segment, a file of the journal: which store it belongs to, and what precedes it.
///
///     0    checksum of all that follows                                       64 bits
///     8    "RRJOURNL"                                                         64 bits
///     16   identifier of the store                                            128 bits
///     32   position of the first record                                       64 bits
///     40   checksum of the last group of the segment before (if that has
///          none, of its header); 0 if there is no segment before              64 bits
///
/// So a missing segment, or one of another store or history, is detected.
package struct SegmentHeader: Equatable, Sendable {
    /// The length of the header, in bytes.
    package static var byteCount: Int { 48 }
    private static var magic: UInt64 { 0x4c4e_5255_4f4a_5252 }

    /// The identifier of the store to which the segment belongs.
    package let identifier: StoreDescription.Identifier
    /// The position of the first record.
    package let first: UInt64
    /// The checksum of the last group of the segment before, or of its header; 0 for the first
    /// segment.
    package let parent: UInt64

    /// Makes the header of a segment whose first record has the position `first`.
    package init(identifier: StoreDescription.Identifier, first: UInt64, parent: UInt64) {
        self.identifier = identifier
        self.first = first
        self.parent = parent
    }

    /// Appends the header, and returns its checksum.
    @discardableResult
    package func write(to writer: inout StoreWriter) -> UInt64 {
        precondition(first > 0, "positions are counted from 1")
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(Self.magic)
        identifier.write(to: &writer)
        writer.put(first)
        writer.put(parent)
        let sum = StoreFormat.checksum(writer.bytes.slice(start + 8, to: writer.count))
        writer.patch(sum, at: start)
        return sum
    }

    /// The header's checksum, which the segment's first group names as its parent.
    package var checksum: UInt64 {
        var writer = StoreWriter(capacity: Self.byteCount)
        return write(to: &writer)
    }

    /// The number in the headers of the segment's groups, by which they are recognised.
    package var mark: UInt32 { UInt32(truncatingIfNeeded: checksum >> 32) }

    /// Reads the header at the beginning of `bytes`; nil if there is none, or it is damaged.
    package init?(_ bytes: ByteView) {
        if bytes.count < Self.byteCount { return nil }
        var reader = StoreReader(bytes.slice(0, to: Self.byteCount))
        guard let sum = try? reader.read(UInt64.self),
            sum == StoreFormat.checksum(bytes.slice(8, to: Self.byteCount)),
            let magic = try? reader.read(UInt64.self), magic == Self.magic,
            let identifier = try? StoreDescription.Identifier(reading: &reader),
            let first = try? reader.read(UInt64.self), first > 0,
            let parent = try? reader.read(UInt64.self)
        else { return nil }
        self.init(identifier: identifier, first: first, parent: parent)
    }

    // MARK: - File names

    /// The name of the file of the segment whose first record has this position.
    package static func fileName(_ first: UInt64) -> String {
        let digits = String(first)
        return String(repeating: "0", count: 20 - digits.count) + digits + ".log"
    }

    /// The position in a file's name; nil if it is not the name of a segment.
    package static func first(ofFile name: String) -> UInt64? {
        guard name.hasSuffix(".log"), let first = UInt64(name.dropLast(4)) else { return nil }
        return fileName(first) == name ? first : nil
    }
}
