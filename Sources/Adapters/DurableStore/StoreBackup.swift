package import StoreFormat

extension StoreView {
    /// Writes the view's newest checkpoint, and the journal after it, into a new store, checking
    /// all of it on the way.
    ///
    /// The copy has a different name until it is complete, so that an incomplete one is never
    /// mistaken for a backup.
    ///
    /// - Parameters:
    ///   - path: path of a folder that does not exist; `.partial` is appended to its name while it
    ///     is being written.
    ///   - isCancelled: asked about once per megabyte; after true, the incomplete copy is removed.
    /// - Returns: counts of what was copied.
    /// - Throws: what is wrong with the store, or with the backup's place; `unusable` if it was
    ///   cancelled.
    package func backup(
        to path: String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) -> StoreCopy.Result {
        let target = StoreFolder(path: path)
        if target.isThere {
            throw StoreError(.unusable, "\(path) is there already")
        }
        let source = try StoreFolder(path: self.path).resolved()
        if try target.parent.resolved().lies(within: source) {
            throw StoreError(.unusable, "\(path) lies within the store \(self.path)")
        }
        // The journal's chain of checksums alone cannot show that its end is missing.
        try checkJournal()
        let partial = StoreFolder(path: target.path + ".partial")
        do throws(StoreError) {
            if partial.isThere { try partial.remove() }
        } catch {
            throw naming(partial, error)
        }
        let result: StoreCopy.Result
        do throws(StoreError) {
            result = try copy(to: partial, isCancelled)
            try partial.giveToOwner(of: source)
        } catch {
            // The first error tells more than one about what may be left there.
            try? partial.remove()
            throw naming(partial, error)
        }
        try partial.rename(to: target.path)
        return result
    }

    /// Bytes of the files in a folder.
    package static func byteCount(ofFolder path: String) -> UInt64 {
        StoreFolder(path: path).byteCount
    }

    private func copy(
        to folder: StoreFolder,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(StoreError) -> StoreCopy.Result {
        var copy = try StoreCopy(
            from: self,
            at: manifests().first ?? .none,
            to: folder.path,
            isCancelled
        )
        try copy.copyTable()
        try copy.copyJournal()
        return try copy.finish()
    }

    /// `locked` would name the wrong folder: a backup locks its copy, and not the store.
    private func naming(_ partial: StoreFolder, _ error: StoreError) -> StoreError {
        if error.code != .locked { return error }
        return StoreError(.locked, "another backup writes \(partial.path)")
    }
}
