/// A table of elements by number, in which ranges of numbers that were never stored take no memory.
///
///     chunks ─► [ numbers 0 … 4,095 ] [ none was stored ] [ 8,192 … 12,287 ] …
///
/// A chunk is allocated when the first of its numbers is stored. So it costs little to store a high
/// number first. A `Slab` would at once allocate everything below it, which for ten million numbers
/// stops the loop for a tenth of a second.
@safe @usableFromInline
package struct SparseTable<ID: TableNumber, Element: BitwiseCopyable>: ~Copyable {
    /// The binary logarithm of the number of elements of a chunk.
    @inlinable static var chunkShift: Int { 12 }
    /// The bits of a number that give its position in its chunk.
    @inlinable static var chunkMask: Int { 1 << chunkShift - 1 }

    @usableFromInline var chunks = unsafe ContiguousArray<UnsafeMutablePointer<Element>?>()
    /// The number of chunks that are allocated.
    private var chunkCount = 0
    /// The initial value of elements in a new chunk; nil leaves their memory as it is.
    private let first: Element?

    /// An empty table; elements of a chunk have this value before they are stored.
    package init(filling first: Element) { self.first = first }

    /// An empty table that does not touch the memory of elements before they are stored: an element
    /// must not be read before.
    @unsafe
    package init(uninitialized: Void) { first = nil }

    @inlinable deinit {
        for index in unsafe chunks.indices { unsafe chunks[index]?.deallocate() }
    }

    /// The bytes of the chunks that are allocated.
    package var byteCount: Int { (chunkCount << Self.chunkShift) * MemoryLayout<Element>.stride }

    /// Whether the number's chunk is allocated: whether it, or a number near it, was stored.
    ///
    /// Reading a number for which this is false traps.
    @inlinable @inline(__always)
    package func has(_ number: ID) -> Bool {
        let index = number.index >> Self.chunkShift
        return unsafe index < chunks.count && chunks[index] != nil
    }

    /// The element of a number. Storing allocates its chunk; reading requires it, see `has`.
    @inlinable
    package subscript(number: ID) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer(number)) }
        @inline(__always) unsafeMutableAddress {
            if !has(number) { addChunk(number) }
            return unsafe pointer(number)
        }
    }

    /// Prefetches the element's cache line, if its chunk is allocated.
    @inlinable @inline(__always)
    package func prefetch(_ number: ID) {
        if has(number) { unsafe prefetchLine(pointer(number)) }
    }

    @unsafe @inlinable @inline(__always)
    /// The address of the element of a number, whose chunk must be allocated.
    func pointer(_ number: ID) -> UnsafeMutablePointer<Element> {
        assert(has(number), "a number is read that was never stored")
        return unsafe chunks[number.index >> Self.chunkShift]! + number.index & Self.chunkMask
    }

    /// Allocates the chunk of a number.
    @usableFromInline @inline(never)
    mutating func addChunk(_ number: ID) {
        assert(!has(number), "the chunk is there already")
        let index = number.index >> Self.chunkShift
        let missing = unsafe index + 1 - chunks.count
        if missing > 0 { unsafe chunks.append(contentsOf: repeatElement(nil, count: missing)) }
        let length = 1 << Self.chunkShift
        let chunk = UnsafeMutablePointer<Element>.allocate(capacity: length)
        if let first { unsafe chunk.initialize(repeating: first, count: length) }
        unsafe chunks[index] = unsafe chunk
        chunkCount += 1
    }
}
