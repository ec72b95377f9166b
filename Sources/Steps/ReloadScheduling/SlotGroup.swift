/// Everybody with the same second of date and the same window.
///
///     entries:  [ the first few, not delayed ][ row 0: one for each second ][ row 1 ][ row 2 …
///                                               order of the seconds: start, start + stride, …
///
/// The array is a matrix, filled in order of arrival: rows by the seconds of the window. In each
/// row the seconds are walked by a stride near the golden ratio of the window and coprime to it
/// (Kronecker's sequence; Knuth 6.4 for hashing), so that every prefix is spread evenly and two
/// seconds never differ by more than one. The row says where in the second: another golden
/// sequence, the same for all seconds, so that any stretch of 1,000 ms, wherever it begins, holds at
/// most as many as there are rows. Nothing is random: the same calls give the same slots.
///
/// The window is [date, date + window). If the date lies within a second, that second's column is
/// in two pieces: rows whose fraction lies before the date's are due in the second after the
/// window's last. That needs one date to the ms; once a member comes with another one, the column
/// is closed to further members, who have all the whole seconds in between.
///
/// When the rate leaves no room in most seconds of a row, a further segment of the array begins (of
/// the first row as soon as it is seen: a date whose window is full holds no row of nobodies),
/// whose columns are only those seconds that had room; if none had, one for the seconds behind. At
/// the start of each row behind the window it is seen whether there is room in the window again,
/// because others have given theirs back: so a row of members at most goes behind it meanwhile.
struct SlotGroup: BitwiseCopyable {
    /// A stretch of the array with columns of its own.
    struct Segment: BitwiseCopyable {
        /// The index of its first entry.
        var start: UInt32
        /// The second of its column 0.
        var base: UInt32
        var firstRow: UInt32
        /// How many columns.
        var width: Divisor
        /// Which; empty if all of the window, in the group's order.
        var columns: Block<UInt32>
    }

    /// A place of the matrix.
    struct Cell {
        enum Kind {
            /// At the member's date itself.
            case undelayed
            /// In the second of the date, or the piece of it at the window's end.
            case first
            case later
        }

        var kind: Kind
        var second: UInt32
        /// Within the second.
        var millisecond: UInt32
        /// In which column of the row's order; 0 begins a row.
        var step: UInt32
        var row: UInt32
        /// Whether one of the undelayed stands for it.
        var isShadowed = false

        var at: Int64 { Int64(second) * 1_000 + Int64(millisecond) }
    }

    /// The second of the date.
    let second: UInt32
    /// Of the first member's date within the second, in ms.
    let offset: UInt32
    /// Of the window's column 0 in ms: 1,000 unless the whole window is shorter.
    let span: UInt32
    /// How many members are not delayed.
    let undelayed: UInt32
    let walk: WindowWalk
    let start: UInt32
    let phase: UInt32

    /// See `SlotEntry`.
    var entries = Block<UInt32>()
    /// Entries that cancelled members have left, each once; those beyond the array's end are void.
    var holes = Block<UInt32>()
    var segments = Block<Segment>()
    var skippedInRow: UInt32 = 0
    /// Members that hold an entry.
    var live: UInt32 = 0
    /// Whether a member came with another millisecond of the date.
    var isMixed = false
    /// Members that have finished: their seconds must not be given out again.
    var finished: UInt32 = 0
    /// Nobody can join any more, and the ledger has forgotten it but for its members.
    var isClosed = false
    var isInUse = true
    var generation: UInt32
    /// Groups of the same page of seconds.
    var next = SecondCounts.none
    var previous = SecondCounts.none

    /// A group without members, which uses a small array of what had its slot before again.
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

    var byteCount: Int {
        var total = entries.byteCount + holes.byteCount + segments.byteCount
        for index in 0..<segments.count { total += segments[index].columns.byteCount }
        return total
    }

    var hasFinished: Bool { finished > 0 }

    /// The beginning of the date's second.
    var hasBegunAt: Int64 { Int64(second) * 1_000 }

    var key: SlotGroupKey {
        SlotGroupKey(
            second: second,
            width: walk.width.value,
            span: span,
            offset: walk.width.value == 1 ? offset : 0
        )
    }

    /// Whether somebody with this key may join.
    @inline(__always)
    func matches(_ key: SlotGroupKey) -> Bool { self.key == key && isInUse && !isClosed }

    func holds(_ index: UInt32, _ generation: UInt32) -> Bool {
        isInUse && self.generation == generation && index < entries.count
            && SlotEntry.isMember(entries[index])
    }

    /// Gives back its memory but a small array, and makes its positions stale.
    mutating func close() {
        assert(live == 0)
        if entries.capacity > 16 { entries.free() } else { entries.removeAll() }
        holes.free()
        while let segment = segments.popLast() { segment.columns.deallocate() }
        segments.free()
        isInUse = false
        generation = (generation + 1) & SlotPosition.generationMask
    }

    /// Gives back all memory, for good.
    func deallocate() {
        for index in 0..<segments.count { segments[index].columns.deallocate() }
        segments.deallocate()
        holes.deallocate()
        entries.deallocate()
    }

    // MARK: - The matrix

    /// The place of an entry of the array.
    @inline(__always)
    func cell(_ index: UInt32) -> Cell {
        if index < undelayed {
            return Cell(kind: .undelayed, second: second, millisecond: offset, step: 1, row: 0)
        }
        if segments.count == 0 || index < segments[0].start {
            let place = index - undelayed
            let row = walk.width.quotient(place)
            let step = place - row * walk.width.value
            return cell(base: second, column: column(step), step: step, row: row)
        }
        return cell(index, in: segments[segment(of: index)])
    }

    func cell(_ index: UInt32, in segment: Segment) -> Cell {
        let place = index - segment.start
        let row = segment.width.quotient(place)
        let step = place - row * segment.width.value
        let column = segment.columns.count == 0 ? column(step) : segment.columns[step]
        return cell(base: segment.base, column: column, step: step, row: segment.firstRow + row)
    }

    @inline(__always)
    func column(_ step: UInt32) -> UInt32 {
        walk.width.remainder(UInt64(start) + UInt64(step) * UInt64(walk.stride))
    }

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
        if column < 2 && base == second { adjust(&cell, column, fraction) }
        return cell
    }

    /// Column 0 is in two pieces, or the whole of a short window, and the undelayed ones take places
    /// of the first 1,000 ms: of column 0, and of column 1 what lies before the date's millisecond.
    private func adjust(_ cell: inout Cell, _ column: UInt32, _ fraction: UInt64) {
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

    /// The last segment that begins at or before an index.
    func segment(of index: UInt32) -> UInt32 {
        var (low, high) = (0 as UInt32, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].start <= index { low = middle } else { high = middle }
        }
        return low
    }
}
