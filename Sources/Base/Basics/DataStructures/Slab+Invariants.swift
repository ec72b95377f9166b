extension Slab {
    /// Checks that the free slots are slots below `end`, and that all slots have memory.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("Slab.free") { () throws(InvariantViolation) in
            try free.checkInvariants()
        }
        let used = Int(end)
        try checkInvariant(
            used <= chunkCount << Self.chunkShift && chunkCount <= chunkCapacity,
            of: "Slab",
            otherwise: "\(used) slots lie in \(chunkCount) chunks of \(chunkCapacity)"
        )
        var freeCount = 0
        for word in 0..<(used + 63) / 64 {
            let valid: UInt64 = used - word * 64 < 64 ? 1 << UInt64(used - word * 64) - 1 : .max
            freeCount += (free[word: word] & valid).nonzeroBitCount
        }
        try checkInvariant(
            freeCount == free.count,
            of: "Slab",
            otherwise: "\(free.count - freeCount) free slots are not below the end, \(used)"
        )
    }
}
