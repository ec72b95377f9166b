internal import Basics

/// A piece of output memory: a header, and bytes after it.
///
///     [ header | taken by the kernel … start | to be written … end | free … capacity ]
@safe
struct OutputChunk {
    /// The next chunk of the same connection, or of the pool.
    var next: UnsafeMutablePointer<OutputChunk>?
    /// The offset of the first byte that is not written yet.
    var start: Int
    /// The offset after the last byte of output.
    var end: Int
    /// The number of bytes after the header.
    var capacity: Int

    /// The size of the header in bytes, padded.
    static var headerBytes: Int { 32 }
    /// The size of an ordinary chunk in bytes, including the header; a longer frame gets a chunk of
    /// its own.
    static var byteCount: Int { 16 << 10 }
}

extension UnsafeMutablePointer where Pointee == OutputChunk {
    /// The chunk's bytes after its header.
    var bytes: UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(self) + OutputChunk.headerBytes
    }
}

/// Unused chunks, shared by all connections of a loop: a connection without waiting output holds no
/// output memory at all.
@safe
final class ChunkPool {
    /// The most chunks kept for reuse; further ones are returned to the system.
    private static var keptLimit: Int { 4_096 }

    private var first: UnsafeMutablePointer<OutputChunk>?
    private(set) var kept = 0
    /// The fewest chunks that were kept at any time since the last `trim`.
    private var leastKept = 0
    /// The bytes of memory of the chunks that connections have, headers included.
    private(set) var usedByteCount = 0

    deinit {
        while let chunk = unsafe first {
            unsafe first = unsafe chunk.pointee.next
            unsafe UnsafeMutableRawPointer(chunk).deallocate()
        }
    }

    /// Returns an empty chunk with a capacity of at least `byteCount` bytes.
    func take(_ byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        assert(byteCount >= 0, "a chunk for \(byteCount) bytes")
        let ordinary = OutputChunk.byteCount - OutputChunk.headerBytes
        if byteCount <= ordinary, let chunk = unsafe first {
            assert(kept > 0, "a chunk is kept that is not counted")
            unsafe first = unsafe chunk.pointee.next
            kept -= 1
            leastKept = min(leastKept, kept)
            usedByteCount += OutputChunk.byteCount
            unsafe chunk.pointee.next = nil
            unsafe chunk.pointee.start = 0
            unsafe chunk.pointee.end = 0
            return unsafe chunk
        }
        return unsafe make(capacity: max(ordinary, byteCount))
    }

    /// Returns a chunk of this size, for output that may wait for a while; `give` returns it to the
    /// system, unless it is ordinary.
    func takeSmall(_ byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        assert(byteCount > 0, "a chunk without capacity would never be filled")
        let ordinary = OutputChunk.byteCount - OutputChunk.headerBytes
        if byteCount >= ordinary { return unsafe take(byteCount) }
        return unsafe make(capacity: byteCount)
    }

    /// Returns chunks to the system that were not needed since the last call: half of them, so that
    /// bursts that come again find most of theirs.
    func trim() {
        for _ in 0..<(leastKept + 1) / 2 {
            guard let chunk = unsafe first else { break }
            unsafe first = unsafe chunk.pointee.next
            kept -= 1
            unsafe UnsafeMutableRawPointer(chunk).deallocate()
        }
        leastKept = kept
    }

    private func make(capacity: Int) -> UnsafeMutablePointer<OutputChunk> {
        assert(capacity > 0)
        usedByteCount += capacity + OutputChunk.headerBytes
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity + OutputChunk.headerBytes,
            alignment: 64
        )
        let chunk = unsafe memory.bindMemory(to: OutputChunk.self, capacity: 1)
        unsafe chunk.initialize(to: OutputChunk(next: nil, start: 0, end: 0, capacity: capacity))
        return unsafe chunk
    }

    /// Returns a chunk and all that follow it.
    func give(all first: UnsafeMutablePointer<OutputChunk>?, erases: Bool) {
        var next = unsafe first
        while let chunk = unsafe next {
            unsafe next = unsafe chunk.pointee.next
            unsafe give(chunk, erases: erases)
        }
    }

    /// Returns a chunk to the pool or to the system; `erases` says whether to overwrite its bytes.
    func give(_ chunk: UnsafeMutablePointer<OutputChunk>, erases: Bool) {
        if erases { unsafe eraseMemory(chunk.bytes, byteCount: chunk.pointee.end) }
        unsafe assert(
            chunk.pointee.start <= chunk.pointee.end && chunk.pointee.end <= chunk.pointee.capacity,
            "output was written beyond its chunk"
        )
        unsafe usedByteCount -= chunk.pointee.capacity + OutputChunk.headerBytes
        assert(usedByteCount >= 0, "more memory is given back than was taken")
        let isOrdinary =
            unsafe chunk.pointee.capacity == OutputChunk.byteCount - OutputChunk.headerBytes
        if !isOrdinary || kept == Self.keptLimit {
            unsafe UnsafeMutableRawPointer(chunk).deallocate()
            return
        }
        unsafe chunk.pointee.next = unsafe first
        unsafe first = unsafe chunk
        kept += 1
    }
}
