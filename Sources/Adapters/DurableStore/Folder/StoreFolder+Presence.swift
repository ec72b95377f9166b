internal import StoreFormat

/// Whether a folder contains a store, and nothing else.
extension StoreFolder {
    /// Finds out whether the folder contains a store; the remains of an interrupted creation are
    /// none.
    ///
    /// The creation of a store writes `CONTENTS` last, and opens a table only after that. So if
    /// there is a table, or any record, but no `CONTENTS`, that file has been lost.
    ///
    /// - Throws: `corrupt` if `CONTENTS` has been lost.
    func hasStore() throws(StoreError) -> Bool {
        let names = try names()
        if names.contains(StoreName.contents) { return true }
        var found = names.filter { $0 == StoreName.table || StoreName.sealedNumber($0) != nil }
        if names.contains(StoreName.journal) {
            let journal = subfolder(StoreName.journal)
            let segments = try journal.names()
            let hasRecords = segments.contains {
                journal.byteCount($0) ?? 0 > UInt64(SegmentHeader.byteCount)
            }
            if segments.count > 1 || hasRecords { found.insert(StoreName.journal, at: 0) }
        }
        if found.isEmpty { return false }
        throw .corrupt(
            "\(path) holds parts of a store (\(found.joined(separator: ", "))), but not "
                + "\(StoreName.contents), which names the files in use; nothing was changed; "
                + "restore a backup"
        )
    }

    /// Throws if the folder contains anything that no store has created, or a file where a store
    /// has a folder, or the reverse. Throws `unusable` with the first name; `older` if it may be a
    /// store of format 1, which was one database of RocksDB.
    func refuseForeignFiles() throws(StoreError) {
        let names = try names()
        if names.contains("CURRENT") {
            throw StoreError(
                .older,
                message: "\(path) is a database of RocksDB, as stores of format 1 were; this "
                    + "version reads format \(StoreDescription.oldestVersion) and later ones"
            )
        }
        for name in names where !StoreName.belongs(name) {
            throw .unusable("\(path) is not a store: it contains \(name)")
        }
        for name in names {
            let isFolder = StoreName.isFolder(name)
            if subfolder(name).isFolder == isFolder { continue }
            // Gone since the names were read: a router beside this tool deletes old files.
            if !subfolder(name).exists { continue }
            throw .unusable(
                "\(path)/\(name) is \(isFolder ? "no folder" : "a folder"), although a store "
                    + "has \(isFolder ? "a folder" : "a file") of that name: move it away"
            )
        }
    }
}
