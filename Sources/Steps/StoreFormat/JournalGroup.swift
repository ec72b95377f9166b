package import Basics

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
/// The mark is the same in all groups of a segment: the upper half of the checksum of the segment's
/// header. It distinguishes a torn end from damage. After bytes that are no whole group, the rest
/// of the segment is searched for the mark. If a whole group follows, the bytes before it were
/// damaged later, because a group is written only after the one before it. The checksum of the
/// header covers the store's random identifier, which publishers and devices never learn; so none
/// of them can put the mark into a payload on purpose.
///
/// If the sync of a group fails, its pushes are not acknowledged, and `reopen` removes the group
/// before the next one is appended. If the router is killed before that, the next start keeps the
/// group if it is whole, because the system still has its bytes in memory, and otherwise removes it
/// as torn. Both are correct: WELCOME reports the last push that was kept, and publishers send the
/// later ones again.
///
/// One case remains that this does not cover. After a failed sync, the system may count the group's
/// bytes as written, so that the sync at the next start does nothing, although the group was kept.
/// If the power then fails, later groups may be on the disk without this one. Such a store is
/// refused as damaged, and `store repair` keeps the groups before the missing one.
package struct JournalGroup {
    /// The length of the header, in bytes.
    package static var headerByteCount: Int { 32 }
    /// The offset of the mark in a group.
    package static var markOffset: Int { 12 }
    /// The most bytes of records in a group.
    package static var recordsLimit: Int { JournalRecord.bodyLimit + (64 << 20) }

    /// The position of the first record.
    package let position: UInt64
    /// The checksum of header and records, which the next group names as its parent.
    package let checksum: UInt64
    /// A view that is valid as long as the bytes the group was read from.
    package let records: ByteView

    /// The length of the group, header included, in bytes.
    package var byteCount: Int { Self.headerByteCount + records.count }

    /// The position of the last record, from the records' headers; that of the first one if these
    /// cannot be followed.
    package var lastPosition: UInt64 { Self.lastPosition(in: records) ?? position }

    /// The fields of a group's header that bind it to its segment and to what precedes it.
    package struct Link: Equatable, Sendable {
        /// The mark of the segment, which is the same in all its groups.
        package var mark: UInt32
        /// The checksum of the group before, or of the segment's header.
        package var parent: UInt64

        /// Makes the fields for the next group of a segment.
        package init(mark: UInt32, parent: UInt64) {
            self.mark = mark
            self.parent = parent
        }
    }

    /// Appends the header of a group; the records follow it. Returns the group's checksum, which
    /// the next group names as its parent.
    package static func writeHeader(
        of records: ByteView,
        from position: UInt64,
        link: Link,
        to writer: inout StoreWriter
    ) -> UInt64 {
        precondition(records.count <= recordsLimit, "a group of \(records.count) bytes")
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(UInt32(records.count))
        writer.put(link.mark)
        writer.put(position)
        writer.put(link.parent)
        let fields = writer.bytes.slice(start + 8, to: start + headerByteCount)
        let sum = StoreFormat.checksum(fields, seed: StoreFormat.checksum(records))
        writer.patch(sum, at: start)
        return sum
    }

    /// What is at the beginning of the bytes given to `read`.
    package enum Reading {
        /// A whole group that follows the one before.
        case group(JournalGroup)
        /// The bytes end before the group does; to continue, at least this many are needed.
        case incomplete(Int)
        /// The bytes are no group of this segment, are damaged, or do not follow the group before.
        case broken
    }

    /// Reads the group at the beginning of a part of a segment with a mark, or says why there is
    /// none. The checksum of the group or header before is nil to accept any.
    package static func read(_ bytes: ByteView, mark: UInt32, parent: UInt64?) -> Reading {
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
            bytes.slice(8, to: headerByteCount),
            seed: StoreFormat.checksum(records)
        )
        if found != sum { return .broken }
        return .group(JournalGroup(position: position, checksum: sum, records: records))
    }

    /// Whether bytes at the end of a segment, which are no whole group, may be the beginning of one
    /// whose writing the end of its process has interrupted; false if they are something else, or
    /// were changed later. A file grows while it is written, so such an end is shorter than its
    /// header says, and is otherwise as it should be. Only if the machine itself stops may parts of
    /// it be missing. The link binds the next group, whose first record has the position, to the
    /// segment.
    package static func mayBeInterrupted(_ bytes: ByteView, link: Link, position: UInt64) -> Bool {
        if bytes.count < headerByteCount { return true }
        var reader = StoreReader(bytes)
        guard let sum = try? reader.read(UInt64.self),
            let count = try? reader.read(UInt32.self),
            let mark = try? reader.read(UInt32.self), mark == link.mark,
            let found = try? reader.read(UInt64.self), found == position,
            let parent = try? reader.read(UInt64.self), parent == link.parent,
            count <= recordsLimit, Int(count) > reader.remainingCount
        else { return false }
        // If the rest is a whole group but for its length, the length is what was changed.
        var writer = StoreWriter(capacity: headerByteCount)
        let records = bytes.slice(headerByteCount, to: bytes.count)
        return writeHeader(of: records, from: position, link: link, to: &writer) != sum
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
