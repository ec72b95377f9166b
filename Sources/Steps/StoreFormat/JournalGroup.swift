package import DataStructures

/// Records of the journal that were appended together, as they are stored in a segment: all of them
/// are kept, or none.
///
///     0    checksum of the next 24 bytes, seeded with that of the records     64 bits
///     8    bytes of the records                                               32 bits
///     12   mark of the segment                                                32 bits
///     16   position of the first record                                       64 bits
///     24   checksum of the group before, or of the segment's header           64 bits
///     32   records, one after the other
///
/// The mark is a part of the checksum of the segment's header, which is not known outside of the
/// router. Groups that follow damaged bytes are found by it, and no sender can put it into a
/// payload on purpose.
@safe
package struct JournalGroup {
    package static var headerByteCount: Int { 32 }
    /// The offset of the mark in a group.
    package static var markOffset: Int { 12 }
    /// The most bytes of records in a group.
    package static var recordsLimit: Int { JournalRecord.bodyLimit + (64 << 20) }

    /// The position of the first record.
    package let position: UInt64
    package let checksum: UInt64
    /// A view that is valid as long as the bytes the group was read from.
    package let records: ByteView

    package var byteCount: Int { Self.headerByteCount + records.count }

    /// The position of the last record, from the records' headers; that of the first one if these
    /// cannot be followed.
    package var lastPosition: UInt64 { Self.lastPosition(in: records) ?? position }

    /// The fields of a group's header that bind it to its segment and to what precedes it.
    package struct Link: Equatable, Sendable {
        package var mark: UInt32
        /// The checksum of the group before, or of the segment's header.
        package var parent: UInt64

        package init(mark: UInt32, parent: UInt64) {
            self.mark = mark
            self.parent = parent
        }
    }

    /// Appends the header of a group; the records follow it.
    ///
    /// - Returns: the group's checksum, which the next group names as its parent.
    package static func writeHeader(
        of records: ByteView,
        from position: UInt64,
        _ link: Link,
        to writer: inout StoreWriter
    ) -> UInt64 {
        precondition(records.count <= recordsLimit, "a group of \(records.count) bytes")
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(UInt32(records.count))
        writer.put(link.mark)
        writer.put(position)
        writer.put(link.parent)
        let fields = writer.bytes.slice(start + 8, start + headerByteCount)
        let sum = StoreFormat.checksum(fields, seed: StoreFormat.checksum(records))
        writer.patch(sum, at: start)
        return sum
    }

    /// The result of reading a group.
    package enum Reading {
        case group(JournalGroup)
        /// The bytes end too early: this many are needed to decide.
        case incomplete(Int)
        /// No group, or one that does not follow what precedes it.
        case broken
    }

    /// Reads the group at the beginning of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: a part of a segment.
    ///   - mark: the segment's mark.
    ///   - parent: the checksum of the group or header before; nil to accept any.
    /// - Returns: the group, or why there is none.
    package static func read(
        _ bytes: ByteView,
        mark: UInt32,
        parent: UInt64?
    ) -> Reading {
        var reader = StoreReader(bytes)
        guard let sum = try? reader.read(UInt64.self),
            let count = try? reader.read(UInt32.self),
            let foundMark = try? reader.read(UInt32.self),
            let position = try? reader.read(UInt64.self),
            let foundParent = try? reader.read(UInt64.self)
        else { return .incomplete(headerByteCount) }
        if foundMark != mark || count > recordsLimit { return .broken }
        if let parent, parent != foundParent { return .broken }
        guard let records = try? reader.read(raw: Int(count)) else {
            return .incomplete(headerByteCount + Int(count))
        }
        let found = StoreFormat.checksum(
            bytes.slice(8, headerByteCount),
            seed: StoreFormat.checksum(records)
        )
        if found != sum { return .broken }
        return .group(JournalGroup(position: position, checksum: sum, records: records))
    }

    /// Follows the headers of records to the last one; nil if they are damaged.
    package static func lastPosition(in records: ByteView) -> UInt64? {
        var position: UInt64?
        var reader = StoreReader(records)
        while !reader.isAtEnd {
            guard (try? reader.read(UInt64.self)) != nil,
                let count = try? reader.read(UInt32.self),
                (try? reader.read(UInt32.self)) != nil,
                let found = try? reader.read(UInt64.self),
                (try? reader.read(UInt64.self)) != nil,
                (try? reader.read(raw: Int(count))) != nil
            else { return nil }
            if let position, found != position &+ 1 { return nil }
            position = found
        }
        return position
    }
}
