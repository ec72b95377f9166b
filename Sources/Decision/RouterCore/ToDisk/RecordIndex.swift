internal import StoreFormat

/// Which checkpoint wrote each record of the table, and which records the last checkpoint wrote.
///
/// The records of a sealed checkpoint replace older ones, and those of an abandoned checkpoint are
/// dropped. In both cases deletions follow, a few at a time:
///
///     wrote, wrote … ─► sealed: takeObsolete, takeObsolete …    deletes the records it replaced
///                    └► abandoned: takeAbandoned …              deletes the records it wrote
struct RecordIndex: ~Copyable {
    private var types = ContiguousArray(
        repeating: RecordsOfType(),
        count: StateRecord.allCases.count
    )
    /// Where `takeWritten` continues.
    private var next = (type: 0, number: UInt32(0))

    deinit {
        for type in types { unsafe type.deallocate() }
    }

    /// Bytes allocated from the system, apart from the few records with more than one part.
    var byteCount: Int { types.reduce(0) { $0 + $1.byteCount } }

    /// Enters a record that the table has, by the key of its last part.
    mutating func enterStored(_ key: TableKey) {
        let type = Int(key.type)
        types[type].setEpoch(of: key.number, to: key.epoch)
        if key.part > 0 { types[type].parts[key.number] = key.part + 1 }
    }

    /// Enters a record that the running checkpoint has written in `parts` parts. An empty one only
    /// says that there is none any more.
    mutating func recordWritten(
        _ type: StateRecord,
        number: UInt32,
        parts: UInt16 = 1,
        isEmpty: Bool = false
    ) {
        assert(parts > 0, "a record has at least one part")
        let index = Int(type.rawValue)
        types[index].setWritten(number, isEmpty: isEmpty)
        types[index].formerParts[number] = types[index].parts[number]
        types[index].parts[number] = parts
    }

    /// Enters a further part of a record that the running checkpoint has written; there are `parts`
    /// now.
    mutating func wroteMore(_ type: StateRecord, number: UInt32, parts: UInt16) {
        types[Int(type.rawValue)].parts[number] = parts
    }

    /// Deletes records that the sealed checkpoint `epoch` has replaced. Of the written records,
    /// `count` are visited, most of which may have replaced none. Returns whether all have been.
    mutating func takeObsolete(
        of epoch: UInt32,
        to changes: inout TableChanges,
        count: Int
    ) -> Bool {
        for _ in 0..<count {
            guard let (type, number, isEmpty) = takeWritten() else { return true }
            let former = types[type].epoch(number)
            let parts = types[type].formerParts[number]
            if former != 0 {
                Self.delete(type, number: number, epoch: former, parts: parts, to: &changes)
            }
            types[type].setEpoch(of: number, to: isEmpty ? 0 : epoch)
            // After the former record: if the deletions are cut off between the two, the empty one
            // must still hide the former one.
            if isEmpty { Self.delete(type, number: number, epoch: epoch, parts: 1, to: &changes) }
        }
        return false
    }

    /// Deletes records that an abandoned checkpoint has written; parameters as in `takeObsolete`.
    mutating func takeAbandoned(
        of epoch: UInt32,
        to changes: inout TableChanges,
        count: Int
    ) -> Bool {
        for _ in 0..<count {
            guard let (type, number, _) = takeWritten() else { return true }
            Self.delete(
                type,
                number: number,
                epoch: epoch,
                parts: types[type].parts[number],
                to: &changes
            )
            types[type].parts[number] = types[type].formerParts[number]
        }
        return false
    }

    /// Returns the next record that the checkpoint has written, and no longer counts it as written.
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

    /// Adds the deletion of all parts of a record.
    private static func delete(
        _ type: Int,
        number: UInt32,
        epoch: UInt32,
        parts: UInt16,
        to changes: inout TableChanges
    ) {
        assert(epoch != 0, "no checkpoint has written the record")
        for part in 0..<parts {
            changes.delete(TableKey(type: UInt8(type), number: number, part: part, epoch: epoch))
        }
    }
}
