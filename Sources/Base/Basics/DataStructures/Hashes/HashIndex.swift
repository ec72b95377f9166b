/// A hash table from keys that are kept elsewhere to 32-bit numbers.
///
///     256 shards, chosen by the hash's top 8 bits; each an open-addressing table of
///     [ hash: 32 bits | number + 1: 32 bits ]    0 = empty slot
///
/// The table keeps half of each hash, and asks the caller whether a number's key is the wanted one.
/// Each shard grows on its own, so that an insertion moves about a 256th of the table at most.
/// Removal shifts the run after the slot back (Knuth 6.4, algorithm R): there are no tombstones.
///
/// A lookup can be made in stages, so that the memory waits of many lookups overlap: `prefetch`,
/// then `candidate`, which touches only the table, then the caller's comparison of keys.
@safe @usableFromInline
package struct HashIndex: ~Copyable {
    /// One of the 256 tables; `mask` is one less than its number of slots, a power of two.
    @safe @usableFromInline
    struct Shard {
        @usableFromInline var slots: UnsafeMutablePointer<UInt64>
        @usableFromInline var mask: Int
        var count: Int
    }

    /// A number whose key may be the wanted one, and the slot it was found in.
    @frozen @usableFromInline
    package struct Candidate: BitwiseCopyable {
        /// The number that was found; `HashIndex.none` if there is none.
        @usableFromInline package let number: UInt32
        @usableFromInline let position: UInt32

        @inlinable @inline(__always)
        init(number: UInt32, position: UInt32) {
            self.number = number
            self.position = position
        }

        /// True if the table has no further candidate.
        @inlinable @inline(__always)
        package var isNone: Bool { number == HashIndex.none }

        /// The result of a search that found nothing more.
        @inlinable @inline(__always)
        package static var none: Candidate { Candidate(number: HashIndex.none, position: 0) }
    }

    /// A number that is never stored; every number below it can be.
    @inlinable package static var none: UInt32 { UInt32.max }
    /// The number of shards, one for each value of a hash's top 8 bits.
    static var shardCount: Int { 256 }
    /// The number of slots of a new shard; a shard never has fewer.
    static var firstCapacity: Int { 16 }

    @usableFromInline let shards: UnsafeMutablePointer<Shard>
    /// The memory in which `reserve` has put the shards, until the last of them has left it.
    @usableFromInline var block: UnsafeMutableRawBufferPointer?
    /// The number of shards in `block`.
    var blockShardCount = 0
    /// The number of numbers in the table.
    package private(set) var count = 0

    /// An empty table, whose shards take 32 KiB.
    package init() {
        unsafe shards = .allocate(capacity: Self.shardCount)
        for index in 0..<Self.shardCount {
            unsafe (shards + index).initialize(to: Self.emptyShard(Self.firstCapacity))
        }
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit {
        for index in 0..<256 {
            let slots = unsafe shards[index].slots
            if unsafe !isInBlock(slots) { unsafe slots.deallocate() }
        }
        unsafe block?.deallocate()
        unsafe shards.deallocate()
    }

    /// The bytes allocated from the system.
    package var byteCount: Int {
        var total = unsafe block?.count ?? 0
        for index in 0..<Self.shardCount where unsafe !isInBlock(shards[index].slots) {
            unsafe total += (shards[index].mask + 1) * 8
        }
        return total
    }

    /// The bytes of the slots in use.
    package var usedByteCount: Int { count * MemoryLayout<UInt64>.stride }

    // MARK: - Finding

    /// Prefetches the slot in which a key with this hash would be.
    @inlinable @inline(__always)
    package func prefetch(_ hash: UInt64) {
        let shard = unsafe shards + Int(hash >> 56)
        unsafe prefetchLine(
            shard.pointee.slots + Int(UInt32(truncatingIfNeeded: hash)) & shard.pointee.mask
        )
    }

    /// The first number whose hash agrees with this one in the bits that the table keeps;
    /// `Candidate.none` if there is none.
    @inlinable @inline(__always)
    package func candidate(_ hash: UInt64) -> Candidate {
        // The mask keeps the position in the shard.
        unsafe candidate(hash, from: Int(UInt32(truncatingIfNeeded: hash)) & shard(hash).mask)
    }

    /// The next number after `last` whose hash agrees with this one in the bits that the table
    /// keeps.
    ///
    /// If `last` belongs to another hash, or is from before a change of the table, the search may
    /// skip numbers, but reads nothing outside of the shard.
    @inlinable @inline(__always)
    package func candidate(_ hash: UInt64, after last: Candidate) -> Candidate {
        assert(!last.isNone, "continues a search that has ended")
        return unsafe candidate(hash, from: (Int(last.position) + 1) & shard(hash).mask)
    }

    /// The shard of a hash, chosen by its top 8 bits.
    @unsafe @inlinable @inline(__always)
    func shard(_ hash: UInt64) -> Shard { unsafe shards[Int(hash >> 56)] }

    /// The first number, from position `start` of the shard on, whose stored half of the hash
    /// agrees with this one; `start` must be a position of the shard.
    @unsafe @inlinable @inline(__always)
    func candidate(_ hash: UInt64, from start: Int) -> Candidate {
        let shard = unsafe self.shard(hash)
        let tag = UInt32(truncatingIfNeeded: hash)
        var position = start
        while true {
            let slot = unsafe shard.slots[position]
            if slot == 0 { return .none }
            if UInt32(truncatingIfNeeded: slot >> 32) == tag {
                return Candidate(
                    number: UInt32(truncatingIfNeeded: slot) &- 1,
                    position: UInt32(truncatingIfNeeded: position)
                )
            }
            position = (position + 1) & shard.mask
        }
    }

    /// The first number stored under this hash for which `isWanted` returns true; nil if there is
    /// none.
    @inlinable @inline(__always)
    package func find(_ hash: UInt64, where isWanted: (UInt32) -> Bool) -> UInt32? {
        var candidate = candidate(hash)
        while !candidate.isNone {
            if isWanted(candidate.number) { return candidate.number }
            candidate = self.candidate(hash, after: candidate)
        }
        return nil
    }

    /// Calls `body` with the low half of each hash that is stored in one of the 256 shards, which
    /// the hash's top 8 bits choose.
    package func forEachHash(inShard number: Int, body: (UInt64) -> Void) {
        precondition(number >= 0 && number < Self.shardCount, "there is no shard \(number)")
        let shard = unsafe shards[number]
        for position in 0...shard.mask {
            let slot = unsafe shard.slots[position]
            if slot != 0 { body(slot >> 32) }
        }
    }

    /// The number of slots that a lookup of an absent key with this hash examines.
    ///
    /// Tests measure with it, instead of a clock, what slows a table down.
    package func stepCount(_ hash: UInt64) -> Int {
        let shard = unsafe self.shard(hash)
        var position = Int(UInt32(truncatingIfNeeded: hash)) & shard.mask
        var count = 1
        while unsafe shard.slots[position] != 0 {
            position = (position + 1) & shard.mask
            count += 1
        }
        return count
    }

    // MARK: - Changing

    /// Stores a number; its key must not be in the table.
    @usableFromInline
    package mutating func insert(_ hash: UInt64, number: UInt32) {
        precondition(number != Self.none, "the number is that of no entry")
        let shard = unsafe shards + Int(hash >> 56)
        if unsafe (shard.pointee.count + 1) * 4 > (shard.pointee.mask + 1) * 3 {
            unsafe resize(&shard.pointee, to: (shard.pointee.mask + 1) * 2)
        }
        unsafe Self.place(Self.slot(hash, number: number), in: shard.pointee)
        unsafe shard.pointee.count += 1
        count += 1
    }

    /// Removes a number, which must be stored under this hash.
    @usableFromInline
    package mutating func remove(_ hash: UInt64, number: UInt32) {
        let shard = unsafe shards + Int(hash >> 56)
        let (slots, mask) = unsafe (shard.pointee.slots, shard.pointee.mask)
        let wanted = Self.slot(hash, number: number)
        var hole = Int(wanted >> 32) & mask
        while unsafe slots[hole] != wanted {
            unsafe precondition(slots[hole] != 0, "removes a number that is not in the table")
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while unsafe slots[next] != 0 {
            let home = unsafe Int(slots[next] >> 32) & mask
            // A slot may move back into the hole unless the hole is before its home.
            if (next - home) & mask >= (next - hole) & mask {
                unsafe slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        unsafe slots[hole] = 0
        unsafe shard.pointee.count -= 1
        count -= 1
        if unsafe mask >= Self.firstCapacity && shard.pointee.count * 8 < mask {
            unsafe resize(&shard.pointee, to: (mask + 1) / 2)
        }
    }

    /// A slot's content: the half of the hash that is kept, and the number plus one.
    private static func slot(_ hash: UInt64, number: UInt32) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(number + 1)
    }

    /// Allocates a shard of this many slots, all of them empty.
    private static func emptyShard(_ capacity: Int) -> Shard {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        unsafe slots.initialize(repeating: 0, count: capacity)
        return unsafe Shard(slots: slots, mask: capacity - 1, count: 0)
    }

    /// Writes a slot into the first empty position from the one that its hash selects.
    private static func place(_ slot: UInt64, in shard: Shard) {
        assert(UInt32(truncatingIfNeeded: slot) != 0, "a slot has no number")
        assert(shard.count < shard.mask, "a shard has no empty slot left")
        var position = Int(slot >> 32) & shard.mask
        while unsafe shard.slots[position] != 0 { position = (position + 1) & shard.mask }
        unsafe shard.slots[position] = slot
    }

    /// Moves a shard to new memory with this many slots.
    private mutating func resize(_ shard: inout Shard, to capacity: Int) {
        assert(capacity >= Self.firstCapacity && capacity & (capacity - 1) == 0)
        assert(shard.count * 4 <= capacity * 3, "a shard becomes too small")
        move(&shard, to: Self.emptyShard(capacity))
    }

    /// Moves a shard's slots to `empty`, which replaces it, and releases their former memory.
    mutating func move(_ shard: inout Shard, to empty: Shard) {
        for position in 0...shard.mask {
            let slot = unsafe shard.slots[position]
            if slot != 0 { Self.place(slot, in: empty) }
        }
        let count = shard.count
        unsafe release(shard.slots)
        shard = empty
        shard.count = count
    }
}
