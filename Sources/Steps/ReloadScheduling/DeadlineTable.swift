internal import DataStructures

/// A word for each timer's number, in chunks that never move: growth clears one and copies nothing.
///
/// As `SparseTable`, but compiled for just this element, and grown 64 KiB at a time. A chunk is made
/// when the first of its numbers is: a high number must not cost, at once, all those below it.
@safe
struct DeadlineTable: ~Copyable {
    private static var chunkShift: UInt32 { 14 }
    private static var chunkMask: Int { 1 << Int(chunkShift) - 1 }

    /// Nil where no number has a word.
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<WheelWord>?>
    private var chunkCapacity = 16
    /// How many there are.
    private var chunkCount = 0

    init() {
        unsafe chunks = .allocate(capacity: 16)
        unsafe chunks.initialize(repeating: nil, count: 16)
    }

    deinit {
        for index in 0..<chunkCapacity { unsafe chunks[index]?.deallocate() }
        unsafe chunks.deallocate()
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { (chunkCount << Int(Self.chunkShift)) * 4 + chunkCapacity * 8 }

    /// Whether the number has a word.
    @inline(__always)
    func has(_ id: UInt32) -> Bool {
        let index = Int(id >> Self.chunkShift)
        return unsafe index < chunkCapacity && chunks[index] != nil
    }

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

    /// Gives the number, which has none, a word: `none`.
    @inline(never)
    mutating func add(_ id: UInt32) {
        precondition(id < 1 << 31, "timers are numbered below 2^31")
        let index = Int(id >> Self.chunkShift)
        if index >= chunkCapacity { grow(max(chunkCapacity * 2, index + 1)) }
        let chunk = UnsafeMutablePointer<WheelWord>.allocate(capacity: Self.chunkMask + 1)
        unsafe chunk.initialize(repeating: .none, count: Self.chunkMask + 1)
        unsafe chunks[index] = unsafe chunk
        chunkCount += 1
    }

    @unsafe @inline(__always)
    private func pointer(_ id: UInt32) -> UnsafeMutablePointer<WheelWord> {
        assert(has(id))
        let chunk = unsafe chunks[Int(id >> Self.chunkShift)].unsafelyUnwrapped
        return unsafe chunk + Int(id) & Self.chunkMask
    }

    private mutating func grow(_ capacity: Int) {
        let larger = UnsafeMutablePointer<UnsafeMutablePointer<WheelWord>?>
            .allocate(capacity: capacity)
        unsafe larger.initialize(repeating: nil, count: capacity)
        unsafe larger.update(from: chunks, count: chunkCapacity)
        unsafe chunks.deallocate()
        unsafe chunks = unsafe larger
        chunkCapacity = capacity
    }
}
