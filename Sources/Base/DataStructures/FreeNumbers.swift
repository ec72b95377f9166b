/// Numbers that may be handed out again, the lowest first.
///
///     level 2    1                                a bit for each word below that is not 0
///     level 1    1 0 1 0 …
///     level 0    0 1 1 0 …   0 0 0 0 …   1 0 …    a bit for each number, 64 a word: 1 is free
///
///     memory     level 0 │ level 1 │ … │ the one word at the top
///
/// The lowest number is found by one step down each level, five of them for 2^26 numbers. Which
/// numbers come next depends on nothing but which ones are free, so that a restart that knows
/// those hands out the numbers that it would have handed out before.
@safe @usableFromInline
package struct FreeNumbers: ~Copyable {
    /// All levels; no memory until something is free for the first time.
    @usableFromInline var words: UnsafeMutablePointer<UInt64>
    /// Words of level 0: none, or a power of two.
    private var width = 0
    /// Words of all levels.
    private var wordCount = 0
    /// How many levels there are above level 0.
    private var height = 0
    package private(set) var count = 0

    package init() {
        unsafe words = .allocate(capacity: 0)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an inlinable
    // accessor.
    @inlinable deinit {
        unsafe words.deallocate()
    }

    /// Bytes held from the system.
    package var byteCount: Int { wordCount * MemoryLayout<UInt64>.size }

    /// The lowest number; nil if there is none.
    package var first: UInt32? {
        if count == 0 { return nil }
        var start = wordCount - 1
        var index = 0
        var level = height
        while true {
            unsafe index = index << 6 | words[start + index].trailingZeroBitCount
            if level == 0 { return UInt32(truncatingIfNeeded: index) }
            level -= 1
            start -= Self.width(width, level)
        }
    }

    package func contains(_ number: UInt32) -> Bool {
        self[word: Int(number >> 6)] & Self.bit(number) != 0
    }

    /// The 64 numbers from `64 * word` on, a bit each, the lowest first.
    package subscript(word word: Int) -> UInt64 {
        get { word < width ? unsafe words[word] : 0 }
        set {
            let former = self[word: word]
            if newValue == former { return }
            count += newValue.nonzeroBitCount - former.nonzeroBitCount
            store(newValue, in: word)
        }
    }

    // MARK: - Changing

    /// Adds a number that is not there.
    package mutating func insert(_ number: UInt32) {
        assert(!contains(number), "a number is free already")
        count += 1
        let word = Int(number >> 6)
        store(self[word: word] | Self.bit(number), in: word)
    }

    /// Adds numbers of which none is there.
    package mutating func insert(contentsOf numbers: Range<UInt32>) {
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let number = next & 63
            let length = min(64 - number, numbers.upperBound - next)
            self[word: Int(next >> 6)] |= .ones(length, from: number)
            next += length
        }
    }

    /// Takes out a number that is there.
    package mutating func remove(_ number: UInt32) {
        assert(contains(number), "a number is not free")
        count -= 1
        let word = Int(number >> 6)
        store(self[word: word] & ~Self.bit(number), in: word)
    }

    /// Takes out the lowest number; nil if there is none.
    package mutating func popFirst() -> UInt32? {
        guard let number = first else { return nil }
        remove(number)
        return number
    }

    // MARK: - Levels

    @inline(__always)
    private static func bit(_ number: UInt32) -> UInt64 { 1 &<< UInt64(number & 63) }

    /// Words of a level, if there are so many below all.
    @inline(__always)
    private static func width(_ width: Int, _ level: Int) -> Int { max(1, width >> (6 * level)) }

    /// Stores a word of level 0, and in the levels above whether it is 0.
    @inline(__always)
    private mutating func store(_ bits: UInt64, in word: Int) {
        if word >= width { grow(through: word) }
        let former = unsafe words[word]
        unsafe words[word] = bits
        if (former == 0) != (bits == 0) { announce(word, isEmpty: bits == 0) }
    }

    /// A word of level 0 has become 0, or is it no longer.
    private mutating func announce(_ word: Int, isEmpty: Bool) {
        var index = word
        var start = 0
        for level in 0..<height {
            start += Self.width(width, level)
            let bit: UInt64 = 1 &<< UInt64(index & 63)
            index >>= 6
            let former = unsafe words[start + index]
            let bits = isEmpty ? former & ~bit : former | bit
            unsafe words[start + index] = bits
            if (former == 0) == (bits == 0) { return }
        }
    }

    /// Makes level 0 reach so far; it at least doubles.
    private mutating func grow(through word: Int) {
        let (former, formerWidth) = unsafe (words, width)
        width = 1 << (Int.bitWidth - word.leadingZeroBitCount)
        height = 0
        wordCount = width
        while Self.width(width, height) > 1 {
            height += 1
            wordCount += Self.width(width, height)
        }
        unsafe words = .allocate(capacity: wordCount)
        unsafe words.initialize(repeating: 0, count: wordCount)
        unsafe words.update(from: former, count: formerWidth)
        unsafe former.deallocate()
        var start = 0
        for level in 0..<height {
            let above = start + Self.width(width, level)
            for index in 0..<Self.width(width, level) where unsafe words[start + index] != 0 {
                unsafe words[above + index >> 6] |= 1 &<< UInt64(index & 63)
            }
            start = above
        }
    }
}
