/// The reference of a block in a `ByteArena` whose content has no identifier of its own.
@frozen @usableFromInline
package struct ArenaBlock: SlotNumber {
    /// The number itself.
    @usableFromInline package let rawValue: UInt32

    /// Makes the reference from its number.
    @inlinable @inline(__always)
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Blocks by typed identifiers: a table may have a `SlotNumber` type of its own, whose values are
/// the references of its blocks.
extension ByteArena {
    /// Allocates a block of at least `byteCount` bytes, whose content is undefined; 0 is allowed.
    @inlinable @inline(__always)
    package mutating func allocate<Block: SlotNumber>(_ byteCount: Int) -> Block {
        Block(rawValue: allocate(byteCount) as UInt32)
    }

    /// Copies bytes into a new block.
    @inlinable @inline(__always)
    package mutating func store<Block: SlotNumber>(_ bytes: ByteView) -> Block {
        Block(rawValue: store(bytes) as UInt32)
    }

    /// Frees a block, which must not be used afterwards; `byteCount` must be what it was allocated
    /// with.
    @unsafe @inlinable @inline(__always)
    package mutating func free(_ block: some SlotNumber, byteCount: Int) {
        unsafe free(block.rawValue, byteCount: byteCount)
    }

    /// The address of a block, valid until the block is freed.
    @unsafe @inlinable @inline(__always)
    package func pointer(_ block: some SlotNumber) -> UnsafeMutableRawPointer {
        unsafe pointer(block.rawValue)
    }

    /// A view of a block's first `count` bytes, valid until the block is freed.
    @unsafe @inlinable @inline(__always)
    package func view(_ block: some SlotNumber, count: Int) -> ByteView {
        unsafe view(block.rawValue, count: count)
    }

    /// Prefetches a block's first cache line.
    @inlinable @inline(__always)
    package func prefetch(_ block: some SlotNumber) { prefetch(block.rawValue) }
}
