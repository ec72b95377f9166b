internal import Basics
package import StoreFormat

/// Copies a checkpoint and the journal after it into a new store, and checks all of it on the way.
package struct StoreCopy: ~Copyable {
    /// The bytes of changes that are written in one step.
    private static let stepByteCount = 1 << 20

    private let source: StoreView
    private let store: RocksStore
    private let isCancelled: @Sendable () -> Bool
    private var changes = TableChanges()

    /// What was copied.
    package struct Result: Equatable, Sendable {
        /// The manifest of the copied checkpoint; `none` if the store has no checkpoint.
        package var manifest: StoreManifest
        /// The number of copied records of the table, which belong to the checkpoint.
        package var tableRecordCount = 0
        /// The number of copied records of the journal, which follow the checkpoint.
        package var journalRecordCount = 0
        /// The last copied record's position; the checkpoint's if no record was copied.
        package var lastPosition: UInt64 = 0
    }

    /// What has been copied so far.
    package private(set) var result: Result

    /// Creates a store in a folder that does not exist or is empty.
    init(
        from source: StoreView,
        at manifest: StoreManifest,
        to path: String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) {
        self.source = source
        self.isCancelled = isCancelled
        var description = source.description
        description.version = StoreDescription.currentVersion
        store = try RocksStore(path: path, description: description, after: manifest.position)
        result = Result(manifest: manifest, lastPosition: manifest.position)
    }

    /// Copies the records of the checkpoint.
    mutating func copyTable() throws(StoreError) {
        try source.readCheckpoint(result.manifest.epoch) { key, value throws(StoreError) in
            let body = try TableRecord.body(value, key: key)
            changes.put(key) { $0.put(raw: body) }
            result.tableRecordCount += 1
            if changes.byteCount >= Self.stepByteCount { try writeChanges() }
        }
        try writeChanges()
        try store.seal()
    }

    private mutating func writeChanges() throws(StoreError) {
        try checkNotCancelled()
        try store.write(changes)
        changes.clear()
    }

    /// Throws `unusable` if the copy was cancelled.
    private func checkNotCancelled() throws(StoreError) {
        if isCancelled() { throw .unusable("the copy was cancelled") }
    }

    /// Copies the journal after the checkpoint. Throws `corrupt` or `gap` where the journal breaks;
    /// what precedes the break has been copied.
    mutating func copyJournal() throws(StoreError) {
        assert(changes.isEmpty, "the journal is copied before the table is whole")
        var chain = JournalChain(after: result.manifest)
        try source.replay(from: chain.next) { group throws(StoreError) in
            try checkNotCancelled()
            var records = StoreWriter(capacity: group.count)
            let first = chain.next
            var failure: StoreError?
            do throws(StoreError) {
                try chain.follow(group) { record in Self.put(record, to: &records) }
            } catch {
                failure = error
            }
            if !records.isEmpty {
                assert(chain.next > first, "copied records have no positions")
                try store.append(records.bytes, from: first, isSynced: false)
                result.journalRecordCount += Int(chain.next - first)
                result.lastPosition = chain.next - 1
            }
            if let failure { throw failure }
        }
    }

    /// Writes a record again; the result is the same, byte for byte.
    private static func put(_ record: JournalRecord, to writer: inout StoreWriter) {
        let start = JournalRecord.begin(&writer)
        writer.put(raw: record.body)
        let sum = JournalRecord.end(
            &writer,
            from: start,
            position: record.position,
            parent: record.parent,
            version: record.version
        )
        precondition(sum == record.checksum, "a record was not copied as it is")
    }

    /// Makes the copy durable and closes it.
    consuming func finish() throws(StoreError) -> Result {
        try store.end()
        return result
    }
}
