internal import Basics

/// Bytes that are kept until the batch is finished, and do not move while more are added.
///
/// They hold canonical numbers and decoded texts of queued pushes. After `reset` the same chunks
/// are filled again from the front, so that a steady stream of pushes allocates nothing.
@safe
struct ScratchBytes: ~Copyable {
    /// The least size of a chunk.
    private static var chunkByteCount: Int { 16 << 10 }

    private var chunks = GrowingBuffer<Chunk>()
    /// Index of the chunk that is being filled.
    private var current = 0
    /// Bytes used in that chunk.
    private var used = 0
    /// Bytes allocated, used or not.
    private(set) var byteCount = 0

    /// One block of memory.
    @safe
    struct Chunk: BitwiseCopyable {
        let base: UnsafeMutableRawPointer
        let byteCount: Int
    }

    init() {}

    deinit {
        for index in 0..<chunks.count { unsafe chunks[index].base.deallocate() }
    }

    /// Memory for `byteCount` bytes, which the caller may write. `keep` then claims as many of them
    /// as the caller needs; the next call may return the others again.
    mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer {
        precondition(byteCount >= 0, "\(byteCount) bytes are reserved")
        while current < chunks.count {
            if used + byteCount <= chunks[current].byteCount {
                return unsafe chunks[current].base + used
            }
            current += 1
            used = 0
        }
        // Powers of two: texts that get longer and longer must not each need a new chunk.
        let size = max(
            Self.chunkByteCount,
            1 << (Int.bitWidth - (byteCount - 1).leadingZeroBitCount)
        )
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        unsafe chunks.append(Chunk(base: base, byteCount: size))
        self.byteCount += size
        return unsafe base
    }

    /// Claims the first `byteCount` bytes of the memory that `reserve` returned last.
    mutating func keep(_ byteCount: Int) {
        let free = chunks[current].byteCount - used
        precondition(byteCount >= 0 && byteCount <= free, "more is kept than was reserved")
        used += byteCount
    }

    /// The current end of the bytes; resetting to it releases what is kept from now on.
    var mark: ScratchMark { ScratchMark(chunk: UInt32(current), used: UInt32(used)) }

    /// Releases everything kept since the mark; views of it become invalid.
    mutating func reset(to mark: ScratchMark) {
        assert(Int(mark.chunk) <= current, "the mark is of bytes that were released")
        current = Int(mark.chunk)
        used = Int(mark.used)
    }
}

/// A position in scratch bytes; `init()` makes that of the beginning.
struct ScratchMark: BitwiseCopyable {
    fileprivate var chunk: UInt32 = 0
    fileprivate var used: UInt32 = 0

    init() {}

    fileprivate init(chunk: UInt32, used: UInt32) {
        self.chunk = chunk
        self.used = used
    }
}
