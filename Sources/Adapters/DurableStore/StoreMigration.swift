internal import StoreFormat

/// Converts a store of format 1 to the present format, in the same folder.
///
///     CURRENT, MANIFEST-…, *.sst, *.log     the old files, which are only read
///     migrating/                            a whole store of the present format
///     STORE, journal/ …, CONTENTS           moved up
///     migrating/CURRENT                     moved last, in one step: now the new store counts
///
/// Until then the folder contains the old store, which a router of format 1 can still use; what was
/// written beside it is deleted and written again by the next attempt. The first change to the new
/// store deletes the old files.
enum StoreMigration {
    /// The number of free bytes that the conversion needs in addition to a copy of the old store.
    private static let spareByteCount = 2 * StoreFolder.openingByteCount

    /// Converts the store. The caller must hold the lock of the folder.
    ///
    /// - Returns: the incomplete group at the end of the old journal; nil if there is none.
    /// - Throws: what is wrong with the old store, or `full`; the old store is unchanged then.
    static func run(_ folder: StoreFolder) throws(StoreError) -> TornEnd? {
        for name in try folder.names() where !StoreName.belongs(name) {
            if FormerName.belongs(name) { continue }
            throw StoreError(
                .unusable,
                message:
                    "\(folder.path) is a store of format 1, which is migrated in its folder, but it "
                    + "contains \(name), which does not belong to it: move that away; nothing was "
                    + "changed"
            )
        }
        let view = try StoreView(path: folder.path)
        if let problem = view.problems.first { throw folder.formerRefusal(problem) }
        try removeUnfinished(folder)
        try requireRoom(folder)
        let target = folder.subfolder(StoreName.migration)
        do throws(StoreError) {
            let manifest = try view.manifests().first ?? .none
            var copy = try StoreCopy(from: view, at: manifest, to: target.path)
            try copy.copyTable()
            try copy.copyJournal()
            _ = try copy.finish()
            try folder.requireSpace(StoreFolder.openingByteCount)
        } catch {
            // The first error is thrown, and not one of the removal.
            try? target.remove()
            throw folder.formerRefusal(error)
        }
        for name in try target.names() where ![StoreName.contents, StoreName.table].contains(name) {
            try target.move(name, to: "\(folder.path)/\(name)")
        }
        try folder.sync()
        try target.move(StoreName.contents, to: "\(folder.path)/\(StoreName.contents)")
        try folder.sync()
        try folder.move(FormerName.current, to: "\(target.path)/\(FormerName.current)")
        try folder.sync()
        return view.tornEnd
    }

    /// Deletes the remains of an interrupted conversion; `CONTENTS` first, so that the rest cannot
    /// be mistaken for a store.
    private static func removeUnfinished(_ folder: StoreFolder) throws(StoreError) {
        try folder.remove(StoreName.contents)
        try folder.sync()
        for name in try folder.names() where StoreName.belongs(name) && name != "lost+found" {
            try folder.remove(name)
        }
    }

    /// Throws `full` if the disk has not enough space for the conversion.
    private static func requireRoom(_ folder: StoreFolder) throws(StoreError) {
        let needed = folder.byteCount + UInt64(spareByteCount)
        guard let free = folder.freeByteCount, free < needed else { return }
        throw StoreError(
            .full,
            message:
                "\(folder.path) is a store of format 1, which is migrated when it is opened: that "
                + "needs \(needed) bytes on its disk, but \(free) are free; nothing was changed"
        )
    }
}
