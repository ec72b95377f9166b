internal import Basics

/// Says of most hashes that no key has them, at less cost than the key table: most probes look for
/// keys that no widget has.
///
///     256 shards, chosen by a hash's top 8 bits; each [ word of 64 bits ] [ word ] …
///     a key sets three bits of one word, all chosen by the low half of its hash
///
/// So of hashes without a key it lets up to four of a hundred pass, which then find nothing in the
/// table. Bits are not cleared when keys go. As soon as a shard has taken 8 keys for each word, it
/// is made anew of the keys that the table still has, with room for about half as many again: that
/// is 1 to 1.5 bytes for each key, and up to 3 where many have gone. It is so small because what
/// counts is how much of it the processor's cache has: a wait for memory takes longer than all the
/// rest of a push that finds nothing.
///
/// A copy is the same filter: the matcher's, and what a scanner prefetches from.
@safe
struct KeyFilter {
    /// The bits of the keys whose hashes have the same top 8 bits.
    @safe private struct Shard {
        var words: UnsafeMutablePointer<UInt64>
        /// The number of words.
        var count: UInt32
        /// How many keys it still takes.
        var left: UInt32
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
    private static var keysPerWord: Int { 8 }

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
        for number in 0..<Self.shardCount { unsafe count += Int(shards[number].count) * 8 }
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
        return unsafe shard.pointee.words + Self.position(hash, in: shard.pointee.count)
    }

    /// The position of a hash's word among `count` words, by the highest bits of the low half.
    @inline(__always)
    private static func position(_ hash: UInt64, in count: UInt32) -> Int {
        Int((UInt64(UInt32(truncatingIfNeeded: hash)) &* UInt64(count)) &>> 32)
    }

    /// Adds the hash of a key that has just been added to `keys`.
    func insert(_ hash: UInt64, of keys: borrowing HashIndex) {
        let shard = unsafe shards + Int(hash &>> 56)
        if unsafe shard.pointee.left == 0 { rebuild(Int(hash &>> 56), of: keys) }
        unsafe shard.pointee.left -= 1
        unsafe word(hash).pointee |= Self.bits(hash)
    }

    /// Makes a shard anew of the keys that there are.
    @inline(never)
    private func rebuild(_ number: Int, of keys: borrowing HashIndex) {
        var keyCount = 0
        keys.forEachHash(inShard: number) { _ in keyCount += 1 }
        let before = unsafe Int(shards[number].count)
        let wordCount = max(1, (keyCount * 3 + 2 * Self.keysPerWord - 1) / (2 * Self.keysPerWord))
        // Memory that has room for a quarter as many again is kept: keys that come and go allocate
        // nothing.
        if before * Self.keysPerWord * 4 >= keyCount * 5 && before <= wordCount * 2 {
            unsafe shards[number].words.update(repeating: 0, count: before)
            unsafe shards[number].left = UInt32(before * Self.keysPerWord)
        } else {
            unsafe shards[number].words.deallocate()
            unsafe shards[number] = Self.empty(words: wordCount)
        }
        unsafe shards[number].left -= UInt32(keyCount)
        let shard = unsafe shards[number]
        keys.forEachHash(inShard: number) { hash in
            unsafe shard.words[Self.position(hash, in: shard.count)] |= Self.bits(hash)
        }
    }

    /// A shard without keys.
    private static func empty(words count: Int) -> Shard {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        unsafe words.initialize(repeating: 0, count: count)
        return unsafe Shard(words: words, count: UInt32(count), left: UInt32(count * keysPerWord))
    }

    /// The three bits of a hash in its word. The table keeps the low half of hashes, of which the
    /// highest bits choose the word.
    @inline(__always)
    private static func bits(_ hash: UInt64) -> UInt64 {
        1 &<< hash | 1 &<< (hash &>> 6) | 1 &<< (hash &>> 12)
    }
}
