/// Collects insertions into a `HashIndex`, so that their waits for memory overlap: a slot is
/// prefetched when its number is added to the batch, and written when the batch is full.
///
/// All calls must name the same index. A number is found in it only after `finish`.
package struct HashIndexBatch: ~Copyable {
    /// The number of insertions that a batch holds.
    private static var limit: Int { 32 }

    private var hashes = InlineArray<32, UInt64>(repeating: 0)
    private var numbers = InlineArray<32, UInt32>(repeating: 0)
    private var count = 0
    /// The pairs of numbers whose hashes agree in the bits that the index keeps: the keys of each
    /// pair may be the same one. Of the numbers that agree with a later one, the first four are
    /// here.
    package private(set) var similar: [(earlier: UInt32, later: UInt32)] = []

    /// An empty batch.
    package init() {}

    /// Adds a number to the batch; it is in the index after `finish` at the latest. Its key must
    /// not be in the index yet.
    package mutating func insert(
        _ hash: UInt64,
        number: some SlotNumber,
        in index: inout HashIndex
    ) {
        assert(!number.isNone, "the number is that of no entry")
        if count == Self.limit { finish(&index) }
        hashes[count] = hash
        numbers[count] = number.rawValue
        count += 1
        index.prefetch(hash)
    }

    /// Stores all numbers that the batch holds.
    package mutating func finish(_ index: inout HashIndex) {
        for position in 0..<count {
            findSimilar(position, in: index)
            index.insert(hashes[position], number: numbers[position])
        }
        count = 0
    }

    /// Finds the numbers of the index that may have the same key as one of the batch. It reads the
    /// memory in which that number is then stored, so that it costs no further wait.
    private mutating func findSimilar(_ position: Int, in index: borrowing HashIndex) {
        var candidate = index.candidate(hashes[position])
        for _ in 0..<4 where !candidate.isNone {
            similar.append((earlier: candidate.number, later: numbers[position]))
            candidate = index.candidate(hashes[position], after: candidate)
        }
    }

    /// Forgets the pairs that were found.
    package mutating func forgetSimilar() { similar = [] }
}
