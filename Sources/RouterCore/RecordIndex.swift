internal import ByteStorage
internal import StoreFormat

/// Which checkpoint wrote each record that the table has, and which the present one has written.
///
/// A sealed checkpoint's records replace those before; an abandoned one's go. Either way they are
/// deleted afterwards, some at a time:
///
///     wrote, wrote … ─► sealed: takeObsolete, takeObsolete …      the former records of what it wrote
///                    └► abandoned: takeAbandoned …                what it wrote
struct RecordIndex: ~Copyable {
    fileprivate var types = ContiguousArray(repeating: OfType(), count: StateRecord.allCases.count)
    /// Where `take…` goes on.
    private var next = (type: 0, word: 0)

    fileprivate struct OfType {
        /// By number; 0 if the table has none.
        var epochs: ContiguousArray<UInt32> = []
        /// A bit for each number: written by the checkpoint that was begun last.
        var written: ContiguousArray<UInt64> = []
        /// The same: and says only that there is no such record any more.
        var empty: ContiguousArray<UInt64> = []
        /// By number, if any record of the type has more than one.
        var parts: ContiguousArray<UInt16> = []
        var formerParts: ContiguousArray<UInt16> = []
    }

    /// Bytes held from the system.
    var byteCount: Int {
        var sum = 0
        for type in types.indices {
            sum += types[type].epochs.capacity * 4 + types[type].written.capacity * 16
            sum += types[type].parts.capacity * 4
        }
        return sum
    }

    /// The table has this record; the key is that of its last part.
    mutating func noteStored(_ key: TableKey) {
        let type = Int(key.type)
        types[type].reserve(key.number)
        types[type].epochs[Int(key.number)] = key.epoch
        if key.part > 0 { types[type].setParts(key.number, key.part + 1) }
    }

    /// The checkpoint has written a record, in so many parts.
    ///
    /// - Parameters:
    ///   - type: of the record.
    ///   - number: of the record.
    ///   - parts: how many there are.
    ///   - isEmpty: whether it only says that there is no such record any more.
    mutating func wrote(
        _ type: StateRecord,
        _ number: UInt32,
        parts: UInt16 = 1,
        isEmpty: Bool = false
    ) {
        let index = Int(type.rawValue)
        let bit: UInt64 = 1 << UInt64(number % 64)
        types[index].reserve(number)
        types[index].written[Int(number) / 64] |= bit
        if isEmpty { types[index].empty[Int(number) / 64] |= bit }
        if !types[index].parts.isEmpty || parts > 1 {
            let former = types[index].partCount(number)
            types[index].setParts(number, parts)
            types[index].formerParts[Int(number)] = former
        }
    }

    /// Deletes what a sealed checkpoint has replaced.
    ///
    /// - Parameters:
    ///   - epoch: the checkpoint's.
    ///   - changes: where deletions are put.
    ///   - limit: bytes of `changes` after which it is enough.
    /// - Returns: whether nothing is left.
    mutating func takeObsolete(
        of epoch: UInt32,
        to changes: inout TableChanges,
        limit: Int
    ) -> Bool {
        while changes.byteCount < limit {
            guard let (index, number, isEmpty) = takeWritten() else { return true }
            let former = types[index].epochs[Int(number)]
            let parts = types[index].formerPartCount(number)
            if former != 0 { Self.delete(index, number, former, parts, &changes) }
            types[index].epochs[Int(number)] = isEmpty ? 0 : epoch
            // Behind the former one: should the deletions be cut off between the two, it still holds.
            if isEmpty { Self.delete(index, number, epoch, 1, &changes) }
        }
        return false
    }

    /// Deletes what an abandoned checkpoint has written.
    mutating func takeAbandoned(
        of epoch: UInt32,
        to changes: inout TableChanges,
        limit: Int
    ) -> Bool {
        while changes.byteCount < limit {
            guard let (index, number, _) = takeWritten() else { return true }
            Self.delete(index, number, epoch, types[index].partCount(number), &changes)
            let former = types[index].formerPartCount(number)
            if !types[index].parts.isEmpty { types[index].parts[Int(number)] = former }
        }
        return false
    }

    /// The next record that the checkpoint wrote; it does not count as written any more.
    private mutating func takeWritten() -> (type: Int, number: UInt32, isEmpty: Bool)? {
        while next.type < types.count {
            let type = next.type
            while next.word < types[type].written.count {
                let word = next.word
                let bits = types[type].written[word]
                if bits == 0 {
                    next.word += 1
                    continue
                }
                let bit = bits & (0 &- bits)
                let isEmpty = types[type].empty[word] & bit != 0
                types[type].written[word] &= ~bit
                types[type].empty[word] &= ~bit
                return (type, UInt32(word * 64 + bit.trailingZeroBitCount), isEmpty)
            }
            next = (type + 1, 0)
        }
        next = (0, 0)
        return nil
    }

    private static func delete(
        _ type: Int,
        _ number: UInt32,
        _ epoch: UInt32,
        _ parts: UInt16,
        _ changes: inout TableChanges
    ) {
        for part in 0..<parts {
            changes.delete(
                TableKey(type: UInt8(type), number: number, part: part, epoch: epoch)
            )
        }
    }
}

extension RecordIndex.OfType {
    fileprivate mutating func reserve(_ number: UInt32) {
        let missing = Int(number) + 1 - epochs.count
        if missing <= 0 { return }
        epochs.append(contentsOf: repeatElement(0, count: missing))
        let words = (epochs.count + 63) / 64 - written.count
        written.append(contentsOf: repeatElement(0, count: words))
        empty.append(contentsOf: repeatElement(0, count: words))
    }

    fileprivate func partCount(_ number: UInt32) -> UInt16 {
        Int(number) < parts.count ? parts[Int(number)] : 1
    }

    fileprivate func formerPartCount(_ number: UInt32) -> UInt16 {
        Int(number) < formerParts.count ? formerParts[Int(number)] : 1
    }

    fileprivate mutating func setParts(_ number: UInt32, _ count: UInt16) {
        let missing = Int(number) + 1 - parts.count
        if missing > 0 {
            parts.append(contentsOf: repeatElement(1, count: missing))
            formerParts.append(contentsOf: repeatElement(1, count: missing))
        }
        parts[Int(number)] = count
    }
}
