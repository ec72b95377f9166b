/// A set of numbers that finds its lowest member fast: the free slots of a `Slab`.
///
///     level 2    1                                a bit for each word below that is not 0
///     level 1    1 0 1 0 …
///     level 0    0 1 1 0 …   0 0 0 0 …   1 0 …    a bit for each number, 64 a word: 1 is free
///
///     memory     level 0 │ level 1 │ … │ the one word at the top
///
/// The lowest number is found by one step down each level, five of them for 2^26 numbers. Which
/// number comes next depends only on which ones are free. So a router that restores the set after a
/// restart assigns the same numbers as one that was never restarted.
@safe @usableFromInline
package struct FreeNumbers: ~Copyable {
    /// The words of all levels; no memory until the first number is inserted.
    @usableFromInline var words: UnsafeMutablePointer<UInt64>
    /// The number of words of level 0: 0 or a power of two.
    var width = 0
    /// The number of words of all levels.
    var wordCount = 0
    /// The number of levels above level 0.
    var height = 0
    /// The number of numbers in the set.
    @usableFromInline package private(set) var count = 0

    /// An empty set; it allocates memory when the first number is inserted.
    package init() { unsafe words = .allocate(capacity: 0) }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit { unsafe words.deallocate() }

    /// The bytes allocated from the system.
    package var byteCount: Int { wordCount * MemoryLayout<UInt64>.size }

    /// The lowest number in the set; nil if it is empty.
    @usableFromInline package var first: UInt32? {
        if count == 0 { return nil }
        unsafe assert(words[wordCount - 1] != 0, "numbers are counted that are not there")
        var start = wordCount - 1
        var index = 0
        var level = height
        while true {
            unsafe index = index << 6 | words[start + index].trailingZeroBitCount
            if level == 0 { return UInt32(truncatingIfNeeded: index) }
            level -= 1
            start -= Self.width(width, at: level)
        }
    }

    /// Whether a number is in the set.
    @usableFromInline package func contains(_ number: UInt32) -> Bool {
        self[word: Int(number >> 6)] & Self.bit(number) != 0
    }

    /// The 64 numbers from `64 * word` on as one bit each, the lowest number in the lowest bit.
    package subscript(word word: Int) -> UInt64 {
        // As unsigned number, a negative word is above any width.
        get { UInt(bitPattern: word) < UInt(bitPattern: width) ? unsafe words[word] : 0 }
        set {
            precondition(word >= 0 && word <= Int(UInt32.max >> 6), "there is no word \(word)")
            let former = self[word: word]
            if newValue == former { return }
            count += newValue.nonzeroBitCount - former.nonzeroBitCount
            store(newValue, in: word)
        }
    }

    // MARK: - Changing

    /// Inserts a number, which must not be in the set.
    @usableFromInline package mutating func insert(_ number: UInt32) {
        precondition(!contains(number), "number \(number) is free already")
        count += 1
        let word = Int(number >> 6)
        store(self[word: word] | Self.bit(number), in: word)
    }

    /// Inserts a range of numbers, none of which may be in the set.
    @usableFromInline package mutating func insert(contentsOf numbers: Range<UInt32>) {
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let number = next & 63
            let length = min(64 - number, numbers.upperBound - next)
            assert(
                self[word: Int(next >> 6)] & .ones(length, from: number) == 0,
                "one of the numbers is free already"
            )
            self[word: Int(next >> 6)] |= .ones(length, from: number)
            next += length
        }
    }

    /// Removes a number, which must be in the set.
    @usableFromInline package mutating func remove(_ number: UInt32) {
        precondition(contains(number), "number \(number) is not free")
        count -= 1
        let word = Int(number >> 6)
        store(self[word: word] & ~Self.bit(number), in: word)
    }

    /// Removes and returns the lowest number; nil if the set is empty.
    @usableFromInline package mutating func popFirst() -> UInt32? {
        guard let number = first else { return nil }
        remove(number)
        return number
    }

    // MARK: - Levels

    /// A number's bit in its word of level 0.
    @inline(__always)
    private static func bit(_ number: UInt32) -> UInt64 { 1 &<< UInt64(number & 63) }

    /// The number of words of a level, if level 0 has `width` words.
    @inline(__always)
    static func width(_ width: Int, at level: Int) -> Int { max(1, width >> (6 * level)) }

    /// Stores a word of level 0, and updates the levels above if it became zero or stopped being
    /// zero.
    @inline(__always)
    private mutating func store(_ bits: UInt64, in word: Int) {
        if word >= width { grow(through: word) }
        let former = unsafe words[word]
        unsafe words[word] = bits
        if (former == 0) != (bits == 0) { updateLevels(word, isEmpty: bits == 0) }
    }

    /// Updates the levels above after a word of level 0 became zero or stopped being zero.
    private mutating func updateLevels(_ word: Int, isEmpty: Bool) {
        assert(word < width)
        var index = word
        var start = 0
        for level in 0..<height {
            start += Self.width(width, at: level)
            let bit: UInt64 = 1 &<< UInt64(index & 63)
            index >>= 6
            let former = unsafe words[start + index]
            let bits = isEmpty ? former & ~bit : former | bit
            unsafe words[start + index] = bits
            if (former == 0) == (bits == 0) { return }
        }
    }

    /// Enlarges level 0 to include `word`, at least to twice its size, and rebuilds the levels
    /// above.
    private mutating func grow(through word: Int) {
        assert(word >= width, "grows to a word that it has")
        let (former, formerWidth) = unsafe (words, width)
        width = 1 << (Int.bitWidth - word.leadingZeroBitCount)
        height = 0
        wordCount = width
        while Self.width(width, at: height) > 1 {
            height += 1
            wordCount += Self.width(width, at: height)
        }
        unsafe words = .allocate(capacity: wordCount)
        unsafe words.initialize(repeating: 0, count: wordCount)
        unsafe words.update(from: former, count: formerWidth)
        unsafe former.deallocate()
        var start = 0
        for level in 0..<height {
            let above = start + Self.width(width, at: level)
            for index in 0..<Self.width(width, at: level) where unsafe words[start + index] != 0 {
                unsafe words[above + index >> 6] |= 1 &<< UInt64(index & 63)
            }
            start = above
        }
    }
}
