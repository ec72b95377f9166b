/// A hash table from keys that live elsewhere to 32-bit numbers.
///
///     256 shards, chosen by the hash's top 8 bits; each an open-addressing table of
///     [ hash: 32 bits | number + 1: 32 bits ]    0 = empty slot
///
/// The table keeps half of each hash and asks the caller whether a number's key is the wanted one.
/// Shards grow each for itself, so that no insertion ever moves more than a 256th of the table.
/// Removal shifts the run behind the slot back (Knuth 6.4, algorithm R): there are no tombstones.
@safe
package struct HashIndex: ~Copyable {
    @safe private struct Shard {
        var slots: UnsafeMutablePointer<UInt64>
        var mask: Int
        var count: Int
    }

    private static var shardCount: Int { 256 }
    private static var firstCapacity: Int { 16 }

    private let shards: UnsafeMutablePointer<Shard>
    package private(set) var count = 0

    package init() {
        unsafe shards = .allocate(capacity: Self.shardCount)
        for index in 0..<Self.shardCount {
            unsafe (shards + index).initialize(to: Self.emptyShard(Self.firstCapacity))
        }
    }

    deinit {
        for index in 0..<Self.shardCount { unsafe shards[index].slots.deallocate() }
        unsafe shards.deallocate()
    }

    /// Bytes held from the system.
    package var byteCount: Int {
        var total = 0
        for index in 0..<Self.shardCount { unsafe total += (shards[index].mask + 1) * 8 }
        return total
    }

    /// The number stored under a key with this hash for which `isWanted` holds.
    package func find(_ hash: UInt64, where isWanted: (UInt32) -> Bool) -> UInt32? {
        let shard = unsafe shards[Int(hash >> 56)]
        let tag = UInt32(truncatingIfNeeded: hash)
        var position = Int(tag) & shard.mask
        while true {
            let slot = unsafe shard.slots[position]
            if slot == 0 { return nil }
            if UInt32(truncatingIfNeeded: slot >> 32) == tag {
                let number = UInt32(truncatingIfNeeded: slot) &- 1
                if isWanted(number) { return number }
            }
            position = (position + 1) & shard.mask
        }
    }

    /// Stores a number; the caller has made sure that its key is not there.
    package mutating func insert(_ hash: UInt64, _ number: UInt32) {
        let shard = unsafe shards + Int(hash >> 56)
        if unsafe (shard.pointee.count + 1) * 4 > (shard.pointee.mask + 1) * 3 {
            unsafe Self.grow(&shard.pointee)
        }
        unsafe Self.place(Self.slot(hash, number), in: shard.pointee)
        unsafe shard.pointee.count += 1
        count += 1
    }

    /// Removes a number that was stored under this hash.
    package mutating func remove(_ hash: UInt64, _ number: UInt32) {
        let shard = unsafe shards + Int(hash >> 56)
        let (slots, mask) = unsafe (shard.pointee.slots, shard.pointee.mask)
        let wanted = Self.slot(hash, number)
        var hole = Int(wanted >> 32) & mask
        while unsafe slots[hole] != wanted {
            unsafe precondition(slots[hole] != 0, "removes a number that is not in the table")
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while unsafe slots[next] != 0 {
            let home = unsafe Int(slots[next] >> 32) & mask
            // A slot moves back into the hole only if that is not in front of its home.
            if (next - home) & mask >= (next - hole) & mask {
                unsafe slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        unsafe slots[hole] = 0
        unsafe shard.pointee.count -= 1
        count -= 1
    }

    private static func slot(_ hash: UInt64, _ number: UInt32) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(number + 1)
    }

    private static func emptyShard(_ capacity: Int) -> Shard {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        unsafe slots.initialize(repeating: 0, count: capacity)
        return unsafe Shard(slots: slots, mask: capacity - 1, count: 0)
    }

    private static func place(_ slot: UInt64, in shard: Shard) {
        var position = Int(slot >> 32) & shard.mask
        while unsafe shard.slots[position] != 0 {
            position = (position + 1) & shard.mask
        }
        unsafe shard.slots[position] = slot
    }

    private static func grow(_ shard: inout Shard) {
        var larger = emptyShard((shard.mask + 1) * 2)
        larger.count = shard.count
        for position in 0...shard.mask {
            let slot = unsafe shard.slots[position]
            if slot != 0 { place(slot, in: larger) }
        }
        unsafe shard.slots.deallocate()
        shard = larger
    }
}
