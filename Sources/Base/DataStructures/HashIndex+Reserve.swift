internal import CIntrinsics

/// Room for many numbers, made before they come.
///
/// All shards then lie in one block:
///
///     block, of huge pages ─► [ shard 0 ][ shard 1 ] … [ shard 255 ]
///
/// A table of ten million numbers has 130 MB, of which every insertion and lookup touches any place:
/// with pages of 4 KiB the processor looks for the page longer than for the slot. A shard that
/// grows or shrinks leaves the block, which is given back when the last one has left.
extension HashIndex {
    @usableFromInline static var hugePage: Int { 2 << 20 }

    /// Makes room for so many numbers in all: until there are so many, hardly any shard grows.
    package mutating func reserve(_ count: Int) {
        var capacity = Self.firstCapacity
        while count / Self.shardCount * 4 > capacity * 3 { capacity *= 2 }
        let byteCount = capacity * Self.shardCount * MemoryLayout<UInt64>.stride
        if unsafe byteCount < Self.hugePage || block != nil { return }
        for index in 0..<Self.shardCount where unsafe shards[index].mask >= capacity { return }
        let base = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount,
            alignment: Self.hugePage
        )
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

    @unsafe @usableFromInline
    func isInBlock(_ slots: UnsafeMutablePointer<UInt64>) -> Bool {
        guard let block = unsafe block else { return false }
        let offset = unsafe UnsafeMutableRawPointer(slots) - block.baseAddress!
        return offset >= 0 && offset < block.count
    }

    /// Gives back what a shard had.
    @unsafe
    mutating func release(_ slots: UnsafeMutablePointer<UInt64>) {
        if unsafe !isInBlock(slots) {
            unsafe slots.deallocate()
            return
        }
        blockShardCount -= 1
        if blockShardCount > 0 { return }
        unsafe block!.deallocate()
        unsafe block = nil
    }
}
