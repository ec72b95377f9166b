internal import ByteStorage
internal import Glibc
internal import StoreFormat
internal import Synchronization
internal import Threading

/// The table as a seal left it, in `sealed-N`.
extension StoreFolder {
    private static let blockByteCount = 1 << 20

    /// Compares the files of a sealed table with what `CONTENTS` says, so that RocksDB, whose
    /// assertions end the process, is given no bytes but those that it wrote.
    ///
    /// - Throws: `corrupt` with the file.
    func check(_ table: StoreContents.SealedTable) throws(StoreError) {
        if table.number == 0 { return }
        let sealed = subfolder(StoreName.sealed(table.number))
        if !sealed.isThere { throw StoreError(.corrupt, "\(sealed.path) is missing") }
        let known = Set(table.files.map(\.name))
        for name in try sealed.names() where !known.contains(name) {
            throw StoreError(.corrupt, "\(sealed.path)/\(name) is no file of the table")
        }
        for file in table.files {
            let place = "\(sealed.path)/\(file.name)"
            guard let size = sealed.byteCount(file.name) else {
                throw StoreError(.corrupt, "\(place) is missing")
            }
            if size != file.byteCount {
                throw StoreError(.corrupt, "\(place) has \(size) bytes and not \(file.byteCount)")
            }
            if try sealed.checksum(of: file.name) != file.checksum {
                throw StoreError(.corrupt, "\(place) does not have its checksum")
            }
        }
    }

    /// Each block is seeded with the checksum of what stands before it.
    private func checksum(of name: String) throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        try readBlocks(name, of: Self.blockByteCount) { block throws(StoreError) in
            sum = StoreFormat.checksum(block, seed: sum)
            return true
        }
        return sum
    }

    /// Makes the files of a sealed table durable that was just made.
    ///
    /// - Parameters:
    ///   - number: of the table.
    ///   - previous: the one before. Of a file that both have, the checksum is known.
    /// - Returns: the files.
    /// - Throws: what is wrong with the disk.
    fileprivate func files(
        ofSealed number: UInt64,
        after previous: StoreContents.SealedTable
    ) throws(StoreError) -> [StoreContents.File] {
        let sealed = subfolder(StoreName.sealed(number))
        let before = subfolder(StoreName.sealed(previous.number))
        var files: [StoreContents.File] = []
        for name in try sealed.names() {
            let identity = FileIdentity(path: "\(sealed.path)/\(name)")
            if let known = previous.files.first(where: { $0.name == name }),
                identity != nil, identity == FileIdentity(path: "\(before.path)/\(name)")
            {
                files.append(known)
                continue
            }
            try sealed.sync(name)
            files.append(
                StoreContents.File(
                    name: name,
                    byteCount: sealed.byteCount(name) ?? 0,
                    checksum: try sealed.checksum(of: name)
                )
            )
        }
        try sealed.sync()
        try sync()
        return files
    }

    /// Makes RocksDB's own folder anew and opens it.
    ///
    /// Only the table's files are linked: RocksDB never changes one. It does change the others.
    func openTable(_ table: StoreContents.SealedTable) throws(StoreError) -> RocksDatabase {
        let working = subfolder(StoreName.table)
        try working.removeAll()
        try working.make(mode: 0o755)
        let sealed = subfolder(StoreName.sealed(table.number))
        for file in table.files {
            if file.name.hasSuffix(".sst") {
                try sealed.link(file.name, into: working)
            } else {
                try sealed.copy(file.name, into: working)
            }
        }
        return try RocksDatabase(path: working.path, .readWrite)
    }
}

/// Seals the table on a thread of its own, while appends go on.
final class TableSealing: @unchecked Sendable {
    // Unchecked: the thread uses the database alone until it has ended, but for properties, which any
    // thread may ask for; `outcome` is read when it has been waited for.
    private let database: RocksDatabase
    private let folder: StoreFolder
    private let previous: StoreContents.SealedTable
    private let identity: StoreIdentity
    private let isDone = Atomic<Bool>(false)
    private var outcome: Result<StoreContents.SealedTable, StoreError>?
    private var thread: JoinableThread?

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
        thread = JoinableThread { [self] in
            outcome = Result { () throws(StoreError) in try seal() }
            isDone.store(true, ordering: .releasing)
        }
    }

    var isRunning: Bool { !isDone.load(ordering: .acquiring) }

    /// Waits for the end; to be called once.
    func finish() throws(StoreError) -> StoreContents.SealedTable {
        thread.take()?.join()
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
