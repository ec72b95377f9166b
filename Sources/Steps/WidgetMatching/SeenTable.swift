internal import DataStructures

/// Which of a push's values, or combinations of them, have been met.
///
/// A value that stands in a list a thousand times is looked for once: each repeat costs one look
/// into this table, not a comparison with all that came before. Emptied by counting rounds, so that
/// a small list after a large one pays for itself only. The hashes are seeded: nobody outside can
/// choose values that fall together.
struct SeenTable: ~Copyable {
    struct Slot: BitwiseCopyable {
        var hash: UInt64 = 0
        var number: UInt32 = 0
        /// Empty unless it is the table's.
        var round: UInt32 = 0
    }

    private var slots = GrowingBuffer<Slot>(capacity: 64)
    private var mask = 63
    private var round: UInt32 = 0
    private var count = 0

    /// Bytes held from the system, used or not.
    var byteCount: Int { slots.byteCount }

    init() {
        slots.extend(to: 64, filling: Slot())
    }

    /// Empties the table.
    mutating func removeAll() {
        count = 0
        round &+= 1
        if round > 0 { return }
        // Four thousand million rounds later: what is left of the first ones must not look new.
        for index in 0..<slots.count { slots[index] = Slot() }
        round = 1
    }

    /// Finds what is in the table already.
    ///
    /// - Parameters:
    ///   - hash: of all that makes it what it is.
    ///   - isSame: whether one of the same hash is the same.
    /// - Returns: its number; nil if it is not there.
    @inline(__always)
    func find(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int? {
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].round == round {
            if slots[index].hash == hash && isSame(Int(slots[index].number)) {
                return Int(slots[index].number)
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds what is not in the table.
    @inline(__always)
    mutating func insert(_ hash: UInt64, _ number: Int) {
        if count * 2 > mask { grow() }
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].round == round { index = (index + 1) & mask }
        slots[index] = Slot(hash: hash, number: UInt32(truncatingIfNeeded: number), round: round)
        count += 1
    }

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
