package import Basics
package import StoreFormat

/// The content of a store at one moment, for tools. It takes no lock and writes nothing, so a
/// router may use the store meanwhile.
///
/// It contains the sealed table, and all of the journal that was appended by then. Of a damaged
/// store it contains what is whole.
package final class StoreView: StoreSource {
    /// The most attempts to open a view when files vanish meanwhile.
    private static let tryLimit = 100

    /// The path of the store's folder.
    package let path: String
    /// The store's identity.
    package let description: StoreDescription
    private let journal: JournalFiles
    /// The sealed table; nil if there is none yet, or if it cannot be read.
    private let table: RocksDatabase?
    /// The records of a damaged table that can be read; nil if it is whole, or was not examined.
    private let remains: RocksDatabase?
    /// Its files that are whole, if the remains have damaged ones, too.
    private let wholeFiles: RocksDatabase?
    /// The damaged and missing files of the table, of which not everything is among the remains.
    let tableLosses: [StoreError]
    /// Why the table cannot be read; nil if it can, or if there is none.
    private let tableProblem: StoreError?
    /// The size of the sealed table's files, in bytes.
    let tableByteCount: UInt64
    /// The position up to which the journal was noted as being on the disk.
    let notedPosition: UInt64
    /// What is missing or damaged and was made up for, so that nothing of it is lost: one sentence
    /// each.
    let salvaged: [StoreError]

    /// Opens a view of the store in a folder.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - boot: the machine's present boot; nil if it is not known.
    /// - Throws: why the store cannot be read at all: `missing`, `unusable`, `older`, `newer`,
    ///   `corrupt` or `io`. Everything else that is wrong is in `problems`.
    package init(
        path: String,
        boot: StoreDescription.Identifier? = .ofThisBoot
    ) throws(StoreError) {
        self.path = path
        (salvaged, tableLosses, remains, wholeFiles) = ([], [], nil, nil)
        let folder = StoreFolder(path: path)
        if try !folder.hasStore() {
            try folder.refuseForeignFiles()
            throw StoreError(.missing, message: "there is no store in \(path)")
        }
        let (files, database, problem) = try StoreView.open(folder, boot: boot)
        description = files.description
        journal = files.journal
        table = database
        tableProblem = problem
        tableByteCount = files.contents.table.files.reduce(0) { $0 + $1.byteCount }
        notedPosition = files.contents.end.position
    }

    /// Opens a view of a damaged store, which no router uses: what only lists the content, `STORE`,
    /// `CONTENTS` and RocksDB's lists of files, is made up for. Throws why nothing of it can be
    /// read.
    init(
        salvaging folder: StoreFolder,
        boot: StoreDescription.Identifier? = .ofThisBoot
    ) throws(StoreError) {
        path = folder.path
        var salvaged: [StoreError] = []
        let files = try StoreFiles(salvaging: folder, boot: boot, losses: &salvaged)
        description = files.description
        journal = files.journal
        tableByteCount = files.contents.table.files.reduce(0) { $0 + $1.byteCount }
        notedPosition = files.contents.end.position
        let found = files.contents.table
        var database: RocksDatabase?
        var problem: StoreError?
        var (rest, whole) = (nil as RocksDatabase?, nil as RocksDatabase?)
        var losses: [StoreError] = []
        if found.number > 0 {
            do throws(StoreError) {
                if let problem = files.tableProblem { throw problem }
                let sealed = folder.subfolder(StoreName.sealed(found.number))
                database = try RocksDatabase(path: sealed.path, access: .readOnly)
            } catch {
                problem = error
                if error.code == .corrupt {
                    rest = try? folder.openUnlisted(found, losses: &losses)
                }
                if let unlisted = rest, losses.isEmpty {
                    salvaged.append(error)
                    (database, problem, rest) = (unlisted, nil, nil)
                } else if error.code == .corrupt, let damaged = try? folder.openDamaged(found) {
                    (rest, whole) = (damaged, rest)
                    losses = losses.map {
                        let sentence = "\($0.message); what is not in damaged blocks of it is kept"
                        return StoreError($0.code, message: sentence)
                    }
                }
            }
        }
        table = database
        tableProblem = problem
        (remains, wholeFiles, tableLosses) = (rest, whole, losses)
        self.salvaged = salvaged
    }

    /// Opens the files. Tries again as long as that fails because a router has replaced files
    /// meanwhile.
    private static func open(
        _ folder: StoreFolder,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) -> (StoreFiles, RocksDatabase?, StoreError?) {
        for _ in 0..<tryLimit {
            let before = try? StoreFiles.contents(folder)
            // A router notes the journal's end each second, which takes no file away.
            func isUnchanged() -> Bool {
                guard let after = try? StoreFiles.contents(folder) else { return before == nil }
                return before?.namesFiles(of: after) ?? false
            }
            do throws(StoreError) {
                let found = try openOnce(folder, boot: boot)
                let isWhole = found.1 == nil && found.0.problems.isEmpty
                if isWhole || isUnchanged() {
                    return (found.0, found.2, found.1 ?? found.0.tableProblem)
                }
            } catch {
                if isUnchanged() { throw error }
            }
        }
        throw StoreError(.io, message: "the files of \(folder.path) change too fast to be read")
    }

    /// Tries once to open the files. Returns the files; RocksDB's error if it cannot read the
    /// table; the table.
    private static func openOnce(
        _ folder: StoreFolder,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) -> (StoreFiles, StoreError?, RocksDatabase?) {
        let files = try StoreFiles(folder, version: StoreDescription.currentVersion, boot: boot)
        let number = files.contents.table.number
        if number == 0 || files.tableProblem != nil { return (files, nil, nil) }
        let sealed = folder.subfolder(StoreName.sealed(number))
        do throws(StoreError) {
            return (files, nil, try RocksDatabase(path: sealed.path, access: .readOnly))
        } catch {
            return (files, error, nil)
        }
    }

    /// What is wrong with the store's files; everything that is whole can still be read.
    package var problems: [StoreError] { (tableProblem.map { [$0] } ?? []) + journal.problems }

    /// An incomplete group at the end of the journal, possibly because it is being written; nil if
    /// there is none.
    package var tornEnd: TornEnd? { journal.tornEnd }

    /// Throws if the journal is not whole.
    func checkJournal() throws(StoreError) {
        if let problem = journal.problems.first { throw problem }
    }

    // MARK: Reading

    /// Calls `body` for all records of the table, with their headers, in the order of their keys.
    package func scan(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
        if let tableProblem { throw tableProblem }
        try table?.readTable(body)
    }

    /// Calls `body` for each group of records that were appended together, beginning with the one
    /// that contains `position` or follows it.
    ///
    /// The records are not checked.
    package func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try journal.replay(from: position, body: body)
    }

    /// Calls `body` for the newest record of each number of the table that can be read, also if
    /// others are lost; `damage` receives what is wrong with a record that cannot be read. Throws
    /// errors of `body`; what RocksDB reports.
    package func visitTable(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void,
        damage: (StoreError) -> Void
    ) throws(StoreError) {
        var scan = TableScan(of: .max)
        try (table ?? remains)?.readRemains(besides: wholeFiles) { key, value throws(StoreError) in
            let bytes: ByteView
            do throws(StoreError) {
                bytes = try TableRecord.body(value, key: key)
            } catch {
                return damage(error)
            }
            if scan.isCurrent(key) { try body(key, bytes) }
        } damage: {
            damage($0)
        }
    }

    /// Calls `body` for each record of the journal after a position that can be read, also after
    /// damage.
    package func visitRecords(
        after position: UInt64,
        body: (JournalRecord) -> Void
    ) throws(StoreError) {
        try journal.visitGroups(after: position) { group in
            var reader = StoreReader(group)
            while !reader.isAtEnd, let record = try? JournalRecord.read(&reader) {
                if record.position > position { body(record) }
            }
        }
    }

    /// The highest position of the journal that the files mention, whether its record is whole or
    /// not.
    package var lastKnownPosition: UInt64 { journal.lastKnownPosition }

    /// The manifests, newest first.
    ///
    /// Normally there is one; there may be two while a checkpoint ends.
    func manifests() throws(StoreError) -> [StoreManifest] {
        var manifests: [StoreManifest] = []
        try readManifests { key, value throws(StoreError) in
            manifests.append(try StoreManifest(key, value: value))
        }
        return manifests
    }

    /// Calls `body` for the records of the manifests, newest first.
    func readManifests(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
        if let tableProblem { throw tableProblem }
        try table?.readManifests(body)
    }

    /// Calls `body` for the records of one checkpoint: for each number, the newest record that is
    /// not newer than the checkpoint.
    func readCheckpoint(
        _ epoch: UInt32,
        body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        if epoch == 0 { return }
        var checkpoint = TableScan(of: epoch)
        try scan { key, bytes throws(StoreError) in
            if checkpoint.isCurrent(key) { try body(key, bytes) }
        }
    }

    /// The approximate number of records in the table.
    var tableRecordEstimate: UInt64 { table?.property("rocksdb.estimate-num-keys") ?? 0 }

    /// The first positions of the journal's segments.
    package var segments: [UInt64] { journal.segments }

    /// The size of the journal's files, in bytes.
    var journalByteCount: UInt64 { journal.byteCount }
}
