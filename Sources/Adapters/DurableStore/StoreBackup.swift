package import StoreFormat

extension StoreView {
    /// Writes what the view shows into a new store, checking it on the way: the newest checkpoint
    /// and the journal behind it.
    ///
    /// The copy has the other name until it is whole, so that nothing unfinished is taken for it.
    ///
    /// - Parameters:
    ///   - path: of a folder that is not there; `.partial` is appended meanwhile.
    ///   - isCancelled: is asked about every megabyte; once it says so, nothing is left behind.
    /// - Returns: what was copied.
    /// - Throws: what is wrong with the store, or with the place of the backup; `unusable` if it was
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
        // What is lost of the journal's end, the chain cannot show.
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
            // What is wrong with the store or the disk is worth more than what may be left there.
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

    /// What is locked is not the store, which a backup does not lock.
    private func naming(_ partial: StoreFolder, _ error: StoreError) -> StoreError {
        if error.code != .locked { return error }
        return StoreError(.locked, "another backup writes \(partial.path)")
    }
}
