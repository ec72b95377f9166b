/// What a slot of the wheel holds of a timer: whose it is, and the deadline that it was put there for.
struct WheelEntry: BitwiseCopyable {
    var id: UInt32
    var word: WheelWord
}

/// Some entries of one slot, and the way to the next ones.
///
///     [ next: 8 bytes | count: 4 | - ] [ id: 4 | word: 4 ] x 62        512 bytes
///
/// Chunks are filled from the front and read once from front to back.
@safe
struct WheelChunk: BitwiseCopyable {
    static var byteCount: Int { 512 }
    static var capacity: Int { (byteCount - headerByteCount) / MemoryLayout<WheelEntry>.stride }
    private static var headerByteCount: Int { 16 }

    private let base: UnsafeMutableRawPointer

    /// Takes over 512 bytes, as a chunk without entries.
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

    @inline(__always)
    var count: Int {
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
        assert(index < count)
        return unsafe base.load(fromByteOffset: offset(of: index), as: WheelEntry.self)
    }

    /// Adds an entry; the chunk must not be full.
    @inline(__always)
    func append(_ entry: WheelEntry) {
        let count = count
        assert(count < Self.capacity)
        unsafe base.storeBytes(of: entry, toByteOffset: offset(of: count), as: WheelEntry.self)
        self.count = count &+ 1
    }

    @inline(__always)
    private func offset(of index: Int) -> Int {
        Self.headerByteCount &+ index &* MemoryLayout<WheelEntry>.stride
    }
}

/// Hands out chunks and takes them back.
///
/// The memory is got in blocks and kept: as much as the most chunks that were ever in use at once.
@safe
struct WheelChunkPool: ~Copyable {
    private static var chunksPerBlock: Int { 128 }

    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    /// Chunks of the last block that were never handed out.
    private var unused = 0
    private var returned: WheelChunk?

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { unsafe blocks.count * Self.chunksPerBlock * WheelChunk.byteCount }

    var hasSpare: Bool { returned != nil }

    /// A chunk without entries.
    mutating func take() -> WheelChunk {
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

    @inline(__always)
    mutating func giveBack(_ chunk: WheelChunk) {
        chunk.next = returned
        returned = chunk
    }

    private mutating func addBlock() {
        unsafe blocks.append(
            .allocate(byteCount: Self.chunksPerBlock * WheelChunk.byteCount, alignment: 64)
        )
        unused = Self.chunksPerBlock
    }
}
