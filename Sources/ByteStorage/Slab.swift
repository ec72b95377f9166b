public import CIntrinsics

/// A growing table of fixed-size elements that never move.
///
///     chunks ─► [ chunk 0: 4,096 elements ] [ chunk 1 ] [ chunk 2 ] …
///
/// Growth adds a chunk and copies nothing, so that adding the ten-millionth element costs what the
/// first did. Removed slots are handed out again, last removed first, before the table grows.
/// Elements are plain bits (`BitwiseCopyable`): no retain, no deinit.
@safe @usableFromInline
package struct Slab<Element: BitwiseCopyable>: ~Copyable {
    @inlinable static var chunkShift: Int { 12 }
    @inlinable static var chunkMask: Int { 1 << chunkShift - 1 }

    @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    @usableFromInline var chunkCount = 0
    @usableFromInline var chunkCapacity = 16
    /// One above the highest slot ever handed out.
    @usableFromInline package private(set) var end: UInt32 = 0
    private var free: [UInt32] = []

    /// How many elements are in use.
    package var count: Int { Int(end) - free.count }

    /// Bytes held from the system, used or not.
    package var byteCount: Int {
        (chunkCount << Self.chunkShift) * MemoryLayout<Element>.stride
            + free.capacity * MemoryLayout<UInt32>.size
    }

    package init() {
        unsafe chunks = .allocate(capacity: 16)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an inlinable
    // accessor.
    @inlinable deinit {
        for index in 0..<chunkCount { unsafe chunks[index].deallocate() }
        unsafe chunks.deallocate()
    }

    /// Stores an element and returns its slot, which stays its own until `remove`.
    package mutating func insert(_ element: Element) -> UInt32 {
        if let slot = free.popLast() {
            self[slot] = element
            return slot
        }
        let slot = end
        precondition(slot < UInt32.max - 1, "a slab holds fewer than 2^32 - 1 elements")
        if Int(slot) >> Self.chunkShift == chunkCount { addChunk() }
        end += 1
        unsafe (chunks[Int(slot) >> Self.chunkShift] + Int(slot) & Self.chunkMask)
            .initialize(to: element)
        return slot
    }

    /// Makes sure that `slot` can be stored to, for tables that share another table's numbering.
    package mutating func reserve(through slot: UInt32, filling element: Element) {
        while end <= slot {
            if Int(end) >> Self.chunkShift == chunkCount { addChunk() }
            unsafe (chunks[Int(end) >> Self.chunkShift] + Int(end) & Self.chunkMask)
                .initialize(to: element)
            end += 1
        }
    }

    /// Gives the slot back; its content must not be used again.
    package mutating func remove(_ slot: UInt32) {
        assert(slot < end)
        free.append(slot)
    }

    @inlinable
    package subscript(slot: UInt32) -> Element {
        @inline(__always) unsafeAddress {
            assert(Int(slot) >> Self.chunkShift < chunkCount)
            return unsafe UnsafePointer(
                chunks[Int(slot) >> Self.chunkShift] + Int(slot) & Self.chunkMask
            )
        }
        @inline(__always) unsafeMutableAddress {
            assert(Int(slot) >> Self.chunkShift < chunkCount)
            return unsafe chunks[Int(slot) >> Self.chunkShift] + Int(slot) & Self.chunkMask
        }
    }

    /// Starts to bring the element's cache line close.
    @inlinable @inline(__always)
    package func prefetch(_ slot: UInt32) {
        unsafe prefetchLine(chunks[Int(slot) >> Self.chunkShift] + Int(slot) & Self.chunkMask)
    }

    private mutating func addChunk() {
        if chunkCount == chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>
                .allocate(capacity: chunkCapacity * 2)
            unsafe larger.moveInitialize(from: chunks, count: chunkCount)
            unsafe chunks.deallocate()
            unsafe chunks = unsafe larger
            chunkCapacity *= 2
        }
        unsafe (chunks + chunkCount).initialize(to: .allocate(capacity: 1 << Self.chunkShift))
        chunkCount += 1
    }
}

/// Asks the processor for the cache line at `address`, any address, and returns at once.
@inlinable @inline(__always)
package func prefetchLine(_ address: UnsafeRawPointer) {
    unsafe intrinsics_prefetch(address)
}
