extension ProbeTable {
    /// Asserts that every slot is found from its home, and that the table has the size that its
    /// count demands.
    func checkInvariants() {
        let capacity = mask + 1
        assert(capacity & mask == 0, "the capacity \(capacity) is no power of two")
        assert(count * 8 <= capacity * 5, "\(count) of \(capacity) slots are used: too many")
        var used = 0
        for index in 0..<capacity where !self[index].isEmpty {
            used += 1
            var position = home(self[index].fingerprint)
            while position != index {
                assert(!self[position].isEmpty, "slot \(index) cannot be reached from its home")
                position = next(position)
            }
        }
        assert(used == count, "\(used) slots are used, but \(count) are counted")
    }
}
