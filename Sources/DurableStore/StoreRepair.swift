internal import ByteStorage
package import StoreFormat

/// Keeps of a damaged store the longest beginning that is provably whole: the newest checkpoint all
/// records of which have their checksum, and the journal behind it up to the first break.
///
/// Nothing is changed in place: a new store is written beside the damaged one, and then takes its
/// name.
package struct StoreRepair: Sendable {
    /// What was kept.
    package let kept: StoreCopy.Result
    /// What was found and could not be kept, a sentence each.
    package let losses: [StoreError]
    /// Where the damaged store is now.
    package let damagedPath: String

    /// Repairs the store in a folder, which no router may use.
    ///
    /// - Throws: `locked`; `corrupt` if no beginning is whole: then nothing was changed.
    package init(path: String) throws(StoreError) {
        let folder = StoreFolder(path: path)
        let lock = try StoreLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let view = try StoreView(path: path)
        var losses = Self.brokenLogFiles(folder)

        let manifest = try Self.newestWhole(view, &losses)
        let repaired = StoreFolder(path: folder.path + ".repaired")
        if repaired.isThere { try repaired.remove() }
        var copy = try StoreCopy(from: view, at: manifest, to: repaired.path)
        try copy.copyTable()
        do throws(StoreError) {
            try copy.copyJournal()
        } catch {
            if error.code != .corrupt && error.code != .gap { throw error }
            losses.append(error)
        }
        kept = try copy.finish()
        self.losses = losses
        damagedPath = try Self.swap(folder, repaired)
    }

    /// What a repair would keep and lose, and nothing is changed.
    ///
    /// - Throws: as the repair would.
    package static func plan(
        path: String
    ) throws(StoreError) -> (kept: StoreCopy.Result, losses: [StoreError]) {
        let folder = StoreFolder(path: path)
        let lock = try StoreLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let view = try StoreView(path: path)
        var losses = brokenLogFiles(folder)
        let manifest = try newestWhole(view, &losses)
        var kept = StoreCopy.Result(manifest: manifest, lastPosition: manifest.position)
        try view.readCheckpoint(manifest.epoch) { _, _ in kept.tableRecordCount += 1 }
        var chain = JournalChain(behind: manifest)
        do throws(StoreError) {
            try view.replay(from: chain.next) { group throws(StoreError) in try chain.follow(group)
            }
        } catch {
            if error.code != .corrupt && error.code != .gap { throw error }
            losses.append(error)
        }
        kept.lastPosition = chain.next - 1
        kept.journalRecordCount = Int(kept.lastPosition - manifest.position)
        return (kept, losses)
    }

    private static func brokenLogFiles(_ folder: StoreFolder) -> [StoreError] {
        do throws(StoreError) {
            _ = try WriteAheadLog.check(folder)
            return []
        } catch {
            return [error]
        }
    }

    /// The newest checkpoint that is whole, or the journal's beginning if it is still there.
    private static func newestWhole(
        _ view: StoreView,
        _ losses: inout [StoreError]
    ) throws(StoreError) -> StoreManifest {
        for epoch in try view.manifestEpochs().reversed() {
            do throws(StoreError) {
                return try view.checkCheckpoint(epoch)
            } catch {
                losses.append(error)
            }
        }
        var chain = JournalChain(behind: .none)
        do throws(StoreError) {
            try view.replay(from: 1) { group throws(StoreError) in try chain.follow(group) }
        } catch {
            if chain.next == 1 {
                throw StoreError(
                    .corrupt,
                    "no checkpoint is whole, and the journal does not begin with its first record (\(error.message))"
                )
            }
        }
        if chain.next == 1 && !losses.isEmpty {
            throw StoreError(.corrupt, "no checkpoint is whole, and there is no journal")
        }
        return .none
    }

    /// - Returns: the path of the damaged store.
    private static func swap(
        _ folder: StoreFolder,
        _ repaired: StoreFolder
    ) throws(StoreError) -> String {
        var number = 1
        while StoreFolder(path: "\(folder.path).damaged-\(number)").isThere { number += 1 }
        let damagedPath = "\(folder.path).damaged-\(number)"
        // In one step, so that at every moment there is a store of this name.
        try repaired.exchange(with: folder.path)
        try repaired.rename(to: damagedPath)
        return damagedPath
    }
}

extension StoreView {
    /// The checkpoints that have a manifest, whole or not, oldest first.
    fileprivate func manifestEpochs() throws(StoreError) -> [UInt32] {
        var epochs: [UInt32] = []
        try readManifests { key, _ throws(StoreError) in epochs.append(key.epoch) }
        return epochs.reversed()
    }

    /// Checks every record of a checkpoint and returns its manifest.
    fileprivate func checkCheckpoint(_ epoch: UInt32) throws(StoreError) -> StoreManifest {
        var manifest: StoreManifest?
        try readCheckpoint(epoch) { key, value throws(StoreError) in
            _ = try TableRecord.body(value, key: key)
            if StoreManifest.isKey(key) { manifest = try StoreManifest(key, value) }
        }
        guard let manifest else { preconditionFailure("checkpoint \(epoch) has lost its manifest") }
        return manifest
    }
}
