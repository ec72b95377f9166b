internal import StoreFormat

/// Which checkpoint wrote each record that the table has, and which the present one has written.
///
/// A sealed checkpoint's records replace those before; an abandoned one's go. Either way they are
/// deleted afterwards, some at a time:
///
///     wrote, wrote … ─► sealed: takeObsolete, takeObsolete …      the former records of what it wrote
///                    └► abandoned: takeAbandoned …                what it wrote
struct RecordIndex: ~Copyable {
    private var types = ContiguousArray(
        repeating: RecordsOfType(),
        count: StateRecord.allCases.count
    )
    /// Where `take…` goes on.
    private var next = (type: 0, number: UInt32(0))

    deinit {
        for type in types { type.deallocate() }
    }

    /// Bytes held from the system.
    var byteCount: Int { types.reduce(0) { $0 + $1.byteCount } }

    /// The table has this record; the key is that of its last part.
    mutating func noteStored(_ key: TableKey) {
        let type = Int(key.type)
        types[type].setEpoch(key.number, key.epoch)
        if key.part > 0 { types[type].parts[key.number] = key.part + 1 }
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
        types[index].setWritten(number, isEmpty: isEmpty)
        types[index].formerParts[number] = types[index].parts[number]
        types[index].parts[number] = parts
    }

    /// The checkpoint has written another part of a record that it wrote before: now there are so many.
    mutating func wroteMore(_ type: StateRecord, _ number: UInt32, parts: UInt16) {
        types[Int(type.rawValue)].parts[number] = parts
    }

    /// Deletes what a sealed checkpoint has replaced.
    ///
    /// - Parameters:
    ///   - epoch: the checkpoint's.
    ///   - changes: where deletions are put.
    ///   - count: how many records to look at; most may have replaced none.
    /// - Returns: whether nothing is left.
    mutating func takeObsolete(
        of epoch: UInt32,
        to changes: inout TableChanges,
        count: Int
    ) -> Bool {
        for _ in 0..<count {
            guard let (type, number, isEmpty) = takeWritten() else { return true }
            let former = types[type].epoch(number)
            let parts = types[type].formerParts[number]
            if former != 0 { Self.delete(type, number, former, parts, &changes) }
            types[type].setEpoch(number, isEmpty ? 0 : epoch)
            // Behind the former one: should the deletions be cut off between the two, it still holds.
            if isEmpty { Self.delete(type, number, epoch, 1, &changes) }
        }
        return false
    }

    /// Deletes what an abandoned checkpoint has written, of so many records.
    mutating func takeAbandoned(
        of epoch: UInt32,
        to changes: inout TableChanges,
        count: Int
    ) -> Bool {
        for _ in 0..<count {
            guard let (type, number, _) = takeWritten() else { return true }
            Self.delete(type, number, epoch, types[type].parts[number], &changes)
            types[type].parts[number] = types[type].formerParts[number]
        }
        return false
    }

    /// The next record that the checkpoint wrote; it does not count as written any more.
    private mutating func takeWritten() -> (type: Int, number: UInt32, isEmpty: Bool)? {
        while next.type < types.count {
            if let number = types[next.type].firstWritten(from: next.number) {
                next.number = number
                return (next.type, number, types[next.type].takeWritten(number))
            }
            next = (next.type + 1, 0)
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
