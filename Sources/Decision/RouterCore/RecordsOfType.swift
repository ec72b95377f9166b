/// What `RecordIndex` knows of the records of one type, in blocks that never move.
///
///     blocks ─► [ numbers 0 … 4,095 ] [ none was ever named ] [ 8,192 … 12,287 ] …
///
/// A block is made when the first of its numbers is named. Numbers come in any order, and one array
/// for all of them would be copied as it grows, or filled up to a high number, at once: with ten
/// million that stops the loop for tens of milliseconds.
///
/// `RecordIndex`, whose it is, calls `deallocate`.
@safe
struct RecordsOfType {
    private struct Block {
        /// Of the checkpoint that wrote the record; 0 if the table has none.
        var epochs = InlineArray<4_096, UInt32>(repeating: 0)
        /// A bit for each: written by the checkpoint that was begun last.
        var written = InlineArray<64, UInt64>(repeating: 0)
        /// The same: and says only that there is no such record any more.
        var empty = InlineArray<64, UInt64>(repeating: 0)
    }

    private static var blockShift: UInt32 { 12 }

    private var blocks = unsafe ContiguousArray<UnsafeMutablePointer<Block>?>()
    /// Of what the table has, or will have once the present checkpoint is sealed.
    var parts = PartCounts()
    /// Of what that replaces.
    var formerParts = PartCounts()

    /// Bytes held from the system.
    var byteCount: Int {
        let blockCount = unsafe blocks.reduce(0) { unsafe $0 + ($1 == nil ? 0 : 1) }
        return unsafe blockCount * MemoryLayout<Block>.stride + blocks.capacity * 8
    }

    func deallocate() {
        for index in unsafe blocks.indices { unsafe blocks[index]?.deallocate() }
    }

    /// 0 if there is none.
    func epoch(_ number: UInt32) -> UInt32 {
        guard let block = unsafe existingBlock(number) else { return 0 }
        return unsafe block.pointee.epochs[Int(number & 4_095)]
    }

    mutating func setEpoch(_ number: UInt32, _ epoch: UInt32) {
        unsafe block(number).pointee.epochs[Int(number & 4_095)] = epoch
    }

    // MARK: - What the present checkpoint has written

    mutating func setWritten(_ number: UInt32, isEmpty: Bool) {
        let (word, bit) = Self.place(number)
        let block = unsafe block(number)
        unsafe block.pointee.written[word] |= bit
        if isEmpty { unsafe block.pointee.empty[word] |= bit }
    }

    /// The first number from this one on that was written.
    func firstWritten(from number: UInt32) -> UInt32? {
        var (word, bit) = Self.place(number)
        for index in unsafe blocks.indices.dropFirst(Int(number >> Self.blockShift)) {
            if let block = unsafe blocks[index] {
                // Nothing below the number.
                var mask = ~(bit - 1)
                while word < 64 {
                    let bits = unsafe block.pointee.written[word] & mask
                    if bits != 0 {
                        let place = UInt32(word << 6 + bits.trailingZeroBitCount)
                        return UInt32(index) << Self.blockShift + place
                    }
                    word += 1
                    mask = .max
                }
            }
            (word, bit) = (0, 1)
        }
        return nil
    }

    /// A number that was written does not count as that any more.
    ///
    /// - Returns: whether it said only that there is no such record any more.
    mutating func takeWritten(_ number: UInt32) -> Bool {
        let (word, bit) = Self.place(number)
        let block = unsafe block(number)
        let isEmpty = unsafe block.pointee.empty[word] & bit != 0
        unsafe block.pointee.written[word] &= ~bit
        unsafe block.pointee.empty[word] &= ~bit
        return isEmpty
    }

    // MARK: - Blocks

    /// Where a number's bits lie in its block.
    private static func place(_ number: UInt32) -> (word: Int, bit: UInt64) {
        (Int(number >> 6 & 63), 1 << UInt64(number & 63))
    }

    private func existingBlock(_ number: UInt32) -> UnsafeMutablePointer<Block>? {
        let index = Int(number >> Self.blockShift)
        return unsafe index < blocks.count ? blocks[index] : nil
    }

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

/// How many parts records have, of which nearly all have one.
struct PartCounts {
    private var long: [UInt32: UInt16] = [:]

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
