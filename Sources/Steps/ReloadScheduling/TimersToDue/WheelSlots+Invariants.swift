internal import Basics

extension WheelSlots {
    /// Checks that the bitmaps say which slots have chunks, that each entry lies in the slot in
    /// which the wheel's position looks for it, and that no chunk is lost: `detachedCount` are
    /// detached and not free. The slot `swept` is being cleaned, and may be marked as occupied
    /// without chunks.
    ///
    /// - Throws: the first contradiction.
    func checkInvariants(
        position: UInt64,
        swept: Int,
        detachedCount: Int
    ) throws(InvariantViolation) {
        var chunkCount = detachedCount
        for slot in 0..<Self.count {
            let bit: UInt64 = 1 << UInt64(slot & Self.levelMask)
            let isOccupied = unsafe occupied[slot >> Self.levelBits] & bit != 0
            var next = unsafe heads[slot]
            try checkInvariant(
                isOccupied == (next != nil) || isOccupied && slot == swept,
                otherwise: "slot \(slot) is marked as \(isOccupied ? "occupied" : "free")"
            )
            while let chunk = next {
                chunkCount += 1
                try checkInvariant(
                    chunkCount <= pool.chunkCount,
                    otherwise: "the chunks of slot \(slot) form a circle"
                )
                try check(chunk, in: slot, position: position)
                next = chunk.next
            }
        }
        try checkInvariant(
            chunkCount + pool.freeCount == pool.chunkCount,
            otherwise: "\(chunkCount) chunks are in use and \(pool.freeCount) free, "
                + "of \(pool.chunkCount)"
        )
    }

    /// Checks that a chunk has entries, all of which belong to its slot.
    private func check(
        _ chunk: WheelChunk,
        in slot: Int,
        position: UInt64
    ) throws(InvariantViolation) {
        try checkInvariant(
            (1...WheelChunk.capacity).contains(chunk.count),
            otherwise: "a chunk of slot \(slot) has \(chunk.count) entries"
        )
        for index in 0..<chunk.count {
            let entry = chunk[index]
            let wanted = self.slot(of: entry.word, position: position)
            try checkInvariant(
                entry.word.isInWheel && !entry.word.isMoved && wanted == slot,
                otherwise: "an entry of timer \(entry.id) lies in slot \(slot) "
                    + "and is looked for in \(wanted)"
            )
        }
    }

    /// Calls `body` with each entry of the slots.
    func visit(_ body: (WheelEntry) -> Void) {
        for slot in 0..<Self.count { unsafe heads[slot]?.visitChain(body) }
    }
}

extension WheelChunk {
    /// Calls `body` with each entry of this chunk and the next ones.
    func visitChain(_ body: (WheelEntry) -> Void) {
        var next: WheelChunk? = self
        while let chunk = next {
            for index in 0..<chunk.count { body(chunk[index]) }
            next = chunk.next
        }
    }

    /// The number of chunks from this one to the end of its chain.
    var chainLength: Int {
        var (length, next) = (1, self.next)
        while let chunk = next {
            length += 1
            next = chunk.next
        }
        return length
    }
}

extension WheelChunkPool {
    /// The number of all chunks, in use or not.
    var chunkCount: Int { unsafe blocks.count * Self.chunksPerBlock }

    /// The number of chunks that are not in use; more than `chunkCount` if their chain is a circle.
    var freeCount: Int {
        var count = unused
        var next = returned
        while let chunk = next, count <= chunkCount {
            count += 1
            next = chunk.next
        }
        return count
    }
}
