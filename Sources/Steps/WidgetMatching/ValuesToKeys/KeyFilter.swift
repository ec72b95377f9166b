internal import Basics

/// Says of most hashes that no key has them, at less cost than the key table: most probes look for
/// keys that no widget has.
///
///     256 shards, chosen by a hash's top 8 bits; each [ word of 64 bits ] [ word ] …
///     a key sets three bits of one word, all chosen by the low half of its hash
///
/// So of hashes without a key it lets a few of a hundred pass, which then find nothing in the
/// table. Bits are not cleared when keys go. As soon as a shard has taken 6 keys for each word, it
/// is made anew of the keys that the table still has, with the number of words that suits them:
/// that is 1.3 to 2.7 bytes for each key, and up to 4 where keys come and go.
///
/// A copy is the same filter: the matcher's, and what a scanner prefetches from.
@safe
struct KeyFilter {
    /// The bits of the keys whose hashes have the same top 8 bits.
    @safe private struct Shard {
        var words: UnsafeMutablePointer<UInt64>
        /// The number of words, a power of two, less one.
        var mask: Int
        /// How many keys it still takes.
        var left: Int
    }

    /// Owns the shards.
    @safe private final class Memory {
        let shards = UnsafeMutablePointer<Shard>.allocate(capacity: shardCount)

        init() {
            for number in 0..<shardCount {
                unsafe (shards + number).initialize(to: empty(words: 1))
            }
        }

        deinit {
            for number in 0..<shardCount { unsafe shards[number].words.deallocate() }
            unsafe shards.deallocate()
        }
    }

    private static var shardCount: Int { 256 }
    /// The keys that a shard takes for each of its words.
    private static var keysPerWord: Int { 6 }

    private let memory: Memory
    /// Those of `memory`, which are read without counting references to it.
    private let shards: UnsafeMutablePointer<Shard>

    /// A filter that lets nothing pass.
    init() {
        memory = Memory()
        unsafe shards = memory.shards
    }

    /// Bytes allocated.
    var byteCount: Int {
        var count = 0
        for number in 0..<Self.shardCount { unsafe count += (shards[number].mask + 1) * 8 }
        return count
    }

    /// Whether there may be a key with a hash.
    @inline(__always)
    func mayHave(_ hash: UInt64) -> Bool {
        let bits = Self.bits(hash)
        return unsafe word(hash).pointee & bits == bits
    }

    /// Prefetches what `mayHave` reads.
    @inline(__always)
    func prefetch(_ hash: UInt64) { unsafe prefetchLine(word(hash)) }

    /// The word of a hash.
    @unsafe @inline(__always)
    private func word(_ hash: UInt64) -> UnsafeMutablePointer<UInt64> {
        let shard = unsafe shards + Int(hash &>> 56)
        return unsafe shard.pointee.words
            + Int(UInt32(truncatingIfNeeded: hash)) & shard.pointee.mask
    }

    /// Adds the hash of a key that has just been added to `keys`.
    func insert(_ hash: UInt64, of keys: borrowing HashIndex) {
        let shard = unsafe shards + Int(hash &>> 56)
        if unsafe shard.pointee.left == 0 { rebuild(Int(hash &>> 56), of: keys) }
        unsafe shard.pointee.left -= 1
        unsafe word(hash).pointee |= Self.bits(hash)
    }

    /// Makes a shard anew of the keys that there are, so that it takes half as many again at least.
    @inline(never)
    private func rebuild(_ number: Int, of keys: borrowing HashIndex) {
        var count = 0
        keys.forEachHash(inShard: number) { _ in count += 1 }
        let before = unsafe shards[number].mask + 1
        var wordCount = 1
        while count * 3 > wordCount * Self.keysPerWord * 2 { wordCount *= 2 }
        if wordCount == before {
            unsafe shards[number].words.update(repeating: 0, count: before)
        } else {
            unsafe shards[number].words.deallocate()
            unsafe shards[number] = Self.empty(words: wordCount)
        }
        unsafe shards[number].left = wordCount * Self.keysPerWord - count
        let shard = unsafe shards[number]
        keys.forEachHash(inShard: number) { hash in
            unsafe shard.words[Int(hash) & shard.mask] |= Self.bits(hash)
        }
    }

    /// A shard without keys.
    private static func empty(words count: Int) -> Shard {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        unsafe words.initialize(repeating: 0, count: count)
        return unsafe Shard(words: words, mask: count - 1, left: count * keysPerWord)
    }

    /// The three bits of a hash in its word. The table keeps the low half of hashes, of which the
    /// lowest bits choose the word.
    @inline(__always)
    private static func bits(_ hash: UInt64) -> UInt64 {
        1 &<< (hash &>> 26) | 1 &<< (hash &>> 20) | 1 &<< (hash &>> 14)
    }
}
