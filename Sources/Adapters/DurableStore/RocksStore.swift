package import DataStructures
package import StoreFormat

/// The durable store: RocksDB behind the two faces of `StoreEngine`.
///
///     log      a column family for each segment; a value is what was appended together
///     table    one column family, not written to RocksDB's log, but to files when it is sealed
///
/// The table's memory is written to files in the order in which it was filled, so a checkpoint's
/// manifest, written last, is durable only together with all that was written before it.
@safe
package final class RocksStore: StoreEngine {
    let folder: StoreFolder
    /// Of the folder.
    package var path: String { folder.path }
    private let lock: StoreLock
    private let identity: StoreIdentity
    let versions: StoreVersions
    /// Nil after `close`, and when `reopen` has failed.
    private var database: RocksDatabase?
    /// What was written when the store was made.
    package internal(set) var facts: StoreFacts
    /// What was cut off the end of the journal when the store was opened.
    package let tornEnd: TornEnd?
    /// Whether the store says where the journal ended: that holds until the next append.
    private var hasEnd = false
    /// What was appended last, and the number of that change: what the log holds beyond it, an append
    /// has failed to bring to the disk.
    private var appended: JournalGroup?
    private var sequence: UInt64 = 0
    /// Bytes of the append that has failed.
    private var failedByteCount = 0
    /// Whether `beginSeal` was called, and `seal` not yet.
    private var isSealing = false
    /// Errors in RocksDB's background that have not kept a seal from succeeding.
    private var knownErrorCount: UInt64 = 0

    /// Opens the store of a folder.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - createIfMissing: whether to make a store, and the last folder of the path, if there is
    ///     none.
    ///   - versions: those of the format that are known.
    /// - Throws: `locked`, `missing`, `unusable`, `newer`, `corrupt`, `gap`, `full` or `io`.
    package init(
        path: String,
        createIfMissing: Bool,
        versions: StoreVersions = .known
    ) throws(StoreError) {
        folder = StoreFolder(path: path)
        self.versions = versions
        if createIfMissing { try folder.make() }
        lock = try StoreLock(folder)
        let database: RocksDatabase
        (database, tornEnd) = try RocksStore.openDatabase(
            folder,
            createIfMissing: createIfMissing
        )
        self.database = database
        identity = StoreIdentity(folder, lock)
        facts = try RocksStore.readOrMakeFacts(database, folder, createIfMissing, versions)
        hasEnd = try database.checkEnd()
        appended = try? database.lastGroup()
        try migrate()
        sequence = database.sequence
    }

    /// Makes a copy of a store, in a folder that is not there or empty.
    init(path: String, facts: StoreFacts) throws(StoreError) {
        folder = StoreFolder(path: path)
        versions = StoreVersions(current: facts.version, migrations: [])
        try folder.make()
        lock = try StoreLock(folder)
        if try !folder.names().isEmpty {
            throw StoreError(.unusable, "\(path) is not empty")
        }
        let database: RocksDatabase
        (database, tornEnd) = try RocksStore.openDatabase(folder, createIfMissing: true)
        try RocksStore.write(facts, to: database)
        try folder.sync()
        self.database = database
        identity = StoreIdentity(folder, lock)
        self.facts = facts
        sequence = database.sequence
    }

    /// Closes it when all is appended, and notes where the journal ends, so that it is found out if
    /// that is lost.
    ///
    /// - Throws: `full` or `io`: then it is closed without the note.
    package func end() throws(StoreError) {
        defer { close() }
        let database = try opened()
        if hasEnd { return }
        // The note must not survive a loss of power that the journal does not.
        try database.syncLog()
        try database.noteEnd()
    }

    /// Closes it: what was not sealed is gone.
    ///
    /// Closing twice is no error. RocksDB deletes, when it closes a database, all files at its path
    /// that it does not know: so while another folder lies there, it is left open, for good.
    package func close() {
        guard let database else { return }
        do throws(StoreError) {
            try identity.check()
        } catch {
            _ = unsafe Unmanaged.passRetained(database)
        }
        self.database = nil
    }

    /// What an append has written that then failed is cut off the log: pages of a file whose sync has
    /// failed can be read until the next loss of power, and no later sync of them tells the truth
    /// (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
    package func reopen() throws(StoreError) {
        // What lies there may be another process's, and is not locked by this one. The database stays
        // open meanwhile: see `close`.
        try identity.check()
        close()
        isSealing = false
        knownErrorCount = 0
        let (database, _) = try RocksStore.openDatabase(
            folder,
            createIfMissing: false,
            upTo: sequence,
            withSpaceFor: failedByteCount
        )
        hasEnd = try database.checkEnd()
        try database.checkEnd(appended)
        try checkIdentifier(database)
        self.database = database
    }

    private func checkIdentifier(_ database: RocksDatabase) throws(StoreError) {
        let found = try database.readFacts(upTo: versions.current)?.identifier
        if found == facts.identifier { return }
        throw StoreError(
            .replaced,
            "\(path) holds the store \(found.map { "\($0)" } ?? "of nobody"), "
                + "and not \(facts.identifier), which was opened"
        )
    }

    func opened() throws(StoreError) -> RocksDatabase {
        guard let database else { throw StoreError(.io, "the store \(folder.path) is closed") }
        return database
    }

    package var diskByteCount: UInt64 { folder.byteCount }

    // MARK: Log

    package func append(
        _ records: ByteView,
        from position: UInt64,
        isSynced: Bool
    ) throws(StoreError) {
        failedByteCount = records.count
        try put(records, from: position, isSynced ? .synced : .logged)
        // Behind it: what is acknowledged has come to where the next start looks for it.
        try identity.check()
        failedByteCount = 0
        appended = JournalGroup(records, from: position)
        sequence = try opened().sequence
    }

    /// What is put and not noted as appended is cut off by `reopen`.
    func put(
        _ records: ByteView,
        from position: UInt64,
        _ safety: RocksDatabase.Safety
    ) throws(StoreError) {
        let database = try opened()
        if hasEnd { try database.forgetEnd() }
        hasEnd = false
        let segment = FamilyName.segment(from: try segment(for: position, database))
        try withKey(position) { key throws(StoreError) in database.put(segment, key, records) }
        try database.commit(safety)
    }

    /// The segment that this position belongs to.
    ///
    /// Behind a lost end of the journal, a segment may have been begun that is now ahead of it; it
    /// is empty, or the journal has a hole.
    private func segment(
        for position: UInt64,
        _ database: RocksDatabase
    ) throws(StoreError) -> UInt64 {
        while let last = database.segments.last {
            if last <= position { return last }
            if let other = try database.lastGroup(of: last)?.position {
                throw StoreError(.gap, "journal record \(position) is missing: \(other) follows")
            }
            try database.dropFamily(FamilyName.segment(from: last))
        }
        throw StoreError(.gap, "journal record \(position) lies before the journal's beginning")
    }

    package func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var chain = JournalChain(next: position, parent: nil)
        try opened().readLog(from: position) { _, group throws(StoreError) in
            let before = chain.next
            try chain.follow(group)
            if chain.next > before { try body(group) }
        }
    }

    package func rotate(before position: UInt64) throws(StoreError) {
        let database = try opened()
        if let last = database.segments.last, last >= position { return }
        try identity.check()
        try beginLogFile(database, position)
        try database.createFamily(FamilyName.segment(from: position))
    }

    package func cut(before position: UInt64) throws(StoreError) {
        let database = try opened()
        try identity.check()
        let segments = database.segments
        var isCut = false
        for (segment, next) in zip(segments, segments.dropFirst()) where next <= position {
            try database.dropFamily(FamilyName.segment(from: segment))
            isCut = true
        }
        if !isCut { return }
        if let appended, appended.position < database.segments[0] { self.appended = nil }
        try beginLogFile(database, position)
    }

    /// Makes RocksDB begin a file of its log, and delete those that no segment needs any more.
    ///
    /// It does both whenever it writes the memory of some family to a file, and only then; so the
    /// smallest one is made to change.
    private func beginLogFile(
        _ database: RocksDatabase,
        _ position: UInt64
    ) throws(StoreError) {
        try withKey(position) { value throws(StoreError) in
            "segment".withByteView { database.put(FamilyName.facts, $0, value) }
        }
        try database.commit(.unlogged)
        try database.flush(FamilyName.facts, isWaiting: true)
    }

    // MARK: Table

    package func write(_ changes: borrowing TableChanges) throws(StoreError) {
        let database = try opened()
        func add(_ key: ByteView, _ value: ByteView?) {
            if let value {
                database.put(FamilyName.table, key, value)
            } else {
                database.delete(FamilyName.table, key)
            }
        }
        try changes.handOut(add)
        try database.commit(.unlogged)
    }

    package func seal() throws(StoreError) {
        let database = try opened()
        try database.flush(FamilyName.table, isWaiting: true)
        try identity.check()
        // Whatever has failed meanwhile, a merging of files perhaps, RocksDB has got over it.
        knownErrorCount = database.backgroundErrorCount
        isSealing = false
    }

    package func beginSeal() throws(StoreError) {
        try identity.check()
        try opened().flush(FamilyName.table, isWaiting: false)
        isSealing = true
    }

    /// A failed write of a file leaves the rest waiting for ever; then nothing is busy, so that the
    /// next call gets to know.
    package var isTableBusy: Bool {
        guard let database else { return false }
        if database.backgroundErrorCount > knownErrorCount { return false }
        let waiting = database.property("rocksdb.num-immutable-mem-table", of: FamilyName.table)
        return waiting >= (isSealing ? 1 : RocksLimits.tableBuffersWaiting)
    }

    package func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try opened().readTable(body)
    }
}

@available(*, unavailable)
extension RocksStore: Sendable {}
