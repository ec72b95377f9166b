/// What `RecordIndex` knows about the records of one type, in blocks that never move.
///
///     blocks ─► [ numbers 0 … 4,095 ] [ not allocated ] [ 8,192 … 12,287 ] …
///
/// A block is allocated when the first of its numbers is used. Numbers are used in any order. A
/// single array would be copied as it grows, or filled up to a high number, in one go: with ten
/// million numbers that would stop the loop for tens of milliseconds.
///
/// Its owner, `RecordIndex`, calls `deallocate`.
@safe
struct RecordsOfType {
    /// The records with 4,096 successive numbers.
    private struct Block {
        /// The checkpoint that wrote each record; 0 if the table does not have the record.
        var epochs = InlineArray<4_096, UInt32>(repeating: 0)
        /// A bit for each record, set if the checkpoint that was begun last has written it.
        var written = InlineArray<64, UInt64>(repeating: 0)
        /// A bit for each record in `written`, set if it was written empty, because its element is
        /// gone.
        var empty = InlineArray<64, UInt64>(repeating: 0)
    }

    private static var blockShift: UInt32 { 12 }

    private var blocks = unsafe ContiguousArray<UnsafeMutablePointer<Block>?>()
    /// The parts of each record, as the table will have it once the running checkpoint is sealed.
    var parts = PartCounts()
    /// The parts of the older records that the running checkpoint replaces.
    var formerParts = PartCounts()

    /// Bytes of the blocks that are allocated from the system.
    var byteCount: Int {
        let blockCount = unsafe blocks.reduce(0) { unsafe $0 + ($1 == nil ? 0 : 1) }
        return unsafe blockCount * MemoryLayout<Block>.stride + blocks.capacity * 8
    }

    /// Frees the blocks; the value and its copies must not be used afterwards.
    @unsafe
    func deallocate() {
        for index in unsafe blocks.indices { unsafe blocks[index]?.deallocate() }
    }

    /// The checkpoint that wrote the table's record; 0 if the table does not have it.
    func epoch(_ number: UInt32) -> UInt32 {
        guard let block = unsafe existingBlock(number) else { return 0 }
        return unsafe block.pointee.epochs[Int(number & 4_095)]
    }

    /// Sets the checkpoint that wrote the table's record; 0 if the record is deleted.
    mutating func setEpoch(of number: UInt32, to epoch: UInt32) {
        unsafe block(number).pointee.epochs[Int(number & 4_095)] = epoch
    }

    // MARK: - What the present checkpoint has written

    /// Marks a record as written by the running checkpoint.
    mutating func setWritten(_ number: UInt32, isEmpty: Bool) {
        let (word, bit) = Self.wordAndBit(of: number)
        let block = unsafe block(number)
        unsafe block.pointee.written[word] |= bit
        if isEmpty { unsafe block.pointee.empty[word] |= bit }
    }

    /// The first written record whose number is not below `number`; nil if there is none.
    func firstWritten(from number: UInt32) -> UInt32? {
        var (word, bit) = Self.wordAndBit(of: number)
        for index in unsafe blocks.indices.dropFirst(Int(number >> Self.blockShift)) {
            if let block = unsafe blocks[index] {
                // Without the numbers below `number`.
                var mask = ~(bit - 1)
                while word < 64 {
                    let bits = unsafe block.pointee.written[word] & mask
                    if bits != 0 {
                        let position = UInt32(word << 6 + bits.trailingZeroBitCount)
                        return UInt32(index) << Self.blockShift + position
                    }
                    word += 1
                    mask = .max
                }
            }
            (word, bit) = (0, 1)
        }
        return nil
    }

    /// Marks a written record as not written, and returns whether it was an empty one.
    mutating func takeWritten(_ number: UInt32) -> Bool {
        let (word, bit) = Self.wordAndBit(of: number)
        let block = unsafe block(number)
        let isEmpty = unsafe block.pointee.empty[word] & bit != 0
        unsafe assert(block.pointee.written[word] & bit != 0, "the record is not written")
        unsafe block.pointee.written[word] &= ~bit
        unsafe block.pointee.empty[word] &= ~bit
        return isEmpty
    }

    // MARK: - Blocks

    /// The word and the bit of a number in the bit sets of its block.
    private static func wordAndBit(of number: UInt32) -> (word: Int, bit: UInt64) {
        (Int(number >> 6 & 63), 1 << UInt64(number & 63))
    }

    /// The block of a number; nil if it is not allocated.
    private func existingBlock(_ number: UInt32) -> UnsafeMutablePointer<Block>? {
        let index = Int(number >> Self.blockShift)
        return unsafe index < blocks.count ? blocks[index] : nil
    }

    /// The block of a number, which is allocated if need be.
    private mutating func block(_ number: UInt32) -> UnsafeMutablePointer<Block> {
        if let block = unsafe existingBlock(number) { return unsafe block }
        return unsafe addBlock(Int(number >> Self.blockShift))
    }

    @inline(never)
    private mutating func addBlock(_ index: Int) -> UnsafeMutablePointer<Block> {
        let missing = unsafe index + 1 - blocks.count
        if missing > 0 { unsafe blocks.append(contentsOf: repeatElement(nil, count: missing)) }
        let block = UnsafeMutablePointer<Block>.allocate(capacity: 1)
        unsafe block.initialize(to: Block())
        unsafe blocks[index] = unsafe block
        return unsafe block
    }
}

/// How many parts each record of a type has.
struct PartCounts {
    /// The records with more than one part, which are few.
    private var long: [UInt32: UInt16] = [:]

    /// The parts of the record with a number.
    subscript(number: UInt32) -> UInt16 {
        get { long.isEmpty ? 1 : long[number] ?? 1 }
        set {
            if newValue > 1 {
                long[number] = newValue
            } else if !long.isEmpty {
                long[number] = nil
            }
        }
    }
}
