internal import Basics

/// A hash table of what has been seen in a push, to find repeats: values, combinations of values,
/// parts of texts.
///
/// It maps hashes to numbers that the caller chooses, such as the index of the value. Each repeat
/// costs one lookup here instead of a comparison with all earlier values. The table is emptied by
/// counting rounds, so that a short list after a long one costs only its own length. The hashes are
/// seeded, so that a sender cannot choose values that collide.
struct SeenTable: ~Copyable {
    /// One slot of the hash table.
    struct Slot: BitwiseCopyable {
        var hash: UInt64 = 0
        /// What the caller has stored with the hash.
        var number: UInt32 = 0
        /// The slot is empty unless this is the table's current round.
        var round: UInt32 = 0
    }

    var slots = GrowingBuffer<Slot>(capacity: 64)
    /// The number of slots less one.
    var mask = 63
    /// Rises each time the table is emptied: slots of earlier rounds are empty.
    var round: UInt32 = 1
    /// The number of entries.
    var count = 0

    /// Bytes allocated, used or not.
    var byteCount: Int { slots.byteCount }

    /// Creates an empty table.
    init() { slots.extend(to: 64, filling: Slot()) }

    /// Empties the table.
    mutating func removeAll() {
        count = 0
        round &+= 1
        if round > 0 { return }
        // The round has overflowed: slots of early rounds must not be taken for current ones.
        for index in 0..<slots.count { slots[index] = Slot() }
        round = 1
    }

    /// The number of the entry with a hash for which `isSame` is true; nil if there is none.
    @inline(__always)
    func find(_ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].round == round {
            if slots[index].hash == hash && isSame(Int(slots[index].number)) {
                return Int(slots[index].number)
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds an entry that is not in the table.
    @inline(__always)
    mutating func insert(_ hash: UInt64, number: Int) {
        if count * 2 > mask { grow() }
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].round == round { index = (index + 1) & mask }
        slots[index] = Slot(hash: hash, number: UInt32(truncatingIfNeeded: number), round: round)
        count += 1
    }

    /// Doubles the capacity.
    @inline(never)
    private mutating func grow() {
        var old = GrowingBuffer<Slot>(capacity: slots.count * 2)
        old.extend(to: slots.count * 2, filling: Slot())
        swap(&old, &slots)
        mask = slots.count - 1
        for number in 0..<old.count where old[number].round == round {
            var index = Int(truncatingIfNeeded: old[number].hash) & mask
            while slots[index].round == round { index = (index + 1) & mask }
            slots[index] = old[number]
        }
    }
}

extension SeenTable {
    /// Asserts that every entry of the round is found from its home, and that they are counted.
    func checkInvariants() {
        assert(slots.count == mask + 1 && slots.count & mask == 0, "the mask fits \(slots.count)")
        assert(round > 0, "round 0 is that of slots that were never used")
        var used = 0
        for index in 0..<slots.count where slots[index].round == round {
            used += 1
            var position = Int(truncatingIfNeeded: slots[index].hash) & mask
            while position != index {
                assert(slots[position].round == round, "slot \(index) cannot be reached")
                position = (position + 1) & mask
            }
        }
        assert(used == count, "\(used) entries, but \(count) are counted")
        assert(used < slots.count, "a full table has no end of a search")
    }
}
