package import DataStructures
package import StoreFormat

/// What a store holds at one moment, for tools: it takes no lock and writes nothing, so a router may
/// use the store meanwhile.
///
/// It sees what the router has sealed, and all that has been appended to the log; what is whole of a
/// store that is damaged, and all of a store of format 1.
@safe
package final class StoreView: StoreSource {
    /// How often it is tried again to open a view when files vanish under it.
    private static let tryLimit = 100

    package let path: String
    package let facts: StoreFacts
    private let journal: any JournalSource
    /// Nil if there is none yet, or it cannot be read.
    private let table: RocksDatabase?
    private let tableProblem: StoreError?
    /// Bytes of the files of the table.
    let tableByteCount: UInt64

    /// Opens a view of the store in a folder.
    ///
    /// - Throws: what keeps the store from being read at all: `missing`, `unusable`, `newer`,
    ///   `corrupt` or `io`. What else is wrong is in `problems`.
    package init(path: String) throws(StoreError) {
        self.path = path
        let folder = StoreFolder(path: path)
        switch try folder.kind() {
        case .none: throw StoreError(.missing, "there is no store in \(path)")
        case .former:
            let former = try FormerStore(folder)
            facts = former.facts
            journal = former
            table = former.database
            tableProblem = nil
            tableByteCount = 0
        case .present:
            let (files, database, problem) = try StoreView.open(folder)
            facts = files.facts
            journal = files.journal
            table = database
            tableProblem = problem
            tableByteCount = files.contents.table.files.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// Tries it as long as it fails and the router meanwhile makes and deletes files.
    private static func open(
        _ folder: StoreFolder
    ) throws(StoreError) -> (StoreFiles, RocksDatabase?, StoreError?) {
        for _ in 0..<tryLimit {
            let before = try? StoreFiles.contents(folder)
            do throws(StoreError) {
                let found = try openOnce(folder)
                let isWhole = found.1 == nil && found.0.problems.isEmpty
                if isWhole || (try? StoreFiles.contents(folder)) == before {
                    return (found.0, found.2, found.1 ?? found.0.tableProblem)
                }
            } catch {
                if (try? StoreFiles.contents(folder)) == before { throw error }
            }
        }
        throw StoreError(.io, "the files of \(folder.path) change too fast to be read")
    }

    /// - Returns: the files, why RocksDB cannot read the table if it cannot, and the table.
    private static func openOnce(
        _ folder: StoreFolder
    ) throws(StoreError) -> (StoreFiles, StoreError?, RocksDatabase?) {
        let files = try StoreFiles(folder, StoreFacts.currentVersion)
        let number = files.contents.table.number
        if number == 0 || files.tableProblem != nil { return (files, nil, nil) }
        let sealed = folder.subfolder(StoreName.sealed(number))
        do throws(StoreError) {
            return (files, nil, try RocksDatabase(path: sealed.path, .readOnly))
        } catch {
            return (files, error, nil)
        }
    }

    /// What is wrong with the files of the store; what is whole can be read all the same.
    package var problems: [StoreError] { (tableProblem.map { [$0] } ?? []) + journal.problems }

    /// What is not whole at the end of the journal, or looks like it because it is being written.
    package var tornEnd: TornEnd? { journal.tornEnd }

    /// Refuses a store whose journal is not whole.
    func checkJournal() throws(StoreError) {
        if let problem = journal.problems.first { throw problem }
    }

    // MARK: Reading

    /// Hands out all records of the table, in the order of their keys, with their headers.
    package func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let tableProblem { throw tableProblem }
        try table?.readTable(body)
    }

    /// Hands out what was appended together, from where `position` lies within or behind it.
    ///
    /// Nothing is checked.
    package func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try journal.replay(from: position, body)
    }

    /// The last position of the journal that anything tells of, whole or not.
    var lastKnownPosition: UInt64 { journal.lastKnownPosition }

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
        if let tableProblem { throw tableProblem }
        try table?.readManifests(body)
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

    /// About how many records the table has.
    var tableRecordEstimate: UInt64 { table?.property("rocksdb.estimate-num-keys") ?? 0 }

    /// First positions of the journal's segments.
    var segments: [UInt64] { journal.segments }

    /// Bytes of the files of the journal.
    var journalByteCount: UInt64 { journal.byteCount }
}

@available(*, unavailable)
extension StoreView: Sendable {}
