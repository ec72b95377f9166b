/// A set of page numbers, one bit each; part of `PageMarks`. Empty at first.
@safe @usableFromInline
struct PageBits: ~Copyable {
    @usableFromInline var words: UnsafeMutablePointer<UInt64>
    @usableFromInline var wordCount = 0

    @inlinable init() { unsafe words = .allocate(capacity: 0) }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit { unsafe words.deallocate() }

    /// The bytes allocated from the system.
    var byteCount: Int { wordCount * MemoryLayout<UInt64>.size }

    /// The number of pages that have a bit; `grow` raises it. Pages passed to `contains`, `insert`
    /// and `remove` must be below it.
    var capacity: UInt32 { UInt32(wordCount << 6) }

    @inlinable @inline(__always)
    /// Whether a page is in the set.
    func contains(_ page: UInt32) -> Bool {
        precondition(Int(page >> 6) < wordCount, "there is no page \(page)")
        return unsafe words[Int(page >> 6)] & 1 &<< UInt64(page & 63) != 0
    }

    /// Adds a page, which may be in the set already.
    mutating func insert(_ page: UInt32) {
        precondition(page < capacity, "there is no page \(page)")
        unsafe words[Int(page >> 6)] |= 1 &<< UInt64(page & 63)
    }

    /// Adds a range of pages, some of which may be in the set already.
    mutating func insert(contentsOf pages: Range<UInt32>) {
        precondition(pages.upperBound <= capacity, "there are no such pages")
        var next = pages.lowerBound
        while next < pages.upperBound {
            let page = next & 63
            let length = min(64 - page, pages.upperBound - next)
            unsafe words[Int(next >> 6)] |= .ones(length, from: page)
            next += length
        }
    }

    /// Removes a page, if it is in the set.
    mutating func remove(_ page: UInt32) {
        precondition(page < capacity, "there is no page \(page)")
        unsafe words[Int(page >> 6)] &= ~(1 &<< UInt64(page & 63))
    }

    /// Empties the set; the capacity stays.
    mutating func removeAll() { unsafe words.update(repeating: 0, count: wordCount) }

    /// Replaces the set by another one of the same capacity.
    mutating func copy(_ other: borrowing PageBits) {
        precondition(wordCount == other.wordCount, "the sets differ in capacity")
        unsafe words.update(from: other.words, count: wordCount)
    }

    /// Adds the pages of another set of the same capacity.
    mutating func formUnion(_ other: borrowing PageBits) {
        precondition(wordCount == other.wordCount, "the sets differ in capacity")
        for word in 0..<wordCount { unsafe words[word] |= other.words[word] }
    }

    /// The number of pages in the set.
    ///
    /// - Complexity: in proportion to the capacity, 64 pages at a time.
    var count: Int {
        var count = 0
        for word in 0..<wordCount { unsafe count += words[word].nonzeroBitCount }
        return count
    }

    /// The first page in the set that is not below `page`; nil if there is none.
    func first(from page: UInt32) -> UInt32? {
        var word = Int(page >> 6)
        if word >= wordCount { return nil }
        var bits = unsafe words[word] & UInt64.max << UInt64(page & 63)
        while bits == 0 {
            word += 1
            if word == wordCount { return nil }
            bits = unsafe words[word]
        }
        return UInt32(word << 6 + bits.trailingZeroBitCount)
    }

    /// Raises the capacity to at least `pageCount`; it at least doubles when it changes.
    mutating func grow(to pageCount: UInt32) {
        if pageCount <= capacity { return }
        let needed = max(16, wordCount * 2, (Int(pageCount) + 63) >> 6)
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: needed)
        unsafe larger.initialize(repeating: 0, count: needed)
        unsafe larger.update(from: words, count: wordCount)
        unsafe words.deallocate()
        unsafe words = unsafe larger
        wordCount = needed
    }
}

extension UInt64 {
    /// A run of 1 to 64 ones, the lowest of them at bit `first`.
    static func ones(_ count: UInt32, from first: UInt32) -> UInt64 {
        assert(count > 0 && first + count <= 64, "a run of bits that no word has")
        return (max >> UInt64(64 - count)) << UInt64(first)
    }
}
