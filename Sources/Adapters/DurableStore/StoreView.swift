package import DataStructures
package import StoreFormat

/// What a store holds at one moment, for tools: it takes no lock and writes nothing, so a router may
/// use the store meanwhile.
///
/// It sees what the router has sealed, and all that has been appended to the log.
@safe
package final class StoreView: StoreSource {
    /// How often it is tried again to open a view when files vanish under it.
    private static let tryLimit = 100

    package let path: String
    package let facts: StoreFacts
    private let database: RocksDatabase

    /// Opens a view of the store in a folder.
    ///
    /// - Throws: `missing`, `unusable`, `newer`, `corrupt`, `gap` or `io`.
    package convenience init(path: String) throws(StoreError) {
        try self.init(path: path, needsLog: true)
    }

    /// - Parameters:
    ///   - path: of the folder.
    ///   - needsLog: whether to refuse a store that has lost its whole log.
    /// - Throws: as the other.
    init(path: String, needsLog: Bool) throws(StoreError) {
        self.path = path
        let folder = StoreFolder(path: path)
        _ = try folder.names()
        if try !folder.hasDatabase() {
            throw StoreError(.missing, "there is no store in \(path)")
        }
        if needsLog { try folder.refuseMissingLog() }
        // RocksDB does not say which file is broken, and where; and some it reads for ever.
        let tornEnd = try WriteAheadLog.checkGrowing(folder)
        if let tornEnd, !tornEnd.isReadable {
            throw StoreError(
                .corrupt,
                "\(path)/\(tornEnd.name) is not whole from byte \(tornEnd.offset) on, and cannot be "
                    + "read like that; the start of a router cuts it off there, and so does a repair"
            )
        }
        database = try StoreView.open(folder)
        guard let facts = try database.readFacts(upTo: StoreVersions.known.current) else {
            throw StoreView.noStore(folder)
        }
        self.facts = facts
    }

    private static func noStore(_ folder: StoreFolder) -> StoreError {
        StoreError(.unusable, "\(folder.path) is a database, but no router's store")
    }

    /// Tries it as long as it fails and the router meanwhile makes and deletes files.
    private static func open(_ folder: StoreFolder) throws(StoreError) -> RocksDatabase {
        var names = try folder.names()
        for _ in 0..<tryLimit {
            var families: [String]?
            do throws(StoreError) {
                let listed = try RocksStore.families(folder)
                families = listed
                if let database = try openOnce(folder, listed) { return database }
            } catch {
                // RocksDB reads its list before it looks for the files: nothing has vanished. A family
                // that was dropped is off the list before any file of it goes.
                if try folder.names() == names, (try? RocksStore.families(folder)) == families {
                    throw error
                }
            }
            names = try folder.names()
        }
        throw StoreError(.io, "the files of \(folder.path) change too fast to be read")
    }

    /// Opens it, or returns nil if that has not led to the state of one moment.
    ///
    /// RocksDB reads its list of files first and its log afterwards. If it misses a log file because
    /// the router has deleted it in between, it does not notice; so it is looked here whether all
    /// that were there before are still there. They are deleted oldest first.
    private static func openOnce(
        _ folder: StoreFolder,
        _ families: [String]
    ) throws(StoreError) -> RocksDatabase? {
        let logNames = try folder.logNames()
        if !families.contains(FamilyName.table) { throw noStore(folder) }
        let database = try RocksDatabase(path: folder.path, .readOnly, families: families)
        let left = Set(try folder.logNames())
        return logNames.allSatisfy(left.contains) ? database : nil
    }

    // MARK: Reading

    /// Hands out all records of the table, in the order of their keys, with their headers.
    package func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.readTable(body)
    }

    /// Hands out what was appended together, from where `position` lies within or behind it.
    ///
    /// Nothing is checked.
    package func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.readLog(from: position) { _, group throws(StoreError) in try body(group) }
    }

    /// Refuses what RocksDB may pass over without a word: a log that is broken, or ends before the
    /// record with which the last router has ended.
    ///
    /// - Returns: the torn end, or what looks like one because it is being written.
    /// - Throws: `corrupt` or `gap`.
    @discardableResult
    func checkLog() throws(StoreError) -> TornEnd? {
        let tornEnd = try WriteAheadLog.checkGrowing(StoreFolder(path: path))
        try database.checkEnd()
        return tornEnd
    }

    /// Refuses a journal that ends before the record with which the last router has ended.
    func checkEnd() throws(StoreError) { try database.checkEnd() }

    /// The last position of the journal that anything tells of, whole or not.
    var lastKnownPosition: UInt64 { database.lastKnownPosition }

    /// The manifests, newest first.
    ///
    /// Normally there is one; while a checkpoint ends there may be two.
    func manifests() throws(StoreError) -> [StoreManifest] {
        var manifests: [StoreManifest] = []
        try readManifests { key, value throws(StoreError) in
            manifests.append(try StoreManifest(key, value))
        }
        return manifests
    }

    /// Hands out the records of the manifests, newest first.
    func readManifests(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.readTable(type: StoreManifest.type) { key, value throws(StoreError) in
            if StoreManifest.isKey(key) { try body(key, value) }
        }
    }

    /// Hands out the records of which a checkpoint consists: of each number the newest one that is
    /// not newer than it.
    func readCheckpoint(
        _ epoch: UInt32,
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        if epoch == 0 { return }
        var checkpoint = TableScan(of: epoch)
        try scan { key, bytes throws(StoreError) in
            if checkpoint.isCurrent(key) { try body(key, bytes) }
        }
    }

    /// The size of the sorted files of the table, and of the journal.
    var fileByteCounts: (table: UInt64, journal: UInt64) {
        let property = "rocksdb.total-sst-files-size"
        let segments = database.segments.map(FamilyName.segment)
        return (
            database.property(property, of: FamilyName.table),
            segments.reduce(0) { $0 + database.property(property, of: $1) }
        )
    }

    /// About how many records the table has.
    var tableRecordEstimate: UInt64 {
        database.property("rocksdb.estimate-num-keys", of: FamilyName.table)
    }

    var segments: [UInt64] { database.segments }
}

@available(*, unavailable)
extension StoreView: Sendable {}
