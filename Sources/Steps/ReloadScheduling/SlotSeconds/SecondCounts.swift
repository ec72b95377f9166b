internal import Basics

/// The index of a page of seconds; reused after the page is freed.
struct PageID: TableNumber {
    let rawValue: UInt32
}

/// For each second of an origin, how many scheduled reloads are planned; and what immediate reloads
/// have spent of the current second. `SlotLedger` keeps one for each origin.
///
///     table: page number ─► page [ 128 counts: 512 bytes | sum | how many are full | groups ]
///
/// A page exists while something is planned in it or a group's date lies in it, and is freed with
/// the last of these: a device that moves its date on and on keeps one page in use.
/// `SlotLedger.pass` frees the pages that are over. A second is full when its count reaches the
/// rate that this partition has in it; in the current second, immediate reloads and the debt count
/// as well. Seconds are those of schedule time, from 0.
struct SecondCounts: ~Copyable {
    /// The counts of 128 successive seconds.
    struct Page: BitwiseCopyable {
        var counts: Block<UInt32>
        /// The sum of its counts.
        var planned = 0
        /// How many of its seconds have reached the rate.
        var full: UInt32 = 0
        /// The first group whose date is in this page; see `SlotGroup.next`.
        var firstGroup = GroupSlot.none
        /// The seconds of page n are 128 n ..< 128 (n + 1); nil if the page is unused.
        var number: UInt32?

        var isEmpty: Bool { planned == 0 && firstGroup.isNone }
    }

    /// The binary logarithm of the number of seconds of a page.
    static var pageBits: UInt32 { 7 }
    /// The number of seconds of a page.
    static var pageSize: UInt32 { 1 << pageBits }
    /// The second of the latest date, 126 years after second 0; later dates count as this second.
    ///
    /// The higher numbers of UInt32 are left for the seconds of windows, growing ones included.
    static var lastSecond: UInt32 { 4_000_000_000 }

    /// Scheduled and immediate reloads allowed in a second.
    var rates: ShareOfSeconds
    let partition: Partition
    /// All pages, unused ones included; a page keeps its index.
    var pages = NumberedArray<PageID, Page>()
    /// Indexes of unused pages; the next to be used is last.
    var unused = ContiguousArray<PageID>()
    /// The indexes of used pages by page number.
    var table: NumberTable
    /// Pages with lower numbers are over and forgotten.
    var firstPage: UInt32 = 0
    /// The pages, by index, that the running checkpoint has not written yet.
    var unwritten = UnwrittenPieces<PageID>()

    /// The current second, as of the last call of `settle`.
    var current: UInt32 = 0
    /// Immediate reloads sent in `current`, and permits of it that were lent to other partitions.
    var spent = 0
    /// Permits of `current` that other partitions have lent.
    var borrowed = 0
    /// Immediate reloads sent before `current` beyond the capacity of their seconds. They no longer
    /// count from the second `debtEnd` on.
    var debt = 0
    /// The first second in which `debt` no longer counts.
    var debtEnd: UInt32 = 0

    /// The rate is that of all partitions together; `UInt32.max` for no limit.
    init(rate: UInt32, for partition: Partition, hashKey: HashKey) {
        rates = ShareOfSeconds(of: rate, for: partition)
        self.partition = partition
        table = NumberTable(hashKey: hashKey)
    }

    deinit {
        for page in pages.elements { unsafe page.counts.deallocate() }
    }

    /// The scheduled and immediate reloads allowed in a second, by this partition.
    @inline(__always)
    func rate(of second: UInt32) -> UInt32 { rates[second] }

    /// Bytes allocated from the system.
    var byteCount: Int {
        pages.elements.capacity * MemoryLayout<Page>.stride + unused.capacity * 4 + table.byteCount
            + pages.elements.reduce(0) { $0 + $1.counts.byteCount }
    }

    /// The second of a time.
    static func second(of time: ScheduleTime) -> UInt32 {
        assert(time >= .zero)
        return UInt32(min(max(.zero, time).rawValue / 1_000, Int64(lastSecond)))
    }

    // MARK: - Counting

    /// How many scheduled reloads are planned for a second, those already sent included.
    func planned(_ second: UInt32) -> UInt32 {
        guard let page = page(second >> Self.pageBits) else { return 0 }
        return pages[page].counts[second & (Self.pageSize - 1)]
    }

    /// Scheduled reloads planned for a second whose page is known by its index.
    func planned(_ second: UInt32, in page: PageID) -> UInt32 {
        assert(pages[page].number == second >> Self.pageBits, "another second's page")
        return pages[page].counts[second & (Self.pageSize - 1)]
    }

    /// Whether another scheduled reload may be planned in the second.
    func hasRoom(_ second: UInt32) -> Bool { planned(second) < limit(of: second) }

    /// Counts a scheduled reload if the second is not full; returns whether it did.
    @inline(__always)
    mutating func acquire(_ second: UInt32) -> Bool { add(second, below: limit(of: second)) }

    /// Counts a scheduled reload even if the second is full; a forgotten second counts nothing.
    mutating func addAnyway(_ second: UInt32) {
        if second >> Self.pageBits < firstPage { return }
        _ = add(second, below: .max)
    }

    /// Uncounts a cancelled reload; does nothing for a second that has been forgotten.
    mutating func release(_ second: UInt32) {
        guard let index = page(second >> Self.pageBits) else { return }
        let counts = pages[index].counts
        let count = counts[second & (Self.pageSize - 1)]
        precondition(count > 0, "releases more than was acquired in second \(second)")
        copyBeforeWrite(index)
        counts[second & (Self.pageSize - 1)] = count - 1
        pages[index].planned -= 1
        assert(pages[index].planned >= 0, "a page counts fewer reloads than its seconds")
        if count == rate(of: second) { pages[index].full -= 1 }
        freeIfEmpty(index)
    }

    /// The first second from `start` on that is not full; `end` or a later one if there is none
    /// before it.
    func firstWithRoom(from start: UInt32, before end: UInt32 = .max) -> UInt32 {
        var second = start
        while second < end {
            let next = (second >> Self.pageBits + 1) << Self.pageBits
            guard let index = page(second >> Self.pageBits) else {
                second = rates.firstOpen(from: second)
                if second < next { return second }
                continue
            }
            if pages[index].full < Self.pageSize {
                while second < next {
                    if hasRoom(second) { return second }
                    second += 1
                }
            }
            second = next
        }
        return second
    }

    /// How many seconds of a range have reached the rate, by planned reloads alone.
    func fullCount(from start: UInt32, to end: UInt32) -> UInt32 {
        var (full, second) = (0 as UInt32, start)
        while second < end {
            let next = min(end, (second >> Self.pageBits + 1) << Self.pageBits)
            if let index = page(second >> Self.pageBits) {
                let (page, isWhole) = (pages[index], next - second == Self.pageSize)
                full += isWhole ? page.full : count(page.counts, from: second, upTo: next)
            } else {
                full += rates.closedCount(from: second, to: next)
            }
            second = next
        }
        return full
    }

    /// How many seconds of `start` ..< `end`, all in the page with these counts, have reached the
    /// rate.
    func count(_ counts: Block<UInt32>, from start: UInt32, upTo end: UInt32) -> UInt32 {
        var full: UInt32 = 0
        for second in start..<end
        where counts[second & (Self.pageSize - 1)] >= rate(of: second) {
            full += 1
        }
        return full
    }

    /// Changes the rate of all partitions from now on. What the old rate allowed in the current
    /// second is no debt under the new one.
    mutating func change(rate: UInt32) {
        assert(rate > 0, "an origin without a rate")
        let used = max(0, spent + debt - borrowed)
        let allowed = isUnlimited ? used : min(used, capacity(current))
        debtEnd = debtEndAfterCurrent
        rates = ShareOfSeconds(of: rate, for: partition)
        borrowed = 0
        debt = used - allowed
        spent = isUnlimited ? 0 : min(allowed, capacity(current))
        for index in pages.ids where pages[index].number != nil {
            pages[index].full = fullCount(ofPage: index)
        }
    }

    /// How many seconds of a page that is in use have reached the rate.
    func fullCount(ofPage index: PageID) -> UInt32 {
        guard let number = pages[index].number else { preconditionFailure("the page is unused") }
        let start = number << Self.pageBits
        return count(pages[index].counts, from: start, upTo: start + Self.pageSize)
    }

    /// How many planned reloads a second may have: the current one less what immediate reloads
    /// used. What was borrowed is for these alone.
    @inline(__always)
    private func limit(of second: UInt32) -> UInt32 {
        let rate = rate(of: second)
        if second != current { return rate }
        return rate - UInt32(min(Int(rate), spent + debt))
    }

    /// Counts a scheduled reload if the second has fewer than `limit`; returns whether it did.
    @inline(__always)
    private mutating func add(_ second: UInt32, below limit: UInt32) -> Bool {
        assert(second >> Self.pageBits >= firstPage, "plans for a second that is over")
        if limit == 0 { return false }
        let number = second >> Self.pageBits
        let index = page(number) ?? addPage(number)
        let counts = pages[index].counts
        let count = counts[second & (Self.pageSize - 1)]
        if count >= limit { return false }
        copyBeforeWrite(index)
        counts[second & (Self.pageSize - 1)] = count + 1
        pages[index].planned += 1
        if count + 1 == rate(of: second) { pages[index].full += 1 }
        return true
    }

    // MARK: - Pages

    /// Must be called before a page changes: copies it if the checkpoint has not written it.
    @inline(__always)
    private mutating func copyBeforeWrite(_ index: PageID) {
        if unwritten.needsCopy(index) { keep(page: index) }
    }

    /// The index of the page with a number; nil if there is none.
    @inline(__always)
    func page(_ number: UInt32) -> PageID? {
        table.find(number) { _ in true }
    }

    /// Makes the page with a number and returns its index.
    @inline(never)
    private mutating func addPage(_ number: UInt32) -> PageID {
        assert(page(number) == nil && number >= firstPage, "the page exists, or is over")
        let index: PageID
        if let old = unused.popLast() {
            index = old
            copyBeforeWrite(index)
        } else {
            index = pages.append(Page(counts: Block()))
        }
        pages[index].number = number
        pages[index].counts.removeAll()
        for _ in 0..<Self.pageSize { unsafe pages[index].counts.append(0) }
        let start = number << Self.pageBits
        pages[index].full = rates.closedCount(from: start, to: start + Self.pageSize)
        table.insert(number, number: index)
        return index
    }

    /// Sets the first group whose date lies in the page of a second; `none` if there is none. The
    /// page exists while it has a group.
    mutating func setFirstGroup(_ group: GroupSlot, at second: UInt32) {
        let number = second >> Self.pageBits
        let index = page(number) ?? addPage(number)
        copyBeforeWrite(index)
        pages[index].firstGroup = group
        freeIfEmpty(index)
    }

    /// The first group whose date lies in the page of a second; `none` if there is none.
    func firstGroup(at second: UInt32) -> GroupSlot {
        page(second >> Self.pageBits).map { pages[$0].firstGroup } ?? .none
    }

    // MARK: - Forgetting

    /// The index of a further page all of whose seconds lie before `second`; nil if there is none.
    /// `cursor` must be 0 at the first call, and the same variable in the following ones.
    func nextForgettablePage(before second: UInt32, cursor: inout Int) -> PageID? {
        let end = second >> Self.pageBits
        if end <= firstPage || table.count == 0 { return nil }
        let isJump = Int(end - firstPage) > pages.count
        while cursor < (isJump ? pages.count : Int(end - firstPage)) {
            let number = isJump ? pages.elements[cursor].number : firstPage + UInt32(cursor)
            cursor += 1
            if let number, number < end, let index = page(number) { return index }
        }
        return nil
    }

    /// The first group whose date lies in a page; `none` if there is none.
    func firstGroup(ofPage index: PageID) -> GroupSlot {
        assert(pages[index].number != nil, "an unused page has no groups")
        return pages[index].firstGroup
    }

    /// Frees a page in which nothing is planned and no group's date lies.
    @inline(__always)
    private mutating func freeIfEmpty(_ index: PageID) {
        if pages[index].isEmpty { free(page: index) }
    }

    /// Makes a page unused, and drops what it counts.
    @inline(never)
    mutating func free(page index: PageID) {
        guard let number = pages[index].number else { preconditionFailure("the page is unused") }
        copyBeforeWrite(index)
        table.remove(number, number: index)
        pages[index].number = nil
        pages[index].firstGroup = .none
        pages[index].planned = 0
        pages[index].full = 0
        // About as many unused pages as used ones keep their memory for their next use.
        if unused.count > 16 + table.count { unsafe pages[index].counts.free() }
        unused.append(index)
        assert(unused.count + table.count == pages.count, "a page is lost")
    }

    /// Whether a second has been forgotten: it is no longer counted.
    func isForgotten(_ second: UInt32) -> Bool { second >> Self.pageBits < firstPage }

    /// Forgets the seconds before the page of `second`.
    mutating func forget(before second: UInt32) {
        firstPage = max(firstPage, second >> Self.pageBits)
    }
}

extension ScheduleTime {
    /// The beginning of a second.
    init(second: UInt32) { self.init(rawValue: Int64(second) * 1_000) }
}

extension SecondCounts {
    /// Checks that the table and the list of unused pages have each page once between them, that a
    /// page's sums are those of its counts, and that the debt is possible.
    func checkInvariants() throws(InvariantViolation) {
        try table.checkInvariants()
        try unwritten.checkInvariants()
        for index in pages.ids where pages[index].number != nil { try check(index) }
        for index in unused {
            try checkInvariant(
                pages.has(index) && pages[index].number == nil,
                otherwise: "page \(index) is in use, and listed as unused"
            )
        }
        try checkInvariant(
            Set(unused).count == unused.count && unused.count + table.count == pages.count,
            otherwise: "\(unused.count) pages are unused and \(table.count) in use, "
                + "of \(pages.count)"
        )
        let isDebtPossible =
            spent >= 0 && debt >= 0 && borrowed >= 0
            && debtEnd <= current + 1 + UInt32(SlotLedger.debtLimit.wholeSeconds)
        try checkInvariant(
            isDebtPossible && rates.whole > 0 && (borrowed == 0 || !partition.isOnly),
            otherwise: "second \(current) has spent \(spent) and borrowed \(borrowed), with a debt "
                + "of \(debt) until \(debtEnd), at a rate of \(rates.whole)"
        )
    }

    /// Checks one page that is in use.
    private func check(_ index: PageID) throws(InvariantViolation) {
        let page = pages[index]
        let number = page.number ?? .max
        try checkInvariant(
            self.page(number) == index,
            otherwise: "page \(index) has the number \(number), which the table does not say"
        )
        try checkInvariant(
            number >= firstPage && !page.isEmpty && page.counts.count == Self.pageSize,
            otherwise: "page \(index), of number \(number), is forgotten or empty"
        )
        var sum = 0
        for second in 0..<Self.pageSize { sum += Int(page.counts[second]) }
        let full = fullCount(ofPage: index)
        try checkInvariant(
            sum == page.planned && full == page.full,
            otherwise: "page \(index) has \(sum) reloads and \(full) full seconds, "
                + "and counts \(page.planned) and \(page.full)"
        )
    }
}
