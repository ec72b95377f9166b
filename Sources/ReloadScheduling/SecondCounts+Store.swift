internal import ByteStorage
internal import StoreFormat

/// The seconds as bytes.
///
///     rate │ first page                            32 bits each
///     current second │ end of the debt             32 each
///     spent │ debt                                 64 each
///     pages │ of these, those that wait            32 + 32
///     the pages' numbers                           32 each, `none` if it waits for its next use
///     those that wait, the next one last           32 each
///     of each page that does not wait:
///         its first group │ counts                 32 + 128 × 32
///
/// Pages keep their places, in which order their groups end after a leap of the clock.
extension SecondCounts {
    /// Seconds of groups begin at most here, which leaves room for the windows to grow.
    static var baseLimit: UInt32 { lastSecond + 147_000_000 }
    /// The last page is left out, so that none needs an end beyond what can be counted.
    private static var pageLimit: UInt32 { .max >> pageBits }
    private static var pageByteCount: Int { 4 + Int(pageSize) * 4 }

    func write(to writer: inout StoreWriter) {
        writer.put(rate)
        writer.put(firstPage)
        writer.put(current)
        writer.put(debtEnd)
        writer.put(UInt64(spent))
        writer.put(UInt64(debt))
        writer.put(UInt32(pages.count))
        writer.put(UInt32(unused.count))
        for index in pages.indices { writer.put(pages[index].number) }
        writer.put(numbers: unused.span)
        for index in pages.indices where pages[index].number != Self.none {
            writer.put(pages[index].firstGroup)
            pages[index].counts.write(to: &writer)
        }
    }

    init(reading reader: inout StoreReader, hashSeed: UInt64) throws(StoreError) {
        self.init(rate: 1, hashSeed: hashSeed)
        rate = try reader.read(UInt32.self)
        if rate == 0 { throw reader.corrupt("an origin without a rate") }
        try readPresent(&reader)
        try readPages(&reader, hashSeed: hashSeed)
    }

    private mutating func readPresent(_ reader: inout StoreReader) throws(StoreError) {
        firstPage = try reader.read(UInt32.self)
        current = try reader.read(UInt32.self)
        debtEnd = try reader.read(UInt32.self)
        let spent = try reader.read(UInt64.self)
        let debt = try reader.read(UInt64.self)
        if current > Self.lastSecond || firstPage > current >> Self.pageBits {
            throw reader.corrupt("an origin's second \(current) cannot be")
        }
        // A debt that has ended is none.
        let isEndPossible =
            debtEnd <= current + 1 + UInt32(SlotLedger.debtLimit)
            && (debt == 0 || debtEnd > current)
        if max(spent, debt) > SlotStatistics.limit || !isEndPossible {
            throw reader.corrupt("an origin's debt cannot be")
        }
        self.spent = Int(spent)
        self.debt = Int(debt)
    }

    // MARK: - Pages

    private mutating func readPages(
        _ reader: inout StoreReader,
        hashSeed: UInt64
    ) throws(StoreError) {
        let count = Int(try reader.read(UInt32.self))
        let unusedCount = Int(try reader.read(UInt32.self))
        let byteCount = count * 4 + unusedCount * 4 + (count - unusedCount) * Self.pageByteCount
        if unusedCount > count || byteCount > reader.remainingCount {
            throw reader.corrupt("an origin's \(count) pages of seconds are cut off")
        }
        let numbers = try reader.read(numbers: count)
        unused = try reader.read(numbers: unusedCount)
        table = NumberTable(seed: hashSeed, roomFor: count - unusedCount)
        pages.reserveCapacity(count)
        for number in numbers {
            if number == Self.none {
                pages.append(Page(counts: Block()))
            } else {
                try readPage(number, &reader)
            }
        }
        try checkUnused(reader)
    }

    private mutating func readPage(
        _ number: UInt32,
        _ reader: inout StoreReader
    ) throws(StoreError) {
        if number < firstPage || number >= Self.pageLimit || page(number) != nil {
            throw reader.corrupt("page \(number) of seconds cannot be")
        }
        let firstGroup = try reader.read(UInt32.self)
        let counts = try Block<UInt32>(reading: &reader, count: Self.pageSize)
        table.insert(number, UInt32(pages.count))
        pages.append(
            Page(
                counts: counts,
                planned: sum(counts),
                full: self.count(counts, 0, Self.pageSize),
                firstGroup: firstGroup,
                number: number
            )
        )
        // It would have been freed.
        if pages[pages.count - 1].isEmpty { throw reader.corrupt("an empty page of seconds") }
    }

    private func sum(_ counts: Block<UInt32>) -> Int {
        var sum = 0
        for second in 0..<Self.pageSize { sum += Int(counts[second]) }
        return sum
    }

    /// All pages that wait stand once in the list of those.
    private mutating func checkUnused(_ reader: StoreReader) throws(StoreError) {
        if unused.count != pages.count - table.count {
            throw reader.corrupt("an origin's pages of seconds do not sum up")
        }
        // Marked by what only pages in use have.
        for index in unused {
            let isUnused = index < pages.count && pages[Int(index)].number == Self.none
            if !isUnused || pages[Int(index)].full != 0 {
                throw reader.corrupt("page \(index) of seconds is not there to be used")
            }
            pages[Int(index)].full = 1
        }
        for index in unused { pages[Int(index)].full = 0 }
    }
}
