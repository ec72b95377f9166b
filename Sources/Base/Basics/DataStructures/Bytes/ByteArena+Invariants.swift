extension ByteArena {
    /// Checks that free blocks lie within the chunks, that no two of them overlap, and that the
    /// blocks in use, the free ones and the unused rest add up to all of the arena's memory.
    ///
    /// - Complexity: O(n log n) for n free blocks.
    package func checkInvariants() throws(InvariantViolation) {
        var freeBlocks: [(start: UInt32, units: UInt32)] = []
        var freeByteCount = 0
        for sizeClass in freeLists.indices {
            let size = Self.size(ofClass: sizeClass)
            var block = freeLists[sizeClass]
            while block != Self.none {
                try checkInvariant(
                    Int(block) + size >> Self.unitShift <= Int(next),
                    otherwise: "free block \(block) of \(size) bytes ends after \(next)"
                )
                freeByteCount += size
                try checkInvariant(
                    freeByteCount <= byteCount,
                    otherwise: "the free blocks of \(size) bytes form a circle"
                )
                freeBlocks.append((block, UInt32(size >> Self.unitShift)))
                block = unsafe pointer(block).load(as: UInt32.self)
            }
        }
        freeBlocks.sort { $0.start < $1.start }
        for index in freeBlocks.indices.dropFirst() {
            let before = freeBlocks[index - 1]
            try checkInvariant(
                before.start + before.units <= freeBlocks[index].start,
                otherwise: "free blocks \(before.start) and \(freeBlocks[index].start) overlap"
            )
        }
        let rest = byteCount - Int(next) << Self.unitShift
        try checkInvariant(
            usedByteCount >= 0 && usedByteCount + freeByteCount + rest == byteCount,
            otherwise: "\(usedByteCount) bytes are in use, \(freeByteCount) are free and \(rest) "
                + "are left, of \(byteCount)"
        )
    }

    /// The size in bytes of the blocks of a size class.
    private static func size(ofClass index: Int) -> Int {
        index < linearCount ? (index + 1) << unitShift : 1 << (index - linearCount + 10)
    }
}
