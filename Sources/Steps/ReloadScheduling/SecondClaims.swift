/// How many pending reloads the groups of a ledger that is read have in each second: never more
/// than are counted there, since one that is given back is counted no more.
///
/// A long array is added up row by row, each place to the one below (which a processor does for
/// several at a time), and only then its columns to their seconds:
///
///     row 0     1  1  0  1  1  …      1: a member, 0: a hole, or one that has finished
///     row 1     1  0  0  1  1  …
///     row 2     1  1  1  1
///     sums      3  2  1  3  2  …  ─► second of each place
struct SecondClaims: ~Copyable {
    /// By page and second.
    private var claimed: ContiguousArray<UInt32>
    private var sums: ContiguousArray<UInt32> = []
    private var isPossible = true
    /// Of the group that is added.
    private var memberCount: UInt32 = 0
    /// The page that was last asked for.
    private var lastNumber = SecondCounts.none
    private var lastPage: UInt32?

    init(_ seconds: borrowing SecondCounts) {
        let count = seconds.pages.count * Int(SecondCounts.pageSize)
        claimed = ContiguousArray(repeating: 0, count: count)
    }

    /// Adds a group's members.
    ///
    /// - Returns: how many they are.
    mutating func add(_ group: SlotGroup, _ seconds: borrowing SecondCounts) -> UInt32 {
        memberCount = 0
        let end = group.entries.count
        let matrix = min(group.undelayed, end)
        addSingly(group, 0, matrix, seconds)
        let first = group.segments.count == 0 ? end : group.segments[0].start
        if first > matrix { addRows(group, nil, matrix, first, seconds) }
        for index in 0..<group.segments.count {
            let segment = group.segments[index]
            let isLast = index + 1 == group.segments.count
            let next = isLast ? end : group.segments[index + 1].start
            addRows(group, segment, segment.start, next, seconds)
        }
        return memberCount
    }

    /// Whether all that was added is counted.
    func areMet(_ seconds: borrowing SecondCounts) -> Bool {
        if !isPossible { return false }
        var place = 0
        for page in seconds.pages {
            if page.number != SecondCounts.none {
                for second in 0..<SecondCounts.pageSize
                where claimed[place + Int(second)] > page.counts[second] { return false }
            }
            place += Int(SecondCounts.pageSize)
        }
        return true
    }

    // MARK: - Entries

    /// Entry by entry.
    private mutating func addSingly(
        _ group: SlotGroup,
        _ start: UInt32,
        _ end: UInt32,
        _ seconds: borrowing SecondCounts
    ) {
        for index in start..<end where SlotEntry.isMember(group.entries[index]) {
            memberCount += 1
            claim(group.cell(index).second, 1, seconds)
        }
    }

    /// The rows of a segment, or of the matrix before the first one.
    private mutating func addRows(
        _ group: SlotGroup,
        _ segment: SlotGroup.Segment?,
        _ start: UInt32,
        _ end: UInt32,
        _ seconds: borrowing SecondCounts
    ) {
        let width = segment?.width.value ?? group.walk.width.value
        // What has but few rows would not be worth the way through all of the columns.
        if end - start < 4 * width { return addSingly(group, start, end, seconds) }
        sumUp(group.entries, start, end, width)
        let base = segment?.base ?? group.second
        for step in 0..<width where sums[Int(step)] > 0 {
            var column = group.column(step)
            if let segment, segment.columns.count > 0 { column = segment.columns[step] }
            memberCount += sums[Int(step)]
            if column > 0 || base != group.second {
                claim(base + column, sums[Int(step)], seconds)
                continue
            }
            // Column 0 of the date's second may be in two pieces.
            for index in stride(from: start + step, to: end, by: Int(width))
            where SlotEntry.isMember(group.entries[index]) {
                claim(group.cell(index).second, 1, seconds)
            }
        }
    }

    /// Sets `sums` to the number of members at each place of a row.
    private mutating func sumUp(
        _ entries: Block<UInt32>,
        _ start: UInt32,
        _ end: UInt32,
        _ width: UInt32
    ) {
        sums.removeAll(keepingCapacity: true)
        sums.append(contentsOf: repeatElement(0, count: Int(width)))
        var sums = sums.mutableSpan
        var row = start
        while row < end {
            let count = min(width, end - row)
            entries.withElements(row, count) { entries in
                for place in 0..<Int(count) {
                    sums[place] &+= SlotEntry.isMember(entries[place]) ? 1 : 0
                }
            }
            row += count
        }
    }

    // MARK: - Seconds

    @inline(__always)
    private mutating func claim(
        _ second: UInt32,
        _ count: UInt32,
        _ seconds: borrowing SecondCounts
    ) {
        let number = second >> SecondCounts.pageBits
        if number != lastNumber {
            lastNumber = number
            lastPage = seconds.page(number)
        }
        if let page = lastPage {
            let place = page << SecondCounts.pageBits | second & (SecondCounts.pageSize - 1)
            claimed[Int(place)] &+= count
        } else if !seconds.isOver(second) {
            isPossible = false
        }
    }
}
