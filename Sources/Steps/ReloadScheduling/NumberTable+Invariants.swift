internal import Basics

extension NumberTable {
    /// Checks that a lookup reaches each number: there is no empty slot between its key's home and
    /// its own slot; and that `count` is right.
    func checkInvariants() throws(InvariantViolation) {
        var used = 0
        for position in 0...mask {
            let slot = unsafe slots[position]
            if slot == 0 { continue }
            used += 1
            let key = UInt32(truncatingIfNeeded: slot >> 32)
            var before = home(key)
            while before != position {
                try checkInvariant(
                    unsafe slots[before] != 0,
                    otherwise: "key \(key) is not found: slot \(before) before it is empty"
                )
                before = (before + 1) & mask
            }
        }
        try checkInvariant(
            used == count && used * 4 <= (mask + 1) * 3,
            otherwise: "\(count) numbers are counted, and \(used) of \(mask + 1) slots are used"
        )
    }
}
