internal import Basics

/// The number of a group in its ledger; reused after the group is freed.
struct GroupSlot: SlotNumber {
    let rawValue: UInt32
}

/// The scheduled reloads of an origin that have the same second of their date and the same window,
/// spread over the seconds of that window.
///
///     entries:  [ the first few, not delayed ][ row 0: one for each second ][ row 1 ][ row 2 …
///                                               order of the seconds: start, start + stride, …
///
/// The array is a matrix that is filled in order of arrival. A row has one entry for each second of
/// the window. In each row the seconds are visited with a stride near the golden ratio of the
/// window and coprime to it (Kronecker's sequence; Knuth 6.4 for hashing), so that every prefix is
/// spread evenly and the counts of two seconds never differ by more than one. The row determines
/// the time within the second: by another golden-ratio sequence, the same for all seconds, so that
/// any stretch of 1,000 ms, wherever it begins, holds at most as many members as there are rows.
/// Nothing is random: the same calls give the same slots.
///
/// The window is [date, date + window). If the date lies within a second, that second's column is
/// in two pieces: rows whose fraction lies before the date's are due in the second after the
/// window's last. That requires all members to have the same date to the millisecond. Once a member
/// comes with another one, the column is closed to new members, which get the whole seconds in
/// between.
///
/// When most seconds of a row are full, a new segment of the array begins. Its columns are only
/// those seconds that had capacity; if none had, it covers the seconds after the window. In the
/// first row this is noticed early, so that a date whose window is full does not keep a whole row
/// of empty entries. At the start of each row after the window, the window is checked for capacity
/// that other groups have released: so at most one row of members goes after the window in the
/// meantime.
struct SlotGroup: BitwiseCopyable {
    /// A stretch of the array with columns of its own.
    struct Segment: BitwiseCopyable {
        /// The index of its first entry.
        var start: UInt32
        /// The second of its column 0.
        var base: UInt32
        /// The number of its first row: rows are counted on from segment to segment, but from 0
        /// again after the window.
        var firstRow: UInt32
        /// How many columns a row has.
        var width: Divisor
        /// The columns in the order in which they are visited; empty if they are all of the window,
        /// in the group's order.
        var columns: Block<UInt32>
    }

    /// The second, the time within it and the matrix position that belong to an entry.
    struct Cell {
        /// Where in the window a cell is due.
        enum Kind {
            /// At the member's date itself.
            case undelayed
            /// In the second of the date, or in the part of that column at the window's end.
            case first
            /// In one of the other seconds.
            case later
        }

        var kind: Kind
        var second: UInt32
        /// The time within the second, in ms: 0 ..< 1,000.
        var millisecond: UInt32
        /// Position within the row; 0 is the row's first.
        var step: UInt32
        var row: UInt32
        /// Whether an undelayed member already uses this cell's share of the second.
        var isShadowed = false

        /// When the cell is due.
        var at: ScheduleTime { ScheduleTime(second: second) + Milliseconds(millisecond) }
    }

    /// The second of the date.
    let second: UInt32
    /// The millisecond of the first member's date within that second.
    let offset: UInt32
    /// Length in ms of the window's column 0: 1,000, unless the whole window is shorter.
    let span: UInt32
    /// How many of the first members are not delayed.
    let undelayed: UInt32
    /// The order in which a row visits the seconds of the window.
    let walk: WindowWalk
    /// The column at which the walk starts.
    let start: UInt32
    /// The start of the sequence that determines the time within a second.
    let phase: UInt32

    /// The entries in the order in which they were added: see `SlotEntry`.
    var entries = Block<UInt32>()
    /// Indexes of entries that cancelled members have left, each once; indexes beyond the array's
    /// end are stale and are ignored.
    var holes = Block<UInt32>()
    /// The segments after the first matrix, by their starts.
    var segments = Block<Segment>()
    /// Entries of the current row that were skipped.
    var skippedInRow: UInt32 = 0
    /// Members that have neither left nor finished.
    var live: UInt32 = 0
    /// Whether a member came with another millisecond of the date than the first.
    var hasMixedOffsets = false
    /// Members that have finished: their cells must not be given to others.
    var finished: UInt32 = 0
    /// Whether no member can join any more; the ledger then keeps the group only for its members.
    var isClosed = false
    /// Whether the slot of the slab has a group.
    var isInUse = true
    /// Counts the groups that this slot of the slab has had: see `SlotPosition`.
    var generation: UInt32
    /// The next group in the list of the groups whose dates lie in the same page of seconds;
    /// `none` for the last.
    var next = GroupSlot.none
    /// The group before this one in the same list as `next`; `none` for the first.
    var previous = GroupSlot.none

    /// Makes a group without members. It reuses the small array that the slot's former group left,
    /// and its generation.
    init(
        _ key: SlotGroupKey,
        walk: WindowWalk,
        offset: UInt32,
        undelayed: UInt32,
        after old: Self?
    ) {
        second = key.second
        span = key.span
        self.offset = offset
        self.undelayed = undelayed
        self.walk = walk
        let hash = key.hash
        start = UInt32(truncatingIfNeeded: (hash >> 32) % UInt64(walk.width.value))
        phase = UInt32(truncatingIfNeeded: hash)
        generation = 0
        if let old {
            entries = old.entries
            generation = old.generation
        }
    }

    /// Bytes allocated from the system.
    var byteCount: Int {
        var total = entries.byteCount + holes.byteCount + segments.byteCount
        for index in 0..<segments.count { total += segments[index].columns.byteCount }
        return total
    }

    var hasFinished: Bool { finished > 0 }

    /// The beginning of the date's second.
    var startsAt: ScheduleTime { ScheduleTime(second: second) }

    var key: SlotGroupKey {
        SlotGroupKey(
            second: second,
            width: walk.width.value,
            span: span,
            offset: walk.width.value == 1 ? offset : 0
        )
    }

    /// Whether a reload with this key may join.
    @inline(__always)
    func matches(_ key: SlotGroupKey) -> Bool { self.key == key && isInUse && !isClosed }

    /// Whether the entry has a member, and the generation is that of this group.
    func contains(_ index: UInt32, generation: UInt32) -> Bool {
        isInUse && self.generation == generation && index < entries.count
            && SlotEntry.isMember(entries[index])
    }

    /// Frees all memory except a small array, and makes the group's positions stale.
    mutating func close() {
        assert(live == 0)
        if entries.capacity > 16 { unsafe entries.free() } else { entries.removeAll() }
        unsafe holes.free()
        while let segment = segments.popLast() { unsafe segment.columns.deallocate() }
        unsafe segments.free()
        isInUse = false
        generation = (generation + 1) & SlotPosition.generationMask
    }

    /// Frees all memory. The group and its copies must not be used afterwards.
    @unsafe
    func deallocate() {
        for index in 0..<segments.count { unsafe segments[index].columns.deallocate() }
        unsafe segments.deallocate()
        unsafe holes.deallocate()
        unsafe entries.deallocate()
    }

    // MARK: - The matrix

    /// The cell of an entry of the array.
    @inline(__always)
    func cell(_ index: UInt32) -> Cell {
        if index < undelayed {
            return Cell(kind: .undelayed, second: second, millisecond: offset, step: 1, row: 0)
        }
        if segments.count == 0 || index < segments[0].start {
            let position = index - undelayed
            let row = walk.width.quotient(position)
            let step = position - row * walk.width.value
            return cell(base: second, column: column(step), step: step, row: row)
        }
        return cell(index, in: segments[segment(of: index)])
    }

    /// The cell of an entry in a known segment.
    func cell(_ index: UInt32, in segment: Segment) -> Cell {
        assert(index >= segment.start, "the entry is of an earlier segment")
        let position = index - segment.start
        let row = segment.width.quotient(position)
        let step = position - row * segment.width.value
        let column = segment.columns.count == 0 ? column(step) : segment.columns[step]
        return cell(base: segment.base, column: column, step: step, row: segment.firstRow + row)
    }

    /// The column that the walk visits at a step.
    @inline(__always)
    func column(_ step: UInt32) -> UInt32 {
        assert(step < walk.width.value, "a row has no such step")
        return walk.width.remainder(UInt64(start) + UInt64(step) * UInt64(walk.stride))
    }

    /// The cell at a column and row of a stretch that begins at the second `base`.
    @inline(__always)
    func cell(base: UInt32, column: UInt32, step: UInt32, row: UInt32) -> Cell {
        let fraction = UInt64(phase &+ row &* 0x9e37_79b9)
        var cell = Cell(
            kind: .later,
            second: base + column,
            millisecond: UInt32(truncatingIfNeeded: (fraction * 1_000) >> 32),
            step: step,
            row: row
        )
        if column < 2 && base == second { adjust(&cell, column: column, fraction: fraction) }
        return cell
    }

    /// Corrects a cell of columns 0 and 1. Column 0 is in two pieces, or is the whole of a short
    /// window; and the undelayed members use the cells of the first 1,000 ms: those of column 0,
    /// and those of column 1 before the date's millisecond.
    private func adjust(_ cell: inout Cell, column: UInt32, fraction: UInt64) {
        let isBefore = cell.millisecond < offset
        cell.isShadowed =
            cell.row < undelayed && isBefore == (column == 1) && segments.count == 0
            && walk.width.value > 1
        if column == 1 { return }
        cell.kind = .first
        if span < 1_000 {
            let time = offset + UInt32(truncatingIfNeeded: (fraction * UInt64(span)) >> 32)
            cell.second += time / 1_000
            cell.millisecond = time % 1_000
        } else if isBefore {
            cell.second += walk.width.value
        }
    }

    /// The index of the last segment that begins at or before an entry index.
    func segment(of index: UInt32) -> UInt32 {
        assert(segments.count > 0 && index >= segments[0].start)
        var (low, high) = (0 as UInt32, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].start <= index { low = middle } else { high = middle }
        }
        return low
    }
}

extension SlotGroup {
    /// Checks that `live` and `finished` agree with the entries, that `holes` lists only holes,
    /// each once, and that the segments follow each other.
    func checkInvariants() throws(InvariantViolation) {
        var (members, ended) = (0 as UInt32, 0 as UInt32)
        for index in 0..<entries.count {
            if SlotEntry.isMember(entries[index]) { members += 1 }
            if entries[index] == SlotEntry.finished { ended += 1 }
        }
        try checkInvariant(
            members == live && ended == finished,
            otherwise: "the group of second \(second) has \(members) members and \(ended) finished "
                + "ones, and counts \(live) and \(finished)"
        )
        var listed: Set<UInt32> = []
        for position in 0..<holes.count where holes[position] < entries.count {
            let hole = holes[position]
            try checkInvariant(
                entries[hole] == SlotEntry.hole && listed.insert(hole).inserted,
                otherwise: "entry \(hole) of second \(second) is listed as a hole, and is none"
            )
        }
        for index in 0..<segments.count {
            let before = index == 0 ? undelayed : segments[index - 1].start
            let segment = segments[index]
            try checkInvariant(
                segment.start > before && segment.start <= entries.count
                    && (segment.columns.count == 0 || segment.columns.count == segment.width.value),
                otherwise: "segment \(index) of second \(second) begins at \(segment.start), "
                    + "after \(before) and of \(entries.count)"
            )
        }
        try checkInvariant(
            offset < 1_000 && span <= 1_000 && generation <= SlotPosition.generationMask,
            otherwise: "the group of second \(second) has offset \(offset) and span \(span)"
        )
    }
}

/// What the members of a group have in common: the second of their date, and their window.
struct SlotGroupKey: Equatable {
    /// The second of the date, in schedule time.
    var second: UInt32
    /// Seconds in the window, at least 1.
    var width: UInt32
    /// See `SlotGroup.span`.
    var span: UInt32
    /// For a window of one second, the date's millisecond within its second; else 0.
    var offset: UInt32

    /// A fixed hash of the key, from which the group's slots follow; it is no secret.
    var hash: UInt64 {
        let word = UInt64(second) << 32 | UInt64(width) << 12 | UInt64(offset)
        return SplitMix64.mixed(word &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(span))
    }
}
