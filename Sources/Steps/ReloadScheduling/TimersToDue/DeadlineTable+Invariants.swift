internal import Basics

extension DeadlineTable {
    /// Checks that `chunkCount` is the number of allocated chunks.
    func checkInvariants() throws(InvariantViolation) {
        var allocated = 0
        for index in 0..<chunkCapacity where unsafe chunks[index] != nil { allocated += 1 }
        try checkInvariant(
            allocated == chunkCount,
            otherwise: "\(chunkCount) chunks are counted, and \(allocated) are allocated"
        )
    }

    /// Calls `body` with each timer that has a deadline.
    ///
    /// - Complexity: proportional to the timer numbers that the allocated chunks cover.
    func visit(
        _ body: (TimerID, WheelWord) throws(InvariantViolation) -> Void
    ) throws(InvariantViolation) {
        for index in 0..<chunkCapacity {
            guard let chunk = unsafe chunks[index] else { continue }
            for position in 0...Self.chunkMask where unsafe chunk[position] != .none {
                try unsafe body(
                    TimerID(index: index << Int(Self.chunkShift) + position),
                    chunk[position]
                )
            }
        }
    }
}
