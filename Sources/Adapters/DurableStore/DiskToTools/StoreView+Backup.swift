package import StoreFormat

extension StoreView {
    /// Writes the view's newest checkpoint, and the journal after it, into a new store, checking
    /// all of it on the way.
    ///
    /// The copy has a different name until it is complete, so that an incomplete one cannot be
    /// mistaken for a backup.
    ///
    /// - Parameters:
    ///   - path: path of a folder that does not exist; `.partial` is appended to its name while it
    ///     is being written.
    ///   - isCancelled: called about once per megabyte; if it returns true, the incomplete copy is
    ///     removed.
    /// - Returns: counts of what was copied.
    /// - Throws: what is wrong with the store, or with the backup's place; `unusable` if it was
    ///   cancelled.
    package func backup(
        to path: String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) -> StoreCopy.Result {
        let target = StoreFolder(path: path)
        if target.exists { throw .unusable("\(path) exists already") }
        let source = try StoreFolder(path: self.path).resolved()
        if try target.parent.resolved().lies(within: source) {
            throw .unusable("\(path) is inside the store \(self.path)")
        }
        // The journal's chain of checksums alone cannot show that its end is missing.
        try checkJournal()
        let partial = StoreFolder(path: target.path + ".partial")
        do throws(StoreError) {
            if partial.exists { try partial.remove() }
        } catch {
            throw naming(partial, in: error)
        }
        let result: StoreCopy.Result
        do throws(StoreError) {
            result = try copy(to: partial, isCancelled: isCancelled)
            try partial.transferOwnership(of: source)
        } catch {
            // The first error is thrown, and not one of the removal.
            try? partial.remove()
            throw naming(partial, in: error)
        }
        try partial.rename(to: target.path)
        return result
    }

    /// The size of all files in a folder and its subfolders, in bytes.
    package static func byteCount(ofFolder path: String) -> UInt64 {
        StoreFolder(path: path).byteCount
    }

    private func copy(
        to folder: StoreFolder,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(StoreError) -> StoreCopy.Result {
        var copy = try StoreCopy(
            from: self,
            at: manifests().first ?? .none,
            to: folder.path,
            isCancelled: isCancelled
        )
        try copy.copyTable()
        try copy.copyJournal()
        return try copy.finish()
    }

    /// The error to throw for an error of the copy: `locked` would seem to be about the store, but
    /// a backup locks only its copy.
    private func naming(_ partial: StoreFolder, in error: StoreError) -> StoreError {
        if error.code != .locked { return error }
        return StoreError(.locked, message: "another backup is writing \(partial.path)")
    }
}
