internal import ByteStorage

/// A word for each timer's number, in chunks that never move: growth clears one and copies nothing.
///
/// As `Slab`, but compiled for just this element, and grown a whole chunk of 64 KiB at a time.
@safe
struct DeadlineTable: ~Copyable {
    private static var chunkShift: UInt32 { 14 }
    private static var chunkMask: Int { 1 << Int(chunkShift) - 1 }

    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<WheelWord>>
    private var chunkCount = 0
    private var chunkCapacity = 16

    /// Numbers below have a word.
    private(set) var end: UInt32 = 0

    init() {
        unsafe chunks = .allocate(capacity: 16)
    }

    deinit {
        for index in 0..<chunkCount { unsafe chunks[index].deallocate() }
        unsafe chunks.deallocate()
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { (chunkCount << Int(Self.chunkShift)) * 4 + chunkCapacity * 8 }

    @inline(__always)
    subscript(id: UInt32) -> WheelWord {
        get { unsafe pointer(id).pointee }
        set { unsafe pointer(id).pointee = newValue }
    }

    /// Starts to bring a word's cache line close.
    @inline(__always)
    func prefetch(_ id: UInt32) {
        unsafe prefetchLine(pointer(id))
    }

    /// Makes sure that the number has a word, `none` at first.
    mutating func reserve(through id: UInt32) {
        precondition(id < 1 << 31, "timers are numbered below 2^31")
        while end <= id { addChunk() }
    }

    @unsafe @inline(__always)
    private func pointer(_ id: UInt32) -> UnsafeMutablePointer<WheelWord> {
        assert(id < end)
        return unsafe chunks[Int(id >> Self.chunkShift)] + Int(id) & Self.chunkMask
    }

    private mutating func addChunk() {
        if chunkCount == chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<WheelWord>>
                .allocate(capacity: chunkCapacity * 2)
            unsafe larger.moveInitialize(from: chunks, count: chunkCount)
            unsafe chunks.deallocate()
            unsafe chunks = unsafe larger
            chunkCapacity *= 2
        }
        let chunk = UnsafeMutablePointer<WheelWord>.allocate(capacity: Self.chunkMask + 1)
        unsafe chunk.initialize(repeating: .none, count: Self.chunkMask + 1)
        unsafe (chunks + chunkCount).initialize(to: chunk)
        chunkCount += 1
        end += 1 << Self.chunkShift
    }
}
