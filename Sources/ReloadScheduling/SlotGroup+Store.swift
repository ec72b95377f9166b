internal import ByteStorage
internal import StoreFormat

/// A group as bytes: its `SlotGroupHeader`, entries and holes as they are, then its segments.
///
///     segment:  start │ base │ first row │ width │ how many columns     32 bits each
///               columns                                                 32 each
extension SlotGroup {
    private static var segmentByteCount: Int { 20 }

    @inline(__always)
    func write(to writer: inout StoreWriter) {
        SlotGroupHeader.write(self, to: &writer)
        if !isInUse { return }
        entries.write(to: &writer)
        holes.write(to: &writer)
        for index in 0..<segments.count { segments[index].write(to: &writer) }
    }

    /// A group without members yet, or a slot without a group.
    init(_ header: SlotGroupHeader, walk: WindowWalk) {
        let key = SlotGroupKey(
            second: header.second,
            width: header.width,
            span: header.span,
            offset: header.width == 1 ? header.offset : 0
        )
        self.init(
            key,
            walk: walk,
            offset: header.offset,
            undelayed: header.undelayed,
            after: nil
        )
        isInUse = header.isInUse
        isClosed = header.isClosed
        isMixed = header.isMixed
        hasFinished = header.hasFinished
        generation = header.generation
        skippedInRow = header.skippedInRow
        next = header.next
    }

    /// Reads what follows the header; what was read before something is thrown stays, to be freed.
    mutating func readArrays(
        _ reader: inout StoreReader,
        _ header: SlotGroupHeader
    ) throws(StoreError) {
        entries = try Block(reading: &reader, count: header.entryCount)
        if header.holeCount > 0 { try readHoles(&reader, header.holeCount) }
        if header.segmentCount > 0 { try readSegments(&reader, header.segmentCount) }
    }

    // MARK: - Holes

    private mutating func readHoles(
        _ reader: inout StoreReader,
        _ count: UInt32
    ) throws(StoreError) {
        holes = try Block(reading: &reader, count: count)
        // Holes that have been met are marked by an entry that is none, so that each stands once.
        var isPossible = true
        for index in 0..<count where holes[index] < entries.count {
            isPossible = isPossible && entries[holes[index]] == SlotEntry.hole
            entries[holes[index]] = SlotEntry.skipped
        }
        if !isPossible { throw reader.corrupt("a group's hole is none") }
        for index in 0..<count where holes[index] < entries.count {
            entries[holes[index]] = SlotEntry.hole
        }
    }

    // MARK: - Segments

    private mutating func readSegments(
        _ reader: inout StoreReader,
        _ count: UInt32
    ) throws(StoreError) {
        if Int(count) > reader.remainingCount / Self.segmentByteCount {
            throw reader.corrupt("a group's segments are cut off")
        }
        for _ in 0..<count {
            segments.append(try Segment(reading: &reader))
            if !isLastSegmentPossible { throw reader.corrupt("a segment that cannot be") }
        }
    }

    /// Whether the last segment may follow the one before, or the matrix itself.
    private var isLastSegmentPossible: Bool {
        let segment = segments[segments.count - 1]
        // The matrix is as a segment of all the window's columns.
        var before = Segment(
            start: undelayed,
            base: second,
            firstRow: 0,
            width: walk.width,
            columns: Block()
        )
        if segments.count > 1 { before = segments[segments.count - 2] }
        return segment.start > before.start && segment.start <= entries.count
            && segment.firstRow <= segment.start
            && isBeginPossible(segment, after: before)
            && isBasePossible(segment)
            && areColumnsPossible(segment)
    }

    /// Whether the one before ends with a row, or within its first if that has all columns.
    private func isBeginPossible(_ segment: Segment, after before: Segment) -> Bool {
        let count = segment.start - before.start
        if count < before.width.value { return before.columns.count == 0 }
        return count % before.width.value == 0
    }

    /// Whether a segment has some of the window's columns, or lies behind it.
    private func isBasePossible(_ segment: Segment) -> Bool {
        if segment.base == second { return segment.columns.count > 0 }
        return segment.base >= second + walk.width.value && segment.base <= SecondCounts.baseLimit
    }

    /// Whether the columns are some of the walk's, in its order.
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
        let bytes = try reader.read(raw: 20)
        let width = bytes.littleEndian(UInt32.self, at: 12)
        let columnCount = bytes.littleEndian(UInt32.self, at: 16)
        if width == 0 { throw reader.corrupt("a segment without columns") }
        self.init(
            start: bytes.littleEndian(UInt32.self, at: 0),
            base: bytes.littleEndian(UInt32.self, at: 4),
            firstRow: bytes.littleEndian(UInt32.self, at: 8),
            width: Divisor(width),
            columns: try Block(reading: &reader, count: columnCount)
        )
    }
}
