internal import StoreFormat

/// What a folder contains.
enum StoreKind {
    /// No store, or the remains of an interrupted creation.
    case none
    /// A store of format 1.
    case former
    /// A store of the present format.
    case present
}

extension StoreFolder {
    /// Finds out what the folder contains.
    ///
    /// The creation of a store writes `CONTENTS` last, and opens a table only after that. So if
    /// there is a table, or any record, but no `CONTENTS`, that file has been lost.
    ///
    /// - Throws: `corrupt` if `CONTENTS` has been lost.
    func kind() throws(StoreError) -> StoreKind {
        let names = try names()
        // The last step of a migration moves CURRENT away; see `StoreMigration`.
        let isUnfinished = names.contains(FormerName.current) && names.contains(StoreName.migration)
        if names.contains(StoreName.contents) && !isUnfinished { return .present }
        do throws(StoreError) {
            if try hasFormerStore(names) { return .former }
        } catch {
            throw formerRefusal(error)
        }
        var found = names.filter { $0 == StoreName.table || StoreName.sealedNumber($0) != nil }
        if names.contains(StoreName.journal) {
            let journal = subfolder(StoreName.journal)
            let segments = try journal.names()
            let hasRecords = segments.contains {
                journal.byteCount($0) ?? 0 > UInt64(SegmentHeader.byteCount)
            }
            if segments.count > 1 || hasRecords { found.insert(StoreName.journal, at: 0) }
        }
        if found.isEmpty { return .none }
        throw StoreError(
            .corrupt,
            message: "\(path) holds parts of a store (\(found.joined(separator: ", "))), but not "
                + "\(StoreName.contents), which names the files in use; nothing was changed; "
                + "restore a backup"
        )
    }

    /// Throws if the folder contains anything that no store has created, or a file where a store
    /// has a folder, or the reverse.
    ///
    /// - Parameter mayBeFormer: whether files of a store of format 1 are allowed; during a
    ///   migration they always are.
    /// - Throws: `unusable` with the first name.
    func refuseForeignFiles(mayBeFormer: Bool = false) throws(StoreError) {
        let names = try names()
        let mayBeFormer = mayBeFormer || names.contains(StoreName.migration)
        for name in names where !StoreName.belongs(name) {
            if mayBeFormer && FormerName.belongs(name) { continue }
            throw StoreError(.unusable, message: "\(path) is not a store: it contains \(name)")
        }
        for name in names where StoreName.belongs(name) {
            let isFolder = StoreName.isFolder(name)
            if subfolder(name).isFolder == isFolder { continue }
            // Gone since the names were read: a router beside this tool deletes old files.
            if !subfolder(name).exists { continue }
            throw StoreError(
                .unusable,
                message:
                    "\(path)/\(name) is \(isFolder ? "no folder" : "a folder"), although a store "
                    + "has \(isFolder ? "a folder" : "a file") of that name: move it away"
            )
        }
    }
}
