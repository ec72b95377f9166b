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
        for place in 0..<count { index.insert(hashes[place], number: numbers[place]) }
        count = 0
    }
}
