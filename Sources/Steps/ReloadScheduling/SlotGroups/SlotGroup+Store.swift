internal import Basics
internal import StoreFormat

/// The stored form of a group: its `SlotGroupHeader`, the holes, the segments, and then the kinds
/// of its entries, of which there may be millions (`EntryKinds`).
///
///     segment:  start │ base │ first row │ width │ how many columns     32 bits each
///               columns                                                 32 each
extension SlotGroup {
    /// Bytes of a stored segment without its columns.
    private static var segmentByteCount: Int { 20 }

    /// Writes the whole group.
    func write(to writer: inout StoreWriter) {
        writeHead(to: &writer)
        writeEntries(from: 0, to: entries.count, to: &writer)
    }

    /// Writes everything but the entries.
    @inline(__always)
    func writeHead(to writer: inout StoreWriter) {
        SlotGroupHeader.write(self, to: &writer)
        if !isInUse { return }
        holes.write(to: &writer)
        for index in 0..<segments.count { segments[index].write(to: &writer) }
    }

    /// Writes the kinds of the entries `start` ..< `end`; `start` must be a multiple of
    /// `EntryKinds.entriesPerWord`.
    @inline(__always)
    func writeEntries(from start: UInt32, to end: UInt32, to writer: inout StoreWriter) {
        if isInUse { EntryKinds.write(entries, from: start, upTo: end, to: &writer) }
    }

    /// About how many bytes `write` writes: without the segments, which are few.
    var storedByteCount: Int {
        SlotGroupHeader.byteCount + holes.byteCount + EntryKinds.byteCount(entries.count)
    }

    /// Makes a group from its header, without members yet, or an unused slot of the slab.
    init(_ header: SlotGroupHeader, walk: WindowWalk) {
        let key = SlotGroupKey(
            second: header.second,
            width: header.width,
            span: header.span,
            offset: header.width == 1 ? header.offset : 0
        )
        self.init(key, walk: walk, offset: header.offset, undelayed: header.undelayed, after: nil)
        isInUse = header.isInUse
        isClosed = header.isClosed
        hasMixedOffsets = header.hasMixedOffsets
        generation = header.generation
        skippedInRow = header.skippedInRow
        next = header.next
    }

    /// Reads what follows the header. After an error, the arrays read so far stay in the group,
    /// which frees them.
    mutating func readArrays(
        _ reader: inout StoreReader,
        of header: SlotGroupHeader
    ) throws(StoreError) {
        if header.holeCount > 0 { holes = try Block(reading: &reader, count: header.holeCount) }
        if header.segmentCount > 0 { try readSegments(&reader, of: header) }
        entries = try EntryKinds.read(&reader, count: header.entryCount)
        if holes.count > 0 { try checkHoles(reader) }
        if header.hasFinished {
            finished = finishedCount
            if finished == 0 { throw reader.corrupt("a group without a finished member") }
        }
    }

    /// The number of entries whose member has finished.
    private var finishedCount: UInt32 {
        var count: UInt32 = 0
        entries.withElements(0, count: entries.count) { entries in
            for index in entries.indices { count &+= entries[index] == SlotEntry.finished ? 1 : 0 }
        }
        return count
    }

    /// Checks that `holes` has each entry at most once, and only entries that are holes.
    private func checkHoles(_ reader: StoreReader) throws(StoreError) {
        // A hole that has been met is marked, for the moment, as a skipped entry.
        var isPossible = true
        for index in 0..<holes.count where holes[index] < entries.count {
            isPossible = isPossible && entries[holes[index]] == SlotEntry.hole
            entries[holes[index]] = SlotEntry.skipped
        }
        if !isPossible { throw reader.corrupt("a group's hole is in use") }
        for index in 0..<holes.count where holes[index] < entries.count {
            entries[holes[index]] = SlotEntry.hole
        }
    }

    // MARK: - Segments

    /// Reads and checks the segments.
    private mutating func readSegments(
        _ reader: inout StoreReader,
        of header: SlotGroupHeader
    ) throws(StoreError) {
        if Int(header.segmentCount) > reader.remainingCount / Self.segmentByteCount {
            throw reader.corrupt("a group's segments are cut off")
        }
        for _ in 0..<header.segmentCount {
            unsafe segments.append(try Segment(reading: &reader))
            if !isLastSegmentPossible(header.entryCount) {
                throw reader.corrupt("an impossible segment")
            }
        }
    }

    /// Whether the last segment may follow the one before it, or the first matrix, in an array of
    /// this many entries.
    private func isLastSegmentPossible(_ entryCount: UInt32) -> Bool {
        let segment = segments[segments.count - 1]
        // The first matrix counts as a segment with all columns of the window.
        var before = Segment(
            start: undelayed,
            base: second,
            firstRow: 0,
            width: walk.width,
            columns: Block()
        )
        if segments.count > 1 { before = segments[segments.count - 2] }
        return segment.start > before.start && segment.start <= entryCount
            && segment.firstRow <= segment.start
            && isBeginPossible(segment, after: before)
            && isBasePossible(segment)
            && areColumnsPossible(segment)
    }

    /// Whether `segment` begins where a row of the segment before it ends; if that one has all
    /// columns, any entry of its first row is possible too.
    private func isBeginPossible(_ segment: Segment, after before: Segment) -> Bool {
        let count = segment.start - before.start
        if count < before.width.value { return before.columns.count == 0 }
        return count % before.width.value == 0
    }

    /// Whether a segment has some of the window's columns, or lies after the window.
    private func isBasePossible(_ segment: Segment) -> Bool {
        if segment.base == second { return segment.columns.count > 0 }
        return segment.base >= second + walk.width.value && segment.base <= SecondCounts.baseLimit
    }

    /// Whether the columns are columns of the walk, in the walk's order.
    private func areColumnsPossible(_ segment: Segment) -> Bool {
        if segment.columns.count == 0 { return segment.width.value == walk.width.value }
        if segment.columns.count != segment.width.value { return false }
        let inverse = UInt64(walk.inverseStride)
        var next: UInt32 = 0
        for index in 0..<segment.columns.count {
            let column = segment.columns[index]
            if column >= walk.width.value { return false }
            let distance = UInt64(column) + UInt64(walk.width.value - start)
            let step = walk.width.remainder(UInt64(walk.width.remainder(distance)) * inverse)
            if step < next { return false }
            next = step + 1
        }
        return true
    }
}

extension SlotGroup.Segment {
    fileprivate func write(to writer: inout StoreWriter) {
        writer.put(start)
        writer.put(base)
        writer.put(firstRow)
        writer.put(width.value)
        writer.put(columns.count)
        columns.write(to: &writer)
    }

    fileprivate init(reading reader: inout StoreReader) throws(StoreError) {
        let start = try reader.read(UInt32.self)
        let base = try reader.read(UInt32.self)
        let firstRow = try reader.read(UInt32.self)
        let width = try reader.read(UInt32.self)
        let columnCount = try reader.read(UInt32.self)
        if width == 0 { throw reader.corrupt("a segment without columns") }
        self.init(
            start: start,
            base: base,
            firstRow: firstRow,
            width: Divisor(width),
            columns: try Block(reading: &reader, count: columnCount)
        )
    }
}
