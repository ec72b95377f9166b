public import CIntrinsics

/// A growing table of fixed-size elements that never move, numbered by slots of at most 32 bits.
///
///     chunks ─► [ chunk 0: 4,096 elements ] [ chunk 1 ] [ chunk 2 ] …
///
/// Growth adds a chunk and copies nothing, so that adding the ten-millionth element costs what the
/// first did. Free slots are reused, the lowest first, before the table grows: so the next slot
/// depends only on which ones are in use, not on how that came about. Elements are plain bits
/// (`BitwiseCopyable`): no retain, no deinit.
@safe @usableFromInline
package struct Slab<ID: TableNumber, Element: BitwiseCopyable>: ~Copyable {
    /// The binary logarithm of the number of elements of a chunk.
    @inlinable static var chunkShift: Int { 12 }
    /// The bits of a number that give its position in its chunk.
    @inlinable static var chunkMask: Int { 1 << chunkShift - 1 }

    @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    @usableFromInline var chunkCount = 0
    @usableFromInline var chunkCapacity = 16
    /// One above the highest slot that was ever in use.
    @usableFromInline package internal(set) var end: UInt32 = 0
    @usableFromInline var free = FreeNumbers()

    /// The number of slots in use.
    @inlinable package var count: Int { Int(end) - free.count }

    /// The slots below `end`, in use or not.
    @inlinable package var ids: NumberRange<ID> { NumberRange(count: Int(end)) }

    /// The bytes allocated from the system, used or not.
    package var byteCount: Int {
        (chunkCount << Self.chunkShift) * MemoryLayout<Element>.stride
            + free.byteCount
    }

    /// The slot that the next `insert` will return.
    @inlinable package var nextSlot: ID { ID(index: Int(free.first ?? end)) }

    /// An empty slab; the first element adds the first chunk.
    package init() { unsafe chunks = .allocate(capacity: 16) }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit {
        for index in 0..<chunkCount { unsafe chunks[index].deallocate() }
        unsafe chunks.deallocate()
    }

    // MARK: - Changing

    /// Stores an element and returns its slot, which stays reserved for it until `remove`.
    @inlinable
    package mutating func insert(_ element: Element) -> ID {
        if let number = free.popFirst() {
            let slot = ID(index: Int(number))
            self[slot] = element
            return slot
        }
        append(element)
        return ID(index: Int(end) - 1)
    }

    /// Stores an element in a slot that is not in use. Slots skipped below it become free, filled
    /// with the same element.
    @inlinable
    package mutating func insert(_ element: Element, at slot: ID) {
        precondition(!isInUse(slot), "slot \(slot) is in use")
        if has(slot) {
            free.remove(Self.number(slot))
            self[slot] = element
        } else {
            extend(to: Self.number(slot), filling: element)
            append(element)
        }
    }

    /// Raises `end` above `slot`, filling the new slots, for tables that share another table's
    /// numbering.
    ///
    /// The new slots count as in use.
    @inlinable
    package mutating func reserve(through slot: ID, filling element: Element) {
        fill(through: Self.number(slot), with: element)
    }

    /// Does what `reserve` does, for the number of a slot.
    @inlinable
    mutating func fill(through number: UInt32, with element: Element) {
        while end <= number {
            let count = prepareSlots(through: number)
            // Not `pointer`: the elements are above `end`.
            unsafe (chunks[Int(end) >> Self.chunkShift] + Int(end) & Self.chunkMask)
                .initialize(repeating: element, count: count)
            end += UInt32(count)
        }
    }

    /// Makes space for the slot `end` at least, and returns how many slots from `end` through
    /// `number` are contiguous in memory.
    @inlinable
    mutating func prepareSlots(through number: UInt32) -> Int {
        precondition(number < UInt32.max - 1, "a slab holds fewer than 2^32 - 1 elements")
        if Int(end) >> Self.chunkShift == chunkCount { addChunk() }
        let left = 1 << Self.chunkShift - Int(end) & Self.chunkMask
        return min(left, Int(number - end) + 1)
    }

    /// Releases a slot; its element must not be used any more.
    @inlinable
    package mutating func remove(_ slot: ID) {
        // `free` traps on a slot that is released twice.
        precondition(has(slot), "slot \(slot) of a slab of \(end)")
        free.insert(Self.number(slot))
    }

    // MARK: - Which slots are in use

    /// Whether a slot is below `end`, so that it has an element, in use or not.
    @inlinable @inline(__always)
    package func has(_ slot: ID) -> Bool { Self.number(slot) < end }

    /// Whether a slot is in use: inserted, and not removed since.
    @inlinable
    package func isInUse(_ slot: ID) -> Bool { has(slot) && !free.contains(Self.number(slot)) }

    /// Raises `end` to `newEnd`, filling the new slots, which are free.
    @inlinable
    package mutating func extend(to newEnd: UInt32, filling element: Element) {
        if newEnd <= end { return }
        let skipped = end..<newEnd
        fill(through: newEnd - 1, with: element)
        free.insert(contentsOf: skipped)
    }

    // MARK: - Elements

    /// The element of a slot, which must be below `end`.
    @inlinable
    package subscript(slot: ID) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer(slot)) }
        @inline(__always) unsafeMutableAddress { unsafe pointer(slot) }
    }

    /// The address of the element of a slot, which must be below `end`; each page of 64 elements is
    /// contiguous.
    @unsafe @inlinable @inline(__always)
    func pointer(_ slot: ID) -> UnsafeMutablePointer<Element> { unsafe address(Self.number(slot)) }

    /// The address of the element with a number, which must be below `end`.
    @unsafe @inlinable @inline(__always)
    func address(_ number: UInt32) -> UnsafeMutablePointer<Element> {
        precondition(number < end, "slot \(number) of a slab of \(end)")
        return unsafe chunks[Int(number) >> Self.chunkShift] + Int(number) & Self.chunkMask
    }

    /// A slot as the number that `end` is compared with.
    @inlinable @inline(__always)
    static func number(_ slot: ID) -> UInt32 { UInt32(truncatingIfNeeded: slot.rawValue) }

    /// Prefetches the element's cache line, if the slot is below `end`.
    @inlinable @inline(__always)
    package func prefetch(_ slot: ID) {
        if Self.number(slot) < end { unsafe prefetchLine(pointer(slot)) }
    }

    /// Stores an element in a new slot at `end`.
    @inlinable
    mutating func append(_ element: Element) {
        precondition(end < UInt32.max - 1, "a slab holds fewer than 2^32 - 1 elements")
        if Int(end) >> Self.chunkShift == chunkCount { addChunk() }
        unsafe (chunks[Int(end) >> Self.chunkShift] + Int(end) & Self.chunkMask)
            .initialize(to: element)
        end += 1
    }

    /// Allocates space for the next 4,096 elements.
    @inlinable
    mutating func addChunk() {
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

/// Prefetches the cache line at `address` without waiting; any address may be passed.
@inlinable @inline(__always)
package func prefetchLine(_ address: UnsafeRawPointer) { unsafe intrinsics_prefetch(address) }

extension Slab {
    /// Checks that the free slots are slots below `end`, and that all slots have memory.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("Slab.free", by: free.checkInvariants())
        let used = Int(end)
        try checkInvariant(
            used <= chunkCount << Self.chunkShift && chunkCount <= chunkCapacity,
            otherwise: "\(used) slots lie in \(chunkCount) chunks of \(chunkCapacity)"
        )
        var freeCount = 0
        for word in 0..<(used + 63) / 64 {
            let valid: UInt64 = used - word * 64 < 64 ? 1 << UInt64(used - word * 64) - 1 : .max
            freeCount += (free[word: word] & valid).nonzeroBitCount
        }
        try checkInvariant(
            freeCount == free.count,
            otherwise: "\(free.count - freeCount) free slots are not below the end, \(used)"
        )
    }
}
