internal import Basics

/// The deadline of each timer of a `TimingWheel`, by timer number: one `WheelWord` each, in chunks
/// of 2^14 numbers (64 KiB) that never move.
///
/// It works like `SparseTable`, but is compiled for this element only and copies no deadline when
/// it grows. A chunk is allocated with the first of its numbers, so a high number does not also
/// cost the memory of all lower ones.
@safe
struct DeadlineTable: ~Copyable {
    /// The binary logarithm of the number of timers of a chunk.
    static var chunkShift: UInt32 { 14 }
    /// The bits of a timer number that give its position in its chunk.
    static var chunkMask: Int { 1 << Int(chunkShift) - 1 }

    /// The chunks by index; nil where no number has been added.
    private(set) var chunks: UnsafeMutablePointer<UnsafeMutablePointer<WheelWord>?>
    private(set) var chunkCapacity = 16
    /// The number of chunks that are allocated.
    private(set) var chunkCount = 0

    init() {
        unsafe chunks = .allocate(capacity: 16)
        unsafe chunks.initialize(repeating: nil, count: 16)
    }

    deinit {
        for index in 0..<chunkCapacity { unsafe chunks[index]?.deallocate() }
        unsafe chunks.deallocate()
    }

    /// Bytes allocated from the system, used or not.
    var byteCount: Int { (chunkCount << Int(Self.chunkShift)) * 4 + chunkCapacity * 8 }

    /// Whether the number's chunk is allocated; only such numbers may be read and written.
    @inline(__always)
    func has(_ id: TimerID) -> Bool {
        let index = id.index >> Int(Self.chunkShift)
        return unsafe index < chunkCapacity && chunks[index] != nil
    }

    @inline(__always)
    subscript(id: TimerID) -> WheelWord {
        get { unsafe pointer(id).pointee }
        set { unsafe pointer(id).pointee = newValue }
    }

    /// Prefetches the cache line of a number's word, if `has` holds for the number.
    @inline(__always)
    func prefetch(_ id: TimerID) {
        if has(id) { unsafe prefetchLine(pointer(id)) }
    }

    /// Allocates the chunk of a number for which `has` is false. All words of the chunk are `none`
    /// at first.
    @inline(never)
    mutating func add(_ id: TimerID) {
        precondition(id.rawValue < 1 << 31, "timers are numbered below 2^31")
        precondition(!has(id), "the chunk of number \(id) exists")
        let index = id.index >> Int(Self.chunkShift)
        if index >= chunkCapacity { grow(max(chunkCapacity * 2, index + 1)) }
        let chunk = UnsafeMutablePointer<WheelWord>.allocate(capacity: Self.chunkMask + 1)
        unsafe chunk.initialize(repeating: .none, count: Self.chunkMask + 1)
        unsafe chunks[index] = unsafe chunk
        chunkCount += 1
    }

    @unsafe @inline(__always)
    /// The address of a number's word; traps if the number's chunk is not allocated.
    private func pointer(_ id: TimerID) -> UnsafeMutablePointer<WheelWord> {
        precondition(has(id), "no chunk has number \(id)")
        let chunk = unsafe chunks[id.index >> Int(Self.chunkShift)].unsafelyUnwrapped
        return unsafe chunk + id.index & Self.chunkMask
    }

    /// Enlarges the list of chunks to this capacity.
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

extension DeadlineTable {
    /// Checks that `chunkCount` is the number of allocated chunks.
    func checkInvariants() throws(InvariantViolation) {
        var allocated = 0
        for index in 0..<chunkCapacity where unsafe chunks[index] != nil { allocated += 1 }
        try checkInvariant(
            allocated == chunkCount,
            otherwise: "\(chunkCount) chunks are counted, and \(allocated) are allocated"
        )
    }

    /// Calls `body` with each timer that has a deadline.
    ///
    /// - Complexity: proportional to the timer numbers that the allocated chunks cover.
    func visit(
        _ body: (TimerID, WheelWord) throws(InvariantViolation) -> Void
    ) throws(InvariantViolation) {
        for index in 0..<chunkCapacity {
            guard let chunk = unsafe chunks[index] else { continue }
            for position in 0...Self.chunkMask where unsafe chunk[position] != .none {
                try unsafe body(
                    TimerID(index: index << Int(Self.chunkShift) + position),
                    chunk[position]
                )
            }
        }
    }
}
