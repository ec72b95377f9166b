/// A piece of output memory.
///
///     [ header | taken by the kernel … start | to be written … end | room … capacity ]
@safe
struct OutputChunk {
    var next: UnsafeMutablePointer<OutputChunk>?
    var start: Int
    var end: Int
    var capacity: Int

    static var headerBytes: Int { 32 }
    /// Bytes of an ordinary chunk with its header; a frame that is longer gets a chunk of its own.
    static var byteCount: Int { 16 << 10 }
}

extension UnsafeMutablePointer where Pointee == OutputChunk {
    /// The chunk's bytes behind its header.
    var bytes: UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(self) + OutputChunk.headerBytes
    }
}

/// Chunks that are not in use, shared by all connections of a loop: a connection that is up to date
/// holds no output memory at all.
@safe
final class ChunkPool {
    /// Chunks kept for reuse; further ones go back to the system.
    private static var keptLimit: Int { 4_096 }

    private var first: UnsafeMutablePointer<OutputChunk>?
    private var kept = 0

    deinit {
        while let chunk = unsafe first {
            unsafe first = unsafe chunk.pointee.next
            unsafe UnsafeMutableRawPointer(chunk).deallocate()
        }
    }

    /// An empty chunk with room for at least `byteCount` bytes.
    func take(_ byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        let ordinary = OutputChunk.byteCount - OutputChunk.headerBytes
        if byteCount <= ordinary, let chunk = unsafe first {
            unsafe first = unsafe chunk.pointee.next
            kept -= 1
            unsafe chunk.pointee.next = nil
            unsafe chunk.pointee.start = 0
            unsafe chunk.pointee.end = 0
            return unsafe chunk
        }
        return unsafe Self.make(capacity: max(ordinary, byteCount))
    }

    /// A chunk of just this size, for output that is there to stay: it goes back to the system.
    func takeSmall(_ byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        let ordinary = OutputChunk.byteCount - OutputChunk.headerBytes
        if byteCount > ordinary / 2 { return unsafe take(byteCount) }
        return unsafe Self.make(capacity: byteCount)
    }

    private static func make(capacity: Int) -> UnsafeMutablePointer<OutputChunk> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity + OutputChunk.headerBytes,
            alignment: 64
        )
        let chunk = unsafe memory.bindMemory(to: OutputChunk.self, capacity: 1)
        unsafe chunk.initialize(
            to: OutputChunk(next: nil, start: 0, end: 0, capacity: capacity)
        )
        return unsafe chunk
    }

    func give(_ chunk: UnsafeMutablePointer<OutputChunk>) {
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
