internal import Basics

/// How members join and leave a group.
extension SlotGroup {
    // MARK: - Placing

    /// Gives a new member an entry whose second is not full, and counts it there. Returns the
    /// entry's index and cell, and whether the group had to go beyond its window for it.
    @inline(__always)
    mutating func place(
        _ entry: UInt32,
        in seconds: inout SecondCounts
    ) -> (index: UInt32, cell: Cell, hasGrown: Bool) {
        assert(isInUse && !isClosed && SlotEntry.isMember(entry), "no member can join this group")
        live += 1
        while let hole = holes.popLast() {
            if hole >= entries.count { continue }
            let cell = cell(hole)
            if isOpen(cell) && seconds.acquire(cell.second) {
                entries[hole] = entry
                return (hole, cell, false)
            }
            entries[hole] = SlotEntry.skipped
        }
        var hasGrown = false
        while true {
            let index = entries.count
            let cell = cell(index)
            if cell.step == 0 {
                if needsSegment(index, row: cell.row, in: seconds) {
                    hasGrown = addSegment(atRow: cell.row, in: seconds) || hasGrown
                    continue
                }
                skippedInRow = 0
            }
            if isOpen(cell) && seconds.acquire(cell.second) {
                unsafe entries.append(entry)
                return (index, cell, hasGrown)
            }
            unsafe entries.append(SlotEntry.skipped)
            if cell.kind == .undelayed { continue }
            skippedInRow += 1
            if skippedInRow == Self.skipsBeforeCount && isFirstOfMostlyFull(cell, in: seconds) {
                hasGrown = addSegment(atRow: cell.row + 1, in: seconds) || hasGrown
            }
        }
    }

    /// After this many full seconds in the first row, all of the row's seconds are checked.
    private static var skipsBeforeCount: UInt32 { 16 }

    /// Whether a cell lies in the first row of the window, or of a segment after it that has all of
    /// its columns, and most seconds of the row are full.
    @inline(never)
    private func isFirstOfMostlyFull(_ cell: Cell, in seconds: borrowing SecondCounts) -> Bool {
        if cell.row > 0 { return false }
        if let last = segments.last, last.columns.count > 0 { return false }
        let base = segments.last?.base ?? second
        let width = walk.width.value
        return seconds.fullCount(from: base, to: base + width) * 2 > width
    }

    /// Whether the group lets new members use this cell; its second may still be full.
    @inline(__always)
    private func isOpen(_ cell: Cell) -> Bool {
        !cell.isShadowed && !(cell.kind == .first && hasMixedOffsets)
    }

    /// How many columns the row at an entry index has.
    private func width(at index: UInt32) -> UInt32 {
        if segments.count == 0 || index < segments[0].start { return walk.width.value }
        return segments[segment(of: index)].width.value
    }

    /// Whether the row that begins at an index needs a new segment: most seconds of the row before
    /// were full, or the row would lie after the window although the window has capacity again.
    private func needsSegment(
        _ index: UInt32,
        row: UInt32,
        in seconds: borrowing SecondCounts
    ) -> Bool {
        if skippedInRow * 2 > width(at: index) { return true }
        guard let last = segments.last, last.base != second else { return false }
        return windowHasRoom(row, in: seconds)
    }

    /// Whether a row of all the window's columns would have at least one usable cell.
    private func windowHasRoom(_ row: UInt32, in seconds: borrowing SecondCounts) -> Bool {
        let first = cell(base: second, column: 0, step: 0, row: row)
        if !hasMixedOffsets && seconds.hasRoom(first.second) { return true }
        let end = second + walk.width.value
        return seconds.firstWithRoom(from: second + 1, before: end) < end
    }

    /// Begins a segment at the array's end. Its columns are those of the last segment that have
    /// capacity, else those of the whole window that have; if the window has none, it lies after
    /// the window. Returns whether the segment is a new stretch after the window.
    private mutating func addSegment(
        atRow row: UInt32,
        in seconds: borrowing SecondCounts
    ) -> Bool {
        skippedInRow = 0
        let start = entries.count
        let whole = Segment(
            start: start,
            base: second,
            firstRow: row,
            width: walk.width,
            columns: Block()
        )
        var current = segments.last ?? whole
        var open = Block<UInt32>()
        if windowHasRoom(row, in: seconds) {
            if current.base == second { open = openColumns(of: current, atRow: row, in: seconds) }
            if open.count == 0 {
                current = whole
                open = openColumns(of: whole, atRow: row, in: seconds)
            }
            assert(open.count > 0)
        } else if current.base != second {
            open = openColumns(of: current, atRow: row, in: seconds)
        }
        if let last = segments.last, last.start == start {
            unsafe last.columns.deallocate()
            _ = segments.popLast()
        }
        if open.count > 0 {
            unsafe segments.append(
                Segment(
                    start: start,
                    base: current.base,
                    firstRow: row,
                    width: Divisor(open.count),
                    columns: open
                )
            )
            return false
        }
        let base = seconds.firstWithRoom(from: current.base + walk.width.value)
        unsafe segments.append(
            Segment(start: start, base: base, firstRow: 0, width: walk.width, columns: Block())
        )
        return true
    }

    /// The columns of a segment that have capacity in a row. The caller frees them; an empty result
    /// uses no memory.
    private func openColumns(
        of segment: Segment,
        atRow row: UInt32,
        in seconds: borrowing SecondCounts
    ) -> Block<UInt32> {
        var open = Block<UInt32>()
        for step in 0..<segment.width.value {
            let column = segment.columns.count == 0 ? column(step) : segment.columns[step]
            let cell = cell(base: segment.base, column: column, step: step, row: row)
            let isClosed = cell.kind == .first && hasMixedOffsets
            if !isClosed && seconds.hasRoom(cell.second) { unsafe open.append(column) }
        }
        return open
    }

    // MARK: - Leaving

    /// Removes a cancelled member, which is no longer counted in its second. Before the window
    /// begins (`mayMove`), the group's last member moves to the entry that became free, so that the
    /// load stays even: its id and the time at which it was due before are returned, nil if none
    /// moved. `mayRefill` says whether new members can still join.
    @inline(__always)
    mutating func release(
        _ index: UInt32,
        mayMove: Bool,
        mayRefill: Bool,
        in seconds: inout SecondCounts
    ) -> (id: UInt32, formerAt: ScheduleTime)? {
        assert(SlotEntry.isMember(entries[index]) && live > 0, "the entry has no member")
        live -= 1
        if mayMove {
            trim()
            let last = entries.count - 1
            if last == index {
                seconds.release(cell(index).second)
                removeLast()
                return nil
            }
            if SlotEntry.isMovable(entries[last])
                && (!hasMixedOffsets || cell(index).kind == .later)
            {
                let former = cell(last)
                seconds.release(former.second)
                entries[index] = entries[last]
                removeLast()
                return (entries[index], former.at)
            }
        }
        seconds.release(cell(index).second)
        entries[index] = SlotEntry.hole
        if mayRefill { unsafe holes.append(index) }
        return nil
    }

    /// Marks a member's entry as used up: its reload has been sent.
    mutating func finish(_ index: UInt32) {
        assert(SlotEntry.isMember(entries[index]) && live > 0, "the entry has no member")
        live -= 1
        finished += 1
        entries[index] = SlotEntry.finished
    }

    /// Drops unused entries at the array's end. At least one entry must have a member.
    private mutating func trim() {
        var end = entries.count
        while SlotEntry.isFree(entries[end - 1]) {
            if entries[end - 1] == SlotEntry.skipped && skippedInRow > 0 { skippedInRow -= 1 }
            _ = entries.popLast()
            end -= 1
        }
        dropSegments()
    }

    /// Removes the last entry of the array.
    private mutating func removeLast() {
        _ = entries.popLast()
        dropSegments()
    }

    /// Drops the segments that begin after the array's end.
    private mutating func dropSegments() {
        while let last = segments.last, last.start > entries.count {
            unsafe last.columns.deallocate()
            _ = segments.popLast()
        }
    }
}
