/// Insertions into an index that wait for one another: a place in memory that no cache holds is asked
/// for when a number comes, and written to when a batch is full, so that the waits overlap.
package struct HashIndexBatch: ~Copyable {
    private static var limit: Int { 32 }

    private var hashes = InlineArray<32, UInt64>(repeating: 0)
    private var numbers = InlineArray<32, UInt32>(repeating: 0)
    private var count = 0

    package init() {}

    /// Stores a number, at the latest with `finish`; the caller has made sure that its key is not there.
    package mutating func insert(_ hash: UInt64, _ number: UInt32, in index: inout HashIndex) {
        if count == Self.limit { finish(&index) }
        hashes[count] = hash
        numbers[count] = number
        count += 1
        index.prefetch(hash)
    }

    /// Stores what waits.
    package mutating func finish(_ index: inout HashIndex) {
        for place in 0..<count { index.insert(hashes[place], numbers[place]) }
        count = 0
    }
}
