internal import DataStructures

/// Bytes that live until the batch is done, and do not move while it grows.
///
/// Numbers of queued pushes are kept here in canonical form. Chunks are handed out from the front
/// again after `reset`, so that a steady stream of pushes allocates nothing.
@safe
struct ScratchBytes: ~Copyable {
    private static var chunkByteCount: Int { 16 << 10 }

    private var chunks = GrowingBuffer<Chunk>()
    private var current = 0
    private var used = 0
    /// Bytes held from the system, used or not.
    private(set) var byteCount = 0

    @safe
    struct Chunk: BitwiseCopyable {
        let base: UnsafeMutableRawPointer
        let byteCount: Int
    }

    init() {}

    deinit {
        for index in 0..<chunks.count { unsafe chunks[index].base.deallocate() }
    }

    /// Room for `byteCount` bytes, of which the caller then keeps as many as it says to `keep`.
    mutating func room(_ byteCount: Int) -> UnsafeMutableRawPointer {
        while current < chunks.count {
            if used + byteCount <= chunks[current].byteCount {
                return unsafe chunks[current].base + used
            }
            current += 1
            used = 0
        }
        // Powers of two: texts that get longer and longer must not each leave a chunk behind.
        let size = max(
            Self.chunkByteCount,
            1 << (Int.bitWidth - (byteCount - 1).leadingZeroBitCount)
        )
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        unsafe chunks.append(Chunk(base: base, byteCount: size))
        self.byteCount += size
        return unsafe base
    }

    /// Keeps the first `byteCount` bytes of the room asked for last.
    mutating func keep(_ byteCount: Int) {
        used += byteCount
        assert(used <= chunks[current].byteCount, "more kept than there was room for")
    }

    /// Where the next bytes will lie: what is kept from here on can be handed back.
    var mark: ScratchMark { ScratchMark(chunk: UInt32(current), used: UInt32(used)) }

    /// Hands back all that was kept since the mark; views of it end here.
    mutating func reset(to mark: ScratchMark) {
        current = Int(mark.chunk)
        used = Int(mark.used)
    }
}

/// A place in scratch bytes; made without arguments, their beginning.
struct ScratchMark: BitwiseCopyable {
    fileprivate var chunk: UInt32 = 0
    fileprivate var used: UInt32 = 0

    init() {}

    fileprivate init(chunk: UInt32, used: UInt32) {
        self.chunk = chunk
        self.used = used
    }
}
