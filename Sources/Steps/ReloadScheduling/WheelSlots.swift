/// The slots of the wheel: five levels of 64, each slot a chain of chunks.
///
///     level 4   64 slots of 2^24 ticks, used as a circle
///     level 3   64 slots of 2^18 ticks ┐
///     level 2   64 slots of 2^12 ticks │ those of the slot above
///     level 1   64 slots of 64 ticks   │ in which the position lies
///     level 0   64 slots of one tick   ┘
///
/// An entry lies at the level of the highest digit (base 64) in which its tick differs from the
/// position, so what a level holds comes before all that the next level holds, and the first
/// occupied slot is found in one bitmap a level. The position may go to any tick up to the start of
/// that slot without an entry having to move.
@safe
struct WheelSlots: ~Copyable {
    static var levelBits: Int { 6 }
    static var levelMask: Int { 63 }
    static var levelCount: Int { 5 }
    static var count: Int { levelCount << levelBits }

    /// A slot, and the first tick that it is for.
    struct Start {
        var slot: Int
        var tick: UInt64
    }

    private let heads: UnsafeMutablePointer<WheelChunk?>
    private let occupied: UnsafeMutablePointer<UInt64>
    private var pool = WheelChunkPool()

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

    /// Bytes held from the system, used or not.
    var byteCount: Int { pool.byteCount + Self.count * 8 + Self.levelCount * 8 }

    /// Whether the next chunk takes no new memory.
    var hasSpareChunk: Bool { pool.hasSpare }

    // MARK: - Entries

    /// Adds an entry, if its slot's first chunk has room.
    @inline(__always)
    mutating func appendToHead(_ entry: WheelEntry, position: UInt64) -> Bool {
        guard let head = unsafe heads[slot(of: entry.word, position: position)],
            head.count < WheelChunk.capacity
        else { return false }
        head.append(entry)
        return true
    }

    /// Adds an entry.
    @inline(__always)
    mutating func append(_ entry: WheelEntry, position: UInt64) {
        if appendToHead(entry, position: position) { return }
        addChunk(to: slot(of: entry.word, position: position)).append(entry)
    }

    @inline(__always)
    private func slot(of word: WheelWord, position: UInt64) -> Int {
        let difference = word.difference(from: position)
        let level = (31 &- (difference | 1).leadingZeroBitCount) / Self.levelBits
        return level << Self.levelBits | word.digit(level)
    }

    @inline(never)
    private mutating func addChunk(to slot: Int) -> WheelChunk {
        let chunk = pool.take()
        chunk.next = unsafe heads[slot]
        unsafe heads[slot] = chunk
        unsafe occupied[slot >> Self.levelBits] |= 1 << UInt64(slot & Self.levelMask)
        return chunk
    }

    /// Takes all chunks out of a slot.
    mutating func detach(_ slot: Int) -> WheelChunk? {
        let chunks = detachKeepingOccupied(slot)
        clearIfEmpty(slot)
        return chunks
    }

    /// As `detach`, but the slot stays among the occupied ones, until `clearIfEmpty`.
    mutating func detachKeepingOccupied(_ slot: Int) -> WheelChunk? {
        let chunks = unsafe heads[slot]
        unsafe heads[slot] = nil
        return chunks
    }

    mutating func clearIfEmpty(_ slot: Int) {
        if unsafe heads[slot] != nil { return }
        unsafe occupied[slot >> Self.levelBits] &= ~(1 << UInt64(slot & Self.levelMask))
    }

    /// Takes a detached chunk back for new entries.
    @inline(__always)
    mutating func giveBack(_ chunk: WheelChunk) {
        pool.giveBack(chunk)
    }

    // MARK: - Finding

    /// The occupied slot that begins first, seen from the position.
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

    /// The first of the last level, whose slots after the last one go on with number 0.
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

    /// The first occupied slot from this number on.
    func occupiedSlot(from slot: Int) -> Int? {
        var slot = slot
        while slot < Self.count {
            let bits = unsafe occupied[slot >> Self.levelBits] >> UInt64(slot & Self.levelMask)
            if bits != 0 { return slot + bits.trailingZeroBitCount }
            slot = (slot >> Self.levelBits + 1) << Self.levelBits
        }
        return nil
    }
}
