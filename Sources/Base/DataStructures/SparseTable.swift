/// Elements by number, of which those that were never stored take no memory.
///
///     chunks ─► [ numbers 0 … 4,095 ] [ none was stored ] [ 8,192 … 12,287 ] …
///
/// A chunk is made when the first of its numbers is stored. So it costs little to store a high number
/// first, where a `Slab` would make, at once, everything below it: with ten million numbers that
/// stops the loop for a tenth of a second.
@safe @usableFromInline
package struct SparseTable<Element: BitwiseCopyable>: ~Copyable {
    @inlinable static var chunkShift: Int { 12 }
    @inlinable static var chunkMask: Int { 1 << chunkShift - 1 }

    @usableFromInline var chunks = unsafe ContiguousArray<UnsafeMutablePointer<Element>?>()
    private var chunkCount = 0
    /// What an element is at first; nil if nobody reads one before it is stored.
    private let first: Element?

    /// - Parameter first: what elements are that were never stored; if nil, nobody may read them, and
    ///   their memory is not touched.
    package init(filling first: Element?) {
        self.first = first
    }

    @inlinable deinit {
        for index in unsafe chunks.indices { unsafe chunks[index]?.deallocate() }
    }

    /// Bytes of the elements that have memory.
    package var byteCount: Int {
        (chunkCount << Self.chunkShift) * MemoryLayout<Element>.stride
    }

    /// Whether the number, or one near it, was stored: those for which this is not so must not be
    /// read.
    @inlinable @inline(__always)
    package func has(_ number: UInt32) -> Bool {
        let index = Int(number) >> Self.chunkShift
        return unsafe index < chunks.count && chunks[index] != nil
    }

    @inlinable
    package subscript(number: UInt32) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer(number)) }
        @inline(__always) unsafeMutableAddress {
            if !has(number) { addChunk(number) }
            return unsafe pointer(number)
        }
    }

    /// Starts to bring the element's cache line close, if it has memory.
    @inlinable @inline(__always)
    package func prefetch(_ number: UInt32) {
        if has(number) { unsafe prefetchLine(pointer(number)) }
    }

    @unsafe @inlinable @inline(__always)
    func pointer(_ number: UInt32) -> UnsafeMutablePointer<Element> {
        unsafe chunks[Int(number) >> Self.chunkShift]! + Int(number) & Self.chunkMask
    }

    @usableFromInline @inline(never)
    mutating func addChunk(_ number: UInt32) {
        let index = Int(number) >> Self.chunkShift
        let missing = unsafe index + 1 - chunks.count
        if missing > 0 { unsafe chunks.append(contentsOf: repeatElement(nil, count: missing)) }
        let length = 1 << Self.chunkShift
        let chunk = UnsafeMutablePointer<Element>.allocate(capacity: length)
        if let first { unsafe chunk.initialize(repeating: first, count: length) }
        unsafe chunks[index] = unsafe chunk
        chunkCount += 1
    }
}
