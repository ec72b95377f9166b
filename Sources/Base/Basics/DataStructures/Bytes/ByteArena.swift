/// A heap of byte blocks that never move, addressed by 32-bit references.
///
/// A reference counts units of four bytes, so 2^32 of them reach 16 GiB. Blocks are cut from chunks
/// of 256 KiB; a freed block goes to the free list of its size class, from which it is allocated
/// again:
///
///     size classes    4, 8, 12 … 512, then 1 KiB, 2 KiB … 1 MiB
///     a free block    [ reference of the next free block of the class | … ]
///
/// There are no headers: the owner of a block keeps its length, and passes it to `free`.
@safe @usableFromInline
package struct ByteArena: ~Copyable {
    /// The null reference, which no block has.
    @inlinable package static var none: UInt32 { UInt32.max }
    /// The most bytes that an arena can hold; an allocation beyond that traps.
    package static var limit: Int { (1 << 16 - 1) * chunkByteCount }
    /// The longest block, in bytes.
    package static var blockLimit: Int { 1 << 20 }

    /// The binary logarithm of a unit, the 4 bytes that references count in.
    @inlinable static var unitShift: Int { 2 }
    /// The binary logarithm of a chunk's length in units.
    @inlinable static var chunkShift: Int { 18 - unitShift }
    private static var chunkByteCount: Int { 1 << (chunkShift + unitShift) }
    /// The longest block, in bytes, of the size classes that are one unit apart.
    private static var linearLimit: Int { 512 }
    /// The number of size classes that are one unit apart; the others are powers of two.
    static var linearCount: Int { linearLimit >> unitShift }
    /// The number of all size classes.
    private static var classCount: Int { linearCount + 11 }

    /// The address of each chunk.
    @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    @usableFromInline var chunkCount = 0
    private var chunkCapacity = 16
    /// Memory from the system: single chunks, and runs of chunks for blocks larger than one.
    @usableFromInline var allocations: UnsafeMutablePointer<UnsafeMutableRawPointer>
    @usableFromInline var allocationCount = 0
    /// The reference at which the unused rest of the newest chunk begins.
    var next: UInt32 = 0
    /// The first free block of each size class; `none` if there is none.
    var freeLists: [UInt32]
    /// The bytes of all blocks in use, each rounded up to its size class.
    package private(set) var usedByteCount = 0

    /// The bytes allocated from the system, used or not.
    package var byteCount: Int { chunkCount * Self.chunkByteCount }

    /// An empty arena; the first allocation adds the first chunk.
    package init() {
        unsafe chunks = .allocate(capacity: 16)
        unsafe allocations = .allocate(capacity: 16)
        freeLists = Array(repeating: Self.none, count: Self.classCount)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit {
        for index in 0..<allocationCount { unsafe allocations[index].deallocate() }
        unsafe allocations.deallocate()
        unsafe chunks.deallocate()
    }

    /// Allocates a block of at least `byteCount` bytes, whose content is undefined; 0 is allowed.
    @usableFromInline
    package mutating func allocate(_ byteCount: Int) -> UInt32 {
        precondition(byteCount >= 0 && byteCount <= Self.blockLimit, "a block of \(byteCount) B")
        let (sizeClass, size) = Self.sizeClass(of: byteCount)
        usedByteCount += size
        let reused = freeLists[sizeClass]
        if reused != Self.none {
            freeLists[sizeClass] = unsafe pointer(reused).load(as: UInt32.self)
            return reused
        }
        return cut(size)
    }

    /// Copies bytes into a new block.
    @usableFromInline
    package mutating func store(_ bytes: ByteView) -> UInt32 {
        let block = allocate(bytes.count)
        unsafe bytes.copy(to: pointer(block))
        return block
    }

    /// Frees a block, which must not be used afterwards; `byteCount` must be what it was allocated
    /// with.
    ///
    /// Neither can be checked, because blocks have no headers.
    @unsafe @usableFromInline
    package mutating func free(_ block: UInt32, byteCount: Int) {
        assert(block != Self.none)
        let (sizeClass, size) = Self.sizeClass(of: byteCount)
        usedByteCount -= size
        assert(usedByteCount >= 0, "more bytes are freed than are in use")
        unsafe pointer(block).storeBytes(of: freeLists[sizeClass], as: UInt32.self)
        freeLists[sizeClass] = block
    }

    /// The address of a block in use, valid until the block is freed.
    @unsafe @inlinable @inline(__always)
    package func pointer(_ block: UInt32) -> UnsafeMutableRawPointer {
        assert(Int(block) >> Self.chunkShift < chunkCount, "no block has this reference")
        return unsafe chunks[Int(block) >> Self.chunkShift]
            + (Int(block) & (1 << Self.chunkShift - 1))
            << Self.unitShift
    }

    /// A view of the first `count` bytes of a block in use, valid until the block is freed; `count`
    /// must not be more than it was allocated with.
    ///
    /// Neither can be checked, because blocks have no headers.
    @unsafe @inlinable @inline(__always)
    package func view(_ block: UInt32, count: Int) -> ByteView {
        unsafe ByteView(base: pointer(block), count: count)
    }

    /// Prefetches a block's first cache line. Any number may be passed: one that is no block's does
    /// no harm.
    @inlinable @inline(__always)
    package func prefetch(_ block: UInt32) {
        if Int(block) >> Self.chunkShift < chunkCount { unsafe prefetchLine(pointer(block)) }
    }

    /// The bytes that a block of `byteCount` bytes adds to `usedByteCount`.
    package static func size(ofBlock byteCount: Int) -> Int { sizeClass(of: byteCount).size }

    /// The size class of a block of `byteCount` bytes, and the size in bytes to which it is
    /// rounded.
    private static func sizeClass(of byteCount: Int) -> (index: Int, size: Int) {
        let units = max(1, (byteCount + 1 << unitShift - 1) >> unitShift)
        if units <= linearCount { return (units - 1, units << unitShift) }
        // Powers of two: 1 KiB is the first class after the linear ones.
        let shift = Int.bitWidth - (byteCount - 1).leadingZeroBitCount
        return (linearCount + shift - 10, 1 << shift)
    }

    /// Cuts a block of exactly `size` bytes from the newest chunk, or from a new one.
    private mutating func cut(_ size: Int) -> UInt32 {
        let units = UInt32(size >> Self.unitShift)
        let used = Int(next) & (1 << Self.chunkShift - 1)
        let full = chunkCount == 0 || Int(next) >> Self.chunkShift == chunkCount
        if full || used + Int(units) > 1 << Self.chunkShift {
            if !full { recycle(from: next, units: 1 << Self.chunkShift - used) }
            next = UInt32(chunkCount << Self.chunkShift)
            addChunks((size + Self.chunkByteCount - 1) / Self.chunkByteCount)
        }
        let block = next
        next += units
        return block
    }

    /// Puts the rest of a chunk on the free lists, because the next block does not fit into it.
    private mutating func recycle(from start: UInt32, units: Int) {
        var start = start
        var units = units
        while units > 0 {
            let size = min(units << Self.unitShift, Self.linearLimit)
            usedByteCount += size
            unsafe free(start, byteCount: size)
            start += UInt32(size >> Self.unitShift)
            units -= size >> Self.unitShift
        }
    }

    /// Adds chunks that are contiguous in memory.
    private mutating func addChunks(_ count: Int) {
        assert(count > 0)
        precondition(
            (chunkCount + count) * Self.chunkByteCount <= Self.limit,
            "an arena holds less than 16 GiB"
        )
        while chunkCount + count > chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutableRawPointer>
                .allocate(capacity: chunkCapacity * 2)
            unsafe larger.moveInitialize(from: chunks, count: chunkCount)
            unsafe chunks.deallocate()
            unsafe chunks = unsafe larger
            // There are never more allocations than chunks.
            let more = UnsafeMutablePointer<UnsafeMutableRawPointer>
                .allocate(capacity: chunkCapacity * 2)
            unsafe more.moveInitialize(from: allocations, count: allocationCount)
            unsafe allocations.deallocate()
            unsafe allocations = unsafe more
            chunkCapacity *= 2
        }
        let base = UnsafeMutableRawPointer.allocate(
            byteCount: count * Self.chunkByteCount,
            alignment: 64
        )
        unsafe (allocations + allocationCount).initialize(to: base)
        allocationCount += 1
        for index in 0..<count {
            unsafe (chunks + chunkCount).initialize(to: base + index * Self.chunkByteCount)
            chunkCount += 1
        }
    }
}
