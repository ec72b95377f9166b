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
