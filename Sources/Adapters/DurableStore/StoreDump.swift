package import DataStructures
package import StoreFormat

/// One thing that a store holds, as `StoreView.dump` hands it out.
package enum StoreItem {
    case facts(StoreFacts)
    /// A record of the table and its body, valid during the call.
    case tableRecord(TableKey, body: ByteView)
    /// A record of the journal, valid during the call.
    case journalRecord(JournalRecord)
    /// What stands here cannot be read.
    case problem(StoreError)
}

/// What `StoreView.dump` hands out, beside what the store was made with.
package struct DumpSelection: Sendable {
    package var hasTable = true
    package var hasJournal = true
    /// The first record of the journal.
    package var firstPosition: UInt64 = 0

    package init() {}
}

extension StoreView {
    /// Hands out what a store holds, for printing: what it was made with, the table, and the whole
    /// journal that is still there.
    ///
    /// What cannot be read is handed out as a problem, and the rest follows.
    ///
    /// - Throws: what `body` throws.
    package func dump(
        _ selection: DumpSelection = DumpSelection(),
        _ body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try body(.facts(facts))
        if selection.hasTable { try dumpTable(body) }
        if selection.hasJournal { try dumpJournal(from: selection.firstPosition, body) }
    }

    private func dumpTable(_ body: (StoreItem) throws(StoreError) -> Void) throws(StoreError) {
        var isHandingOut = false
        do throws(StoreError) {
            try scan { key, value throws(StoreError) in
                let item: StoreItem
                do throws(StoreError) {
                    item = .tableRecord(key, body: try TableRecord.body(value, key: key))
                } catch {
                    item = .problem(error)
                }
                isHandingOut = true
                try body(item)
                isHandingOut = false
            }
        } catch {
            if isHandingOut { throw error }
            try body(.problem(error))
        }
    }

    private func dumpJournal(
        from position: UInt64,
        _ body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) { try checkJournal() } catch { try body(.problem(error)) }
        var isHandingOut = false
        do throws(StoreError) {
            try replay(from: position) { group throws(StoreError) in
                isHandingOut = true
                try Self.dump(group, from: position, body)
                isHandingOut = false
            }
        } catch {
            if isHandingOut { throw error }
            try body(.problem(error))
        }
    }

    private static func dump(
        _ group: ByteView,
        from position: UInt64,
        _ body: (StoreItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        var reader = StoreReader(group)
        while !reader.isAtEnd {
            let record: JournalRecord
            do throws(StoreError) {
                record = try JournalRecord.read(&reader)
            } catch {
                // Nothing says where the next record begins.
                return try body(.problem(error))
            }
            if record.position >= position { try body(.journalRecord(record)) }
        }
    }
}
