package import StoreFormat

extension StoreView {
    /// Writes what the view shows into a new store, checking it on the way: the newest checkpoint
    /// and the journal behind it.
    ///
    /// The copy has the other name until it is whole, so that nothing unfinished is taken for it.
    ///
    /// - Parameter path: of a folder that is not there; `.partial` is appended meanwhile.
    /// - Returns: what was copied.
    /// - Throws: what is wrong with the store, or with the place of the backup.
    package func backup(to path: String) throws(StoreError) -> StoreCopy.Result {
        let target = StoreFolder(path: path)
        if target.isThere {
            throw StoreError(.unusable, "\(path) is there already")
        }
        // A damaged log is no more read to its end; the chain cannot show what is missing there.
        try WriteAheadLog.checkGrowing(StoreFolder(path: self.path))
        let partial = StoreFolder(path: target.path + ".partial")
        if partial.isThere { try partial.remove() }
        let result: StoreCopy.Result
        do throws(StoreError) {
            result = try copy(to: partial)
        } catch {
            // What is wrong with the store or the disk is worth more than what may be left there.
            try? partial.remove()
            throw error
        }
        try partial.rename(to: target.path)
        return result
    }

    private func copy(to folder: StoreFolder) throws(StoreError) -> StoreCopy.Result {
        var copy = try StoreCopy(from: self, at: manifests().first ?? .none, to: folder.path)
        try copy.copyTable()
        try copy.copyJournal()
        return try copy.finish()
    }
}
