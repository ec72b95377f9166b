internal import CIntrinsics

/// Space for many numbers, reserved before they come, as when a store is loaded.
///
/// All shards then lie in one block:
///
///     block, of huge pages ─► [ shard 0 ][ shard 1 ] … [ shard 255 ]
///
/// A table of ten million numbers has 130 MB, and insertions and lookups read slots anywhere in it.
/// With pages of 4 KiB the processor would spend longer on translating the address (a miss of its
/// TLB) than on reading the slot. A shard that grows or shrinks leaves the block, which is
/// deallocated when the last shard has left.
extension HashIndex {
    /// The size of a huge page, in bytes.
    @usableFromInline static var hugePage: Int { 2 << 20 }

    /// Makes space for `count` numbers in all, so that hardly any shard has to grow before that.
    ///
    /// Does nothing if the table would be smaller than a huge page, if space was reserved before,
    /// or if a shard has more slots already than it would get.
    package mutating func reserve(_ count: Int) {
        assert(count >= 0)
        var capacity = Self.firstCapacity
        while count / Self.shardCount * 4 > capacity * 3 { capacity *= 2 }
        let byteCount = capacity * Self.shardCount * MemoryLayout<UInt64>.stride
        if unsafe byteCount < Self.hugePage || block != nil { return }
        for index in 0..<Self.shardCount where unsafe shards[index].mask >= capacity { return }
        let base = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: Self.hugePage)
        unsafe intrinsics_use_huge_pages(base, byteCount)
        let slots = unsafe base.initializeMemory(
            as: UInt64.self,
            repeating: 0,
            count: capacity * Self.shardCount
        )
        for index in 0..<Self.shardCount {
            let empty = unsafe Shard(slots: slots + index * capacity, mask: capacity - 1, count: 0)
            let shard = unsafe shards + index
            unsafe move(&shard.pointee, to: empty)
        }
        unsafe block = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
        blockShardCount = Self.shardCount
    }

    /// Whether a shard's slots are in the reserved block.
    @unsafe @usableFromInline
    func isInBlock(_ slots: UnsafeMutablePointer<UInt64>) -> Bool {
        guard let block = unsafe block else { return false }
        let offset = unsafe UnsafeMutableRawPointer(slots) - block.baseAddress!
        return offset >= 0 && offset < block.count
    }

    /// Releases the slots that a shard has left; with the last of the reserved block also the
    /// block.
    @unsafe
    mutating func release(_ slots: UnsafeMutablePointer<UInt64>) {
        if unsafe !isInBlock(slots) {
            unsafe slots.deallocate()
            return
        }
        assert(blockShardCount > 0, "more shards leave the block than were in it")
        blockShardCount -= 1
        if blockShardCount > 0 { return }
        unsafe block!.deallocate()
        unsafe block = nil
    }
}
