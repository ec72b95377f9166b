internal import DataStructures
internal import Glibc
internal import StoreFormat

/// Seals the table on a thread of its own, while appends go on.
final class TableSealing: @unchecked Sendable {
    // Unchecked: the thread uses the database alone until it has ended, but for properties, which any
    // thread may ask for; `outcome` is read when it has been waited for.
    private let database: RocksDatabase
    private let folder: StoreFolder
    private let previous: StoreContents.SealedTable
    private let identity: StoreIdentity
    private var outcome: Result<StoreContents.SealedTable, StoreError>?
    private var task: BackgroundTask?

    init(
        _ database: RocksDatabase,
        _ folder: StoreFolder,
        after previous: StoreContents.SealedTable,
        _ identity: StoreIdentity
    ) {
        self.database = database
        self.folder = folder
        self.previous = previous
        self.identity = identity
        task = BackgroundTask { [self] in
            outcome = Result { () throws(StoreError) in try seal() }
        }
    }

    var isRunning: Bool { task?.isRunning ?? false }

    /// Waits for the end; to be called once.
    func finish() throws(StoreError) -> StoreContents.SealedTable {
        task.take()?.wait()
        return try outcome!.get()
    }

    private func seal() throws(StoreError) -> StoreContents.SealedTable {
        try database.flush()
        try identity.check()
        let number = previous.number + 1
        let name = StoreName.sealed(number)
        let unfinished = name + StoreName.unfinished
        try folder.remove(name)
        try folder.remove(unfinished)
        do throws(StoreError) {
            try database.writeCheckpoint(to: "\(folder.path)/\(name)")
        } catch {
            if folder.canLink(StoreName.facts) { throw error }
            try database.keepingFiles { () throws(StoreError) in
                try copyFiles(to: folder.subfolder(unfinished))
            }
            try folder.subfolder(unfinished).rename(to: "\(folder.path)/\(name)")
        }
        return StoreContents.SealedTable(
            number: number,
            position: try database.newestManifest()?.position ?? 0,
            files: try folder.files(ofSealed: number, after: previous)
        )
    }

    /// Copies the files of the table, where the file system has no links, which RocksDB insists on.
    ///
    /// The list of files is that of one moment if nothing is merged before and after it is copied, and
    /// the files are the same.
    private func copyFiles(to target: StoreFolder) throws(StoreError) {
        let working = folder.subfolder(StoreName.table)
        var names: Set<String>
        repeat {
            while database.isMerging { usleep(10_000) }
            try target.removeAll()
            try target.make(mode: 0o755)
            names = database.fileNames
            try working.copy("CURRENT", into: target)
            let list = try target.withBytes("CURRENT") { $0.string }
            try working.copy(list.split(separator: "\n").joined(), into: target)
            for name in names { try working.copy(name, into: target) }
        } while database.isMerging || names != database.fileNames
    }
}
