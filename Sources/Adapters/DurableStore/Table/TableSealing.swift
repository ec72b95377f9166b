internal import Basics
internal import Glibc
internal import StoreFormat

/// Seals the table, on a thread of its own (`StoreTask`), while the journal continues.
struct TableSealing: @unchecked Sendable {
    // Unchecked: until it has ended, only the thread uses the database, except for its properties,
    // which any thread may read.
    let database: RocksDatabase
    let folder: StoreFolder
    let previous: StoreContents.SealedTable
    let identity: StoreIdentity

    /// Writes the table to files, and creates the next sealed table from them.
    func seal() throws(StoreError) -> StoreContents.SealedTable {
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
            if folder.canLink(StoreName.description) { throw error }
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

    /// Copies the table's files, for file systems without the hard links that RocksDB requires.
    ///
    /// The copied list of files matches the copied files if no merging runs before or after the
    /// copying, and the names of the files are still the same.
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
