internal import Basics
internal import StoreFormat

/// The stored form of the fixed part of a `SlotGroup`, which comes before the group's arrays.
///
///     0    flags: 1 in use, 2 closed, 4 mixed offsets, 8 has finished  16 bits
///     2    generation                                                  16
///     4    second │ width                                              32 + 32
///     12   offset │ span                                               16 + 16
///     16   undelayed │ entries skipped in the current row              32 + 32
///     24   the next group of the page of seconds                       32
///     28   numbers of entries │ holes │ segments                       32 each
///
/// The fields mean the same as in `SlotGroup`. For a slot of the slab that holds no group, only the
/// first four bytes are stored.
struct SlotGroupHeader {
    /// Bytes of the header of a slot without a group.
    static var unusedByteCount: Int { 4 }
    private static var otherByteCount: Int { 36 }
    /// Bytes of the header of a group.
    static var byteCount: Int { unusedByteCount + otherByteCount }

    private(set) var isInUse = false
    private(set) var isClosed = false
    private(set) var hasMixedOffsets = false
    private(set) var hasFinished = false
    private(set) var generation: UInt32
    private(set) var second: UInt32 = 0
    private(set) var width: UInt32 = 1
    private(set) var offset: UInt32 = 0
    private(set) var span: UInt32 = 0
    private(set) var undelayed: UInt32 = 0
    private(set) var skippedInRow: UInt32 = 0
    private(set) var next = GroupSlot.none
    private(set) var entryCount: UInt32 = 0
    private(set) var holeCount: UInt32 = 0
    private(set) var segmentCount: UInt32 = 0

    /// The header of a slot without a group.
    static var unused: SlotGroupHeader { SlotGroupHeader(generation: 0) }

    private init(generation: UInt32) { self.generation = generation }

    // MARK: - Writing

    /// Writes the header of a group, or of a slot without one.
    @inline(__always)
    static func write(_ group: borrowing SlotGroup, to writer: inout StoreWriter) {
        writer.put(flags(group))
        writer.put(UInt16(truncatingIfNeeded: group.generation))
        if !group.isInUse { return }
        writer.put(group.second)
        writer.put(group.walk.width.value)
        writer.put(UInt16(truncatingIfNeeded: group.offset))
        writer.put(UInt16(truncatingIfNeeded: group.span))
        writer.put(group.undelayed)
        writer.put(group.skippedInRow)
        // A closed group is in no page's list; its link is a remnant of the time when it was.
        writer.put((group.isClosed ? .none : group.next).rawValue)
        writer.put(group.entries.count)
        writer.put(group.holes.count)
        writer.put(group.segments.count)
    }

    /// The flags with which the header of a group begins; 0 for a slot without one.
    private static func flags(_ group: borrowing SlotGroup) -> UInt16 {
        if !group.isInUse { return 0 }
        return 1 | (group.isClosed ? 2 : 0) | (group.hasMixedOffsets ? 4 : 0)
            | (group.hasFinished ? 8 : 0)
    }

    // MARK: - Reading

    init(reading reader: inout StoreReader) throws(StoreError) {
        let flags = try reader.read(UInt16.self)
        generation = UInt32(try reader.read(UInt16.self))
        if flags > 15 || flags & 1 == 0 && flags > 0 || generation > SlotPosition.generationMask {
            throw reader.corrupt("an impossible slot of a group")
        }
        if flags == 0 { return }
        isInUse = true
        isClosed = flags & 2 != 0
        hasMixedOffsets = flags & 4 != 0
        hasFinished = flags & 8 != 0
        second = try reader.read(UInt32.self)
        width = try reader.read(UInt32.self)
        offset = UInt32(try reader.read(UInt16.self))
        span = UInt32(try reader.read(UInt16.self))
        undelayed = try reader.read(UInt32.self)
        skippedInRow = try reader.read(UInt32.self)
        next = GroupSlot(rawValue: try reader.read(UInt32.self))
        entryCount = try reader.read(UInt32.self)
        holeCount = try reader.read(UInt32.self)
        segmentCount = try reader.read(UInt32.self)
        if !isPossible { throw reader.corrupt("an impossible group of slots") }
    }

    /// Whether the fields can be those of a group.
    private var isPossible: Bool {
        second <= SecondCounts.lastSecond
            && width >= 1 && width <= UInt32(SlotLedger.windowLimit.wholeSeconds)
            && offset < 1_000
            && (span == 1_000 || span < 1_000 && width == 1)
            && undelayed <= UInt32(SlotLedger.undelayedLimit)
            && skippedInRow <= width
            && !(hasMixedOffsets && width == 1)
            && !(isClosed && !next.isNone)
    }
}
