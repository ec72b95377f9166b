/// An entry of the wheel: a timer's number, and the deadline for which the entry was made.
struct WheelEntry: BitwiseCopyable {
    var id: TimerID
    var word: WheelWord
}

/// A block of up to 62 entries of one slot, linked to the slot's next chunk. It is plain bits:
/// copies share the memory, which belongs to a `WheelChunkPool`.
///
///     [ next: 8 bytes | count: 4 | - ] [ id: 4 | word: 4 ] x 62        512 bytes
///
/// Chunks are filled from the front and read once from front to back. A chunk is valid as long as
/// its pool.
@safe
struct WheelChunk: BitwiseCopyable {
    static var byteCount: Int { 512 }
    static var capacity: Int { (byteCount - headerByteCount) / MemoryLayout<WheelEntry>.stride }
    private static var headerByteCount: Int { 16 }

    private let base: UnsafeMutableRawPointer

    /// Makes an empty chunk of 512 bytes of memory.
    @unsafe
    init(base: UnsafeMutableRawPointer) {
        unsafe self.base = base
        next = nil
        count = 0
    }

    @inline(__always)
    var next: WheelChunk? {
        get { unsafe base.load(as: WheelChunk?.self) }
        nonmutating set { unsafe base.storeBytes(of: newValue, as: WheelChunk?.self) }
    }

    /// The number of entries in the chunk.
    @inline(__always)
    fileprivate(set) var count: Int {
        get { Int(unsafe base.load(fromByteOffset: 8, as: UInt32.self)) }
        nonmutating set {
            unsafe base.storeBytes(
                of: UInt32(truncatingIfNeeded: newValue),
                toByteOffset: 8,
                as: UInt32.self
            )
        }
    }

    @inline(__always)
    subscript(index: Int) -> WheelEntry {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no entry \(index)")
        return unsafe base.load(fromByteOffset: offset(of: index), as: WheelEntry.self)
    }

    /// Adds an entry; the chunk must not be full.
    @inline(__always)
    func append(_ entry: WheelEntry) {
        let count = count
        precondition(count < Self.capacity, "the chunk is full")
        unsafe base.storeBytes(of: entry, toByteOffset: offset(of: count), as: WheelEntry.self)
        self.count = count &+ 1
    }

    /// The offset of an entry in the chunk, in bytes.
    @inline(__always)
    private func offset(of index: Int) -> Int {
        Self.headerByteCount &+ index &* MemoryLayout<WheelEntry>.stride
    }
}

/// The memory of all chunks of a wheel.
///
/// It is allocated in blocks and kept as long as the wheel exists: as much as the largest number of
/// chunks that were ever in use at once.
@safe
struct WheelChunkPool: ~Copyable {
    static var chunksPerBlock: Int { 128 }

    private(set) var blocks: [UnsafeMutableRawPointer] = unsafe []
    /// How many chunks of the last block have never been used.
    private(set) var unused = 0
    /// Chunks that were used and are free now, as a chain.
    private(set) var returned: WheelChunk?

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    /// Bytes allocated from the system, used or not.
    var byteCount: Int { unsafe blocks.count * Self.chunksPerBlock * WheelChunk.byteCount }

    /// Whether a chunk can be reused, without using new memory.
    var hasSpare: Bool { returned != nil }

    /// Returns a chunk without entries.
    mutating func acquire() -> WheelChunk {
        if let chunk = returned {
            returned = chunk.next
            chunk.next = nil
            chunk.count = 0
            return chunk
        }
        if unused == 0 { addBlock() }
        unused -= 1
        let block = unsafe blocks[blocks.count - 1]
        return unsafe WheelChunk(base: block + unused * WheelChunk.byteCount)
    }

    /// Makes a chunk available for reuse.
    @inline(__always)
    mutating func release(_ chunk: WheelChunk) {
        chunk.next = returned
        returned = chunk
    }

    /// Allocates memory for 128 more chunks.
    private mutating func addBlock() {
        unsafe blocks.append(
            .allocate(byteCount: Self.chunksPerBlock * WheelChunk.byteCount, alignment: 64)
        )
        unused = Self.chunksPerBlock
    }
}
