package import Basics
package import StoreFormat

/// The parts that `StoreView.dump` reports, in addition to the store's description.
package struct DumpSelection: Sendable {
    /// Whether the records of the table are reported.
    package var hasTable = true
    /// Whether the records of the journal are reported.
    package var hasJournal = true
    /// The position of the first record of the journal that is reported.
    package var firstPosition: UInt64 = 0

    /// All of the table and the journal.
    package init() {}
}

/// One thing that a store contains, as `StoreView.dump` reports it.
package enum StoreItem {
    case description(StoreDescription)
    /// A record of the table and its body, valid during the call.
    case tableRecord(TableKey, body: ByteView)
    /// A record of the journal, valid during the call.
    case journalRecord(JournalRecord)
    /// Something that cannot be read.
    case problem(StoreError)
}

extension StoreView {
    /// Reports what a store contains, for printing: its description, the table, and all of the
    /// journal that still exists.
    ///
    /// What cannot be read is reported as a problem, and the dump continues after it.
    ///
    /// - Throws: errors of `body`.
    package func dump(
        _ selection: DumpSelection = DumpSelection(),
        body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try body(.description(description))
        if selection.hasTable { try dumpTable(body) }
        if selection.hasJournal { try dumpJournal(from: selection.firstPosition, body: body) }
    }

    private func dumpTable(_ body: (StoreItem) throws(StoreError) -> Void) throws(StoreError) {
        var isDelivering = false
        do throws(StoreError) {
            try scan { key, value throws(StoreError) in
                let item: StoreItem
                do throws(StoreError) {
                    item = .tableRecord(key, body: try TableRecord.body(value, key: key))
                } catch {
                    item = .problem(error)
                }
                isDelivering = true
                try body(item)
                isDelivering = false
            }
        } catch {
            if isDelivering { throw error }
            try body(.problem(error))
        }
    }

    private func dumpJournal(
        from position: UInt64,
        body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) { try checkJournal() } catch { try body(.problem(error)) }
        var isDelivering = false
        do throws(StoreError) {
            try replay(from: position) { group throws(StoreError) in
                isDelivering = true
                try Self.dump(group, from: position, body: body)
                isDelivering = false
            }
        } catch {
            if isDelivering { throw error }
            try body(.problem(error))
        }
    }

    private static func dump(
        _ group: ByteView,
        from position: UInt64,
        body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        var reader = StoreReader(group)
        while !reader.isAtEnd {
            let record: JournalRecord
            do throws(StoreError) {
                record = try JournalRecord.read(&reader)
            } catch {
                // It is unknown where the next record begins.
                return try body(.problem(error))
            }
            if record.position >= position { try body(.journalRecord(record)) }
        }
    }
}
