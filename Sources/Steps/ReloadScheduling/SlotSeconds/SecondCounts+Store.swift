internal import Basics
internal import StoreFormat

/// The stored form of an origin's seconds.
///
///     rate of all partitions │ first page          32 bits each
///     current second │ end of the debt             32 each
///     spent │ debt                                 64 each
///     borrowed                                     64: only if there are several partitions
///     number of pages │ of unused ones             32 + 32
///     the unused pages, the next to be used last   32 each
///     each page:
///         its number                               32 bits, `noPage` if it is unused
///         its first group │ counts                 32 │ 128 varints: of a used page only
///
/// Pages keep their indexes, which determine the order in which their groups end after a leap of
/// the clock.
extension SecondCounts {
    /// The highest first second of a segment; it leaves numbers for windows that grow beyond
    /// `lastSecond`.
    static var baseLimit: UInt32 { lastSecond + 147_000_000 }
    /// Page numbers are below this; the very last page is excluded, so that the second after a page
    /// always fits into 32 bits.
    private static var pageLimit: UInt32 { .max >> pageBits }
    /// The smallest stored size of a used page, in bytes.
    private static var pageByteCount: Int { unusedPageByteCount + 4 + Int(pageSize) }
    /// Stands for the number of an unused page.
    private static var noPage: UInt32 { .max }
    /// The stored size of an unused page, in bytes.
    private static var unusedPageByteCount: Int { 4 }

    /// Writes everything but the pages.
    func writeHead(to writer: inout StoreWriter) {
        writer.put(rates.whole)
        writer.put(firstPage)
        writer.put(current)
        writer.put(debtEnd)
        writer.put(UInt64(spent))
        writer.put(UInt64(debt))
        if !partition.isOnly { writer.put(UInt64(borrowed)) }
        writer.put(UInt32(pages.count))
        writer.put(UInt32(unused.count))
        writer.put(numbers: unused.span)
    }

    /// Writes one page, used or not.
    func write(page index: PageID, to writer: inout StoreWriter) {
        let page = pages[index]
        writer.put(page.number ?? Self.noPage)
        if page.number == nil { return }
        writer.put(page.firstGroup.rawValue)
        for second in 0..<Self.pageSize { writer.put(varint: UInt64(page.counts[second])) }
    }

    // MARK: - Checkpoints

    /// Writes the next page that the checkpoint has not written yet; false if there is none.
    mutating func writeUnwrittenPage(to writer: inout StoreWriter) -> Bool {
        if unwritten.isEmpty { return false }
        if let copy = unwritten.nextCopy {
            _ = copy.write(to: &writer, atMost: .max)
        } else {
            write(page: unwritten.next, to: &writer)
        }
        unwritten.markNextWritten()
        return true
    }

    /// Saves a page for the checkpoint before it changes.
    @inline(never)
    mutating func keep(page index: PageID) {
        assert(unwritten.needsCopy(index))
        var writer = StoreWriter(capacity: 512)
        write(page: index, to: &writer)
        unwritten.keep(index, bytes: writer)
    }

    // MARK: - Reading

    init(
        reading reader: inout StoreReader,
        for partition: Partition,
        hashKey: HashKey
    ) throws(StoreError) {
        self.init(rate: 1, for: partition, hashKey: hashKey)
        rates = ShareOfSeconds(of: try reader.read(UInt32.self), for: partition)
        if rates.whole == 0 { throw reader.corrupt("an origin without a rate") }
        try readPresent(&reader)
        try readPages(&reader, hashKey: hashKey)
    }

    /// Reads the first page, and the current second with what it spent and its debt.
    private mutating func readPresent(_ reader: inout StoreReader) throws(StoreError) {
        firstPage = try reader.read(UInt32.self)
        current = try reader.read(UInt32.self)
        debtEnd = try reader.read(UInt32.self)
        let spent = try reader.read(UInt64.self)
        let debt = try reader.read(UInt64.self)
        let borrowed = partition.isOnly ? 0 : try reader.read(UInt64.self)
        if current > Self.lastSecond || firstPage > current >> Self.pageBits {
            throw reader.corrupt("an origin's second \(current) cannot be")
        }
        // The ledger would have dropped a debt that has expired.
        let isEndPossible =
            debtEnd <= current + 1 + UInt32(SlotLedger.debtLimit.wholeSeconds)
            && (debt == 0 || debtEnd > current)
        if max(spent, debt, borrowed) > SlotCounters.limit || !isEndPossible {
            throw reader.corrupt("an origin's debt cannot be")
        }
        self.spent = Int(spent)
        self.debt = Int(debt)
        self.borrowed = Int(borrowed)
    }

    // MARK: - Pages

    /// Reads the list of unused pages, and all pages.
    private mutating func readPages(
        _ reader: inout StoreReader,
        hashKey: HashKey
    ) throws(StoreError) {
        let count = Int(try reader.read(UInt32.self))
        let unusedCount = Int(try reader.read(UInt32.self))
        let byteCount =
            unusedCount * (4 + Self.unusedPageByteCount)
            + (count - unusedCount) * Self.pageByteCount
        if unusedCount > count || byteCount > reader.remainingCount {
            throw reader.corrupt("an origin's \(count) pages of seconds are cut off")
        }
        unused = try reader.read(numbers: unusedCount)
        table = NumberTable(hashKey: hashKey, roomFor: count - unusedCount)
        pages.elements.reserveCapacity(count)
        for _ in 0..<count {
            let number = try reader.read(UInt32.self)
            if number == Self.noPage {
                pages.append(Page(counts: Block()))
            } else {
                try readPage(number, from: &reader)
            }
        }
        try checkUnused(reader)
    }

    /// Reads the rest of a page that is in use, after its number.
    private mutating func readPage(
        _ number: UInt32,
        from reader: inout StoreReader
    ) throws(StoreError) {
        if number < firstPage || number >= Self.pageLimit || page(number) != nil {
            throw reader.corrupt("page \(number) of seconds cannot be")
        }
        let firstGroup = GroupSlot(rawValue: try reader.read(UInt32.self))
        // The page owns the array before anything can be thrown, so `deinit` frees it in any case.
        let index = pages.append(Page(counts: Block(count: Self.pageSize) { _ in 0 }))
        table.insert(number, number: index)
        for second in 0..<Self.pageSize {
            let count = try reader.readNumber()
            pages[index].counts[second] = count
            pages[index].planned += Int(count)
        }
        pages[index].number = number
        pages[index].full = fullCount(ofPage: index)
        pages[index].firstGroup = firstGroup
        // The ledger would have freed an empty page.
        if pages[index].isEmpty { throw reader.corrupt("an empty page of seconds") }
    }

    /// Checks that the list of unused pages has each unused page exactly once.
    private mutating func checkUnused(_ reader: StoreReader) throws(StoreError) {
        if unused.count != pages.count - table.count {
            throw reader.corrupt("an origin's pages of seconds do not sum up")
        }
        // `full` serves as the mark of pages already met; only used pages have a value there.
        for index in unused {
            let isUsed = !pages.has(index) || pages[index].number != nil
            if isUsed || pages[index].full != 0 {
                throw reader.corrupt("page \(index) of seconds is wrongly listed as unused")
            }
            pages[index].full = 1
        }
        for index in unused { pages[index].full = 0 }
    }
}
