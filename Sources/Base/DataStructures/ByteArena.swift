/// A heap of byte blocks that never move, addressed by 32-bit references.
///
/// A reference is a multiple of four bytes, so 2^32 of them reach 16 GiB. Blocks are cut from
/// 256 KiB chunks; a freed block goes to the free list of its size class and is handed out again:
///
///     size classes    4, 8, 12 … 512, then 1 KiB, 2 KiB … 1 MiB
///     a free block    [ reference of the next free block of the class | … ]
///
/// The length of a block is kept by its owner, which knows it anyway: no header is spent on it.
@safe @usableFromInline
package struct ByteArena: ~Copyable {
    /// The null reference: no block has it.
    @inlinable package static var none: UInt32 { UInt32.max }
    /// Bytes that an arena can hold; beyond, it traps.
    package static var limit: Int { (1 << 16 - 1) * chunkByteCount }
    /// The longest block.
    package static var blockLimit: Int { 1 << 20 }

    @inlinable static var unitShift: Int { 2 }
    /// A chunk in units.
    @inlinable static var chunkShift: Int { 18 - unitShift }
    private static var chunkByteCount: Int { 1 << (chunkShift + unitShift) }
    private static var linearLimit: Int { 512 }
    private static var linearCount: Int { linearLimit >> unitShift }
    private static var classCount: Int { linearCount + 11 }

    @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    @usableFromInline var chunkCount = 0
    private var chunkCapacity = 16
    /// What was asked from the system: chunks, and runs of them for blocks that are larger.
    @usableFromInline var allocations: UnsafeMutablePointer<UnsafeMutableRawPointer>
    @usableFromInline var allocationCount = 0
    /// Where the unused rest of the newest chunk begins, in units.
    private var next: UInt32 = 0
    private var freeLists: [UInt32]
    /// Bytes in blocks that are in use, by size class.
    package private(set) var usedByteCount = 0

    /// Bytes held from the system, used or not.
    package var byteCount: Int { chunkCount * Self.chunkByteCount }

    package init() {
        unsafe chunks = .allocate(capacity: 16)
        unsafe allocations = .allocate(capacity: 16)
        freeLists = Array(repeating: Self.none, count: Self.classCount)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an inlinable
    // accessor.
    @inlinable deinit {
        for index in 0..<allocationCount { unsafe allocations[index].deallocate() }
        unsafe allocations.deallocate()
        unsafe chunks.deallocate()
    }

    /// Cuts a block of at least `byteCount` bytes; its content is what was there before.
    package mutating func allocate(_ byteCount: Int) -> UInt32 {
        precondition(byteCount <= Self.blockLimit, "a block of \(byteCount) bytes")
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
    package mutating func store(_ bytes: ByteView) -> UInt32 {
        let block = allocate(bytes.count)
        unsafe bytes.copy(to: pointer(block))
        return block
    }

    /// Gives a block back; `byteCount` is what it was allocated with.
    package mutating func free(_ block: UInt32, _ byteCount: Int) {
        assert(block != Self.none)
        let (sizeClass, size) = Self.sizeClass(of: byteCount)
        usedByteCount -= size
        unsafe pointer(block).storeBytes(of: freeLists[sizeClass], as: UInt32.self)
        freeLists[sizeClass] = block
    }

    /// The address of a block, valid until it is freed.
    @unsafe @inlinable @inline(__always)
    package func pointer(_ block: UInt32) -> UnsafeMutableRawPointer {
        unsafe chunks[Int(block) >> Self.chunkShift] + (Int(block) & (1 << Self.chunkShift - 1))
            << Self.unitShift
    }

    /// A view of a block's first `count` bytes, valid until it is freed.
    @inlinable @inline(__always)
    package func view(_ block: UInt32, _ count: Int) -> ByteView {
        unsafe ByteView(base: pointer(block), count: count)
    }

    /// Starts to bring a block close; any number may be given, also one of no block.
    @inlinable @inline(__always)
    package func prefetch(_ block: UInt32) {
        if Int(block) >> Self.chunkShift < chunkCount { unsafe prefetchLine(pointer(block)) }
    }

    private static func sizeClass(of byteCount: Int) -> (index: Int, size: Int) {
        let units = max(1, (byteCount + 1 << unitShift - 1) >> unitShift)
        if units <= linearCount { return (units - 1, units << unitShift) }
        // Powers of two: 1 KiB is the first class behind the linear ones.
        let shift = Int.bitWidth - (byteCount - 1).leadingZeroBitCount
        return (linearCount + shift - 10, 1 << shift)
    }

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

    /// Puts the rest of a chunk that a large block did not fit in on the free lists.
    private mutating func recycle(from start: UInt32, units: Int) {
        var start = start
        var units = units
        while units > 0 {
            let size = min(units << Self.unitShift, Self.linearLimit)
            usedByteCount += size
            free(start, size)
            start += UInt32(size >> Self.unitShift)
            units -= size >> Self.unitShift
        }
    }

    /// Adds chunks that lie side by side.
    private mutating func addChunks(_ count: Int) {
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
            // There are never more of these than chunks.
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
