extension HashIndex {
    /// Checks that a lookup reaches each number: there is no empty slot between the one that its
    /// hash selects and its own; and that the counts are right.
    ///
    /// Keys are kept elsewhere: that each number is found by its key is for the owner to check,
    /// who compares `count` with the number of its keys.
    ///
    /// - Complexity: proportional to the number of slots.
    package func checkInvariants() throws(InvariantViolation) {
        var (numberCount, inBlock) = (0, 0)
        for index in 0..<Self.shardCount {
            try checkShard(index)
            unsafe numberCount += shards[index].count
            if unsafe isInBlock(shards[index].slots) { inBlock += 1 }
        }
        try checkInvariant(
            numberCount == count,
            otherwise: "\(count) numbers are counted, and the shards count \(numberCount)"
        )
        try checkInvariant(
            inBlock == blockShardCount,
            otherwise: "\(inBlock) shards lie in the block, which counts \(blockShardCount)"
        )
    }

    /// Checks one of the 256 shards.
    private func checkShard(_ index: Int) throws(InvariantViolation) {
        let shard = unsafe shards[index]
        let capacity = shard.mask + 1
        try checkInvariant(
            capacity >= Self.firstCapacity && capacity & shard.mask == 0,
            otherwise: "shard \(index) has \(capacity) slots"
        )
        var used = 0
        for position in 0..<capacity {
            let slot = unsafe shard.slots[position]
            if slot == 0 { continue }
            used += 1
            try checkInvariant(
                UInt32(truncatingIfNeeded: slot) != 0,
                otherwise: "slot \(position) of shard \(index) has a hash without a number"
            )
            var before = Int(slot >> 32) & shard.mask
            while before != position {
                try checkInvariant(
                    unsafe shard.slots[before] != 0,
                    otherwise: "number \(UInt32(truncatingIfNeeded: slot) - 1) is not reached: "
                        + "slot \(before) of shard \(index) is empty"
                )
                before = (before + 1) & shard.mask
            }
        }
        try checkInvariant(
            used == shard.count && used * 4 <= capacity * 3,
            otherwise: "shard \(index) counts \(shard.count) of \(used) numbers, "
                + "in \(capacity) slots"
        )
    }
}
