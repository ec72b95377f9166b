internal import Basics

/// Checks a ledger that is read from a store: adds up the members of its groups second by second,
/// and compares the sums with the stored counts. A second counts each of its members, so a sum
/// above its count means damage.
///
/// A long array of entries is added up row by row, each entry to the one above it in its column (a
/// processor does several at a time); only then are the column sums added to their seconds:
///
///     row 0     1  1  0  1  1  …      1: a member, 0: a hole, or one that has finished
///     row 1     1  0  0  1  1  …
///     row 2     1  1  1  1
///     sums      3  2  1  3  2  …  ─► second of each column
struct SecondClaims: ~Copyable {
    /// The members found so far in each second: 128 entries for each page of `SecondCounts.pages`,
    /// in their order.
    private var claimed: ContiguousArray<UInt32>
    /// Members in each column of the segment being added.
    private var sums: ContiguousArray<UInt32> = []
    /// False once a member lies in a second that has no page and is not forgotten either.
    private var isPossible = true
    /// Members found so far in the group being added.
    private var memberCount: UInt32 = 0
    /// The page number of the last lookup and its result, because neighbouring columns share a
    /// page.
    private var lastNumber: UInt32?
    private var lastPage: PageID?

    /// Makes a check without claims against counts whose pages do not change meanwhile.
    init(_ seconds: borrowing SecondCounts) {
        let count = seconds.pages.count * Int(SecondCounts.pageSize)
        claimed = ContiguousArray(repeating: 0, count: count)
    }

    /// Adds a group's members, and returns how many there are.
    mutating func add(_ group: SlotGroup, in seconds: borrowing SecondCounts) -> UInt32 {
        assert(group.isInUse, "a slot without a group has no members")
        memberCount = 0
        let end = group.entries.count
        let matrix = min(group.undelayed, end)
        addSingly(group, from: 0, upTo: matrix, in: seconds)
        let first = group.segments.count == 0 ? end : group.segments[0].start
        if first > matrix { addRows(group, of: nil, from: matrix, upTo: first, in: seconds) }
        for index in 0..<group.segments.count {
            let segment = group.segments[index]
            let isLast = index + 1 == group.segments.count
            let next = isLast ? end : group.segments[index + 1].start
            addRows(group, of: segment, from: segment.start, upTo: next, in: seconds)
        }
        return memberCount
    }

    /// Whether no second has more members than are counted for it.
    func areMet(_ seconds: borrowing SecondCounts) -> Bool {
        if !isPossible { return false }
        var position = 0
        for page in seconds.pages.elements {
            if page.number != nil {
                for second in 0..<SecondCounts.pageSize
                where claimed[position + Int(second)] > page.counts[second] { return false }
            }
            position += Int(SecondCounts.pageSize)
        }
        return true
    }

    // MARK: - Entries

    /// Adds the members among the entries `start` ..< `end`, one by one.
    private mutating func addSingly(
        _ group: SlotGroup,
        from start: UInt32,
        upTo end: UInt32,
        in seconds: borrowing SecondCounts
    ) {
        for index in start..<end where SlotEntry.isMember(group.entries[index]) {
            memberCount += 1
            claim(group.cell(index).second, count: 1, in: seconds)
        }
    }

    /// Adds the members of a segment, or of the group's matrix before its first segment (`segment`
    /// nil), by columns.
    private mutating func addRows(
        _ group: SlotGroup,
        of segment: SlotGroup.Segment?,
        from start: UInt32,
        upTo end: UInt32,
        in seconds: borrowing SecondCounts
    ) {
        let width = segment?.width.value ?? group.walk.width.value
        // With only a few rows, going through all columns costs more than it saves.
        if end - start < 4 * width { return addSingly(group, from: start, upTo: end, in: seconds) }
        sumUp(group.entries, from: start, upTo: end, width: width)
        let base = segment?.base ?? group.second
        for step in 0..<width where sums[Int(step)] > 0 {
            var column = group.column(step)
            if let segment, segment.columns.count > 0 { column = segment.columns[step] }
            memberCount += sums[Int(step)]
            if column > 0 || base != group.second {
                claim(base + column, count: sums[Int(step)], in: seconds)
                continue
            }
            // The members of column 0 of the date's second may be due in two different seconds.
            for index in stride(from: start + step, to: end, by: Int(width))
            where SlotEntry.isMember(group.entries[index]) {
                claim(group.cell(index).second, count: 1, in: seconds)
            }
        }
    }

    /// Sets `sums` to the number of members in each column.
    private mutating func sumUp(
        _ entries: Block<UInt32>,
        from start: UInt32,
        upTo end: UInt32,
        width: UInt32
    ) {
        sums.removeAll(keepingCapacity: true)
        sums.append(contentsOf: repeatElement(0, count: Int(width)))
        var sums = sums.mutableSpan
        var row = start
        while row < end {
            let count = min(width, end - row)
            entries.withElements(row, count: count) { entries in
                for position in 0..<Int(count) {
                    sums[position] &+= SlotEntry.isMember(entries[position]) ? 1 : 0
                }
            }
            row += count
        }
    }

    // MARK: - Seconds

    /// Adds members to those found in a second.
    @inline(__always)
    private mutating func claim(
        _ second: UInt32,
        count: UInt32,
        in seconds: borrowing SecondCounts
    ) {
        let number = second >> SecondCounts.pageBits
        if number != lastNumber {
            lastNumber = number
            lastPage = seconds.page(number)
        }
        if let page = lastPage {
            let position = Int(second & (SecondCounts.pageSize - 1))
            claimed[page.index << Int(SecondCounts.pageBits) + position] &+= count
        } else if !seconds.isForgotten(second) {
            isPossible = false
        }
    }
}
