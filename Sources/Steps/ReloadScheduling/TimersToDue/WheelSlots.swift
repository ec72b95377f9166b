/// The slots of a `TimingWheel`: five levels of 64, each slot a chain of chunks of entries.
///
///     level 4   64 slots of 2^24 ticks, used as a circle
///     level 3   64 slots of 2^18 ticks ┐
///     level 2   64 slots of 2^12 ticks │ those of the slot above
///     level 1   64 slots of 64 ticks   │ in which the position lies
///     level 0   64 slots of one tick   ┘
///
/// An entry lies at the level of the highest digit (base 64) in which its tick differs from the
/// wheel's position. So everything at one level is due before everything at the next, and the first
/// occupied slot is found with one bitmap per level. The position may advance to any tick up to the
/// start of that slot without an entry having to move.
@safe
struct WheelSlots: ~Copyable {
    /// The binary logarithm of the number of slots of a level.
    static var levelBits: Int { 6 }
    /// The bits of a slot's number that give its position in its level.
    static var levelMask: Int { 63 }
    static var levelCount: Int { 5 }
    static var count: Int { levelCount << levelBits }

    /// A slot, and the first of the ticks that it covers.
    struct Start {
        var slot: Int
        var tick: UInt64
    }

    /// The first chunk of each slot.
    let heads: UnsafeMutablePointer<WheelChunk?>
    /// For each level, a bit for each slot that has chunks, or from which `detachKeepingOccupied`
    /// took them.
    let occupied: UnsafeMutablePointer<UInt64>
    private(set) var pool = WheelChunkPool()

    init() {
        unsafe heads = .allocate(capacity: Self.count)
        unsafe heads.initialize(repeating: nil, count: Self.count)
        unsafe occupied = .allocate(capacity: Self.levelCount)
        unsafe occupied.initialize(repeating: 0, count: Self.levelCount)
    }

    deinit {
        unsafe heads.deallocate()
        unsafe occupied.deallocate()
    }

    /// Bytes allocated from the system, used or not.
    var byteCount: Int { pool.byteCount + Self.count * 8 + Self.levelCount * 8 }

    /// Whether the next chunk needs no new memory.
    var hasSpareChunk: Bool { pool.hasSpare }

    // MARK: - Entries

    /// Adds an entry if its slot's first chunk has space; returns whether it did.
    @inline(__always)
    mutating func appendToHead(_ entry: WheelEntry, position: UInt64) -> Bool {
        guard let head = unsafe heads[slot(of: entry.word, position: position)],
            head.count < WheelChunk.capacity
        else { return false }
        head.append(entry)
        return true
    }

    /// Adds an entry, in a new chunk if need be.
    @inline(__always)
    mutating func append(_ entry: WheelEntry, position: UInt64) {
        if appendToHead(entry, position: position) { return }
        addChunk(to: slot(of: entry.word, position: position)).append(entry)
    }

    /// The slot that an entry belongs to, seen from the position.
    @inline(__always)
    func slot(of word: WheelWord, position: UInt64) -> Int {
        let difference = word.difference(from: position)
        let level = (31 &- (difference | 1).leadingZeroBitCount) / Self.levelBits
        return level << Self.levelBits | word.digit(level)
    }

    /// Puts an empty chunk at the head of a slot's chain, and returns it.
    @inline(never)
    private mutating func addChunk(to slot: Int) -> WheelChunk {
        let chunk = pool.acquire()
        chunk.next = unsafe heads[slot]
        unsafe heads[slot] = chunk
        unsafe occupied[slot >> Self.levelBits] |= 1 << UInt64(slot & Self.levelMask)
        return chunk
    }

    /// Detaches all chunks of a slot and returns the first.
    mutating func detach(_ slot: Int) -> WheelChunk? {
        let chunks = detachKeepingOccupied(slot)
        clearIfEmpty(slot)
        return chunks
    }

    /// Detaches all chunks of a slot and returns the first; the slot stays marked as occupied until
    /// `clearIfEmpty`.
    mutating func detachKeepingOccupied(_ slot: Int) -> WheelChunk? {
        precondition(slot >= 0 && slot < Self.count, "there is no slot \(slot)")
        let chunks = unsafe heads[slot]
        unsafe heads[slot] = nil
        return chunks
    }

    /// Marks a slot as not occupied if it has no chunks.
    mutating func clearIfEmpty(_ slot: Int) {
        precondition(slot >= 0 && slot < Self.count, "there is no slot \(slot)")
        if unsafe heads[slot] != nil { return }
        unsafe occupied[slot >> Self.levelBits] &= ~(1 << UInt64(slot & Self.levelMask))
    }

    /// Frees a detached chunk for new entries.
    @inline(__always)
    mutating func release(_ chunk: WheelChunk) { pool.release(chunk) }

    // MARK: - Finding

    /// The first occupied slot in the order of ticks, seen from the position; nil if there is none.
    @inline(__always)
    func first(position: UInt64) -> Start? {
        for level in 0..<Self.levelCount - 1 {
            let bits = unsafe occupied[level]
            if bits == 0 { continue }
            let digit = bits.trailingZeroBitCount
            let shift = level * Self.levelBits
            let above = position >> UInt64(shift) & ~UInt64(Self.levelMask)
            assert(digit >= Int(position >> UInt64(shift)) & Self.levelMask)
            return Start(
                slot: level << Self.levelBits | digit,
                tick: (above | UInt64(digit)) << UInt64(shift)
            )
        }
        return firstOfCircle(position: position)
    }

    /// The first occupied slot of the last level, in which slot 0 follows slot 63.
    private func firstOfCircle(position: UInt64) -> Start? {
        let level = Self.levelCount - 1
        let bits = unsafe occupied[level]
        if bits == 0 { return nil }
        let start = position >> UInt64(level * Self.levelBits)
        let digit = start & UInt64(Self.levelMask)
        let turned = bits &>> digit | bits &<< (64 &- digit)
        let distance = UInt64(turned.trailingZeroBitCount)
        return Start(
            slot: level << Self.levelBits | Int(digit &+ distance) & Self.levelMask,
            tick: (start &+ distance) << UInt64(level * Self.levelBits)
        )
    }

    /// The first occupied slot with this number or a higher one, whatever its ticks.
    func occupiedSlot(from slot: Int) -> Int? {
        precondition(slot >= 0, "there is no slot \(slot)")
        var slot = slot
        while slot < Self.count {
            let bits = unsafe occupied[slot >> Self.levelBits] >> UInt64(slot & Self.levelMask)
            if bits != 0 { return slot + bits.trailingZeroBitCount }
            slot = (slot >> Self.levelBits + 1) << Self.levelBits
        }
        return nil
    }
}
