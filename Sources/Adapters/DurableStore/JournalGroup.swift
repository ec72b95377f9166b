internal import DataStructures
internal import StoreFormat

/// What tells records of the journal that were appended together from all others.
struct JournalGroup: Equatable {
    /// Of the first record.
    let position: UInt64
    /// Of the header of the first record, which has the checksums of that one and of the one before,
    /// and so tells it from those of any other history.
    let checksum: UInt64
    let byteCount: Int

    init(_ records: ByteView, from position: UInt64) {
        self.position = position
        let headerByteCount = min(JournalRecord.headerByteCount, records.count)
        checksum = StoreFormat.checksum(records.slice(0, headerByteCount))
        byteCount = records.count
    }
}

extension RocksDatabase {
    /// The last one that the journal has; nil if it has none.
    func lastGroup() throws(StoreError) -> JournalGroup? {
        for segment in segments.reversed() {
            if let group = try lastGroup(of: segment) { return group }
        }
        return nil
    }

    /// The last one of a segment, or nil if it has none.
    func lastGroup(of segment: UInt64) throws(StoreError) -> JournalGroup? {
        var iterator = iterate(FamilyName.segment(from: segment))
        iterator.seekToLast()
        if try !iterator.isValid() { return nil }
        return JournalGroup(iterator.value, from: try Self.position(iterator.key))
    }

    /// Compares the end of the journal with what was appended last, before the database was closed.
    ///
    /// - Throws: `gap` if that is missing, `corrupt` if there is something else.
    func checkEnd(_ appended: JournalGroup?) throws(StoreError) {
        let found = try lastGroup()
        if found == appended { return }
        let last = appended.map { "record \($0.position)" } ?? "nothing"
        let code: StoreErrorCode = found?.position ?? 0 < appended?.position ?? 0 ? .gap : .corrupt
        throw StoreError(
            code,
            "the journal was changed from outside: it ends with "
                + "\(found.map { "record \($0.position)" } ?? "nothing"), \(last) was appended last"
        )
    }
}
