internal import DataStructures
package import StoreFormat

/// Keeps of a damaged store the longest beginning that is provably whole: the newest checkpoint all
/// records of which have their checksum, and the journal behind it up to the first break.
///
/// Nothing is changed in place: a new store is written beside the damaged one, and then takes its
/// name. As long as this value lives, no router can use the store.
package final class StoreRepair {
    /// What is kept, or would be.
    package let kept: StoreCopy.Result
    /// What was found and cannot be kept, a sentence each.
    package let losses: [StoreError]
    /// The positions of the journal's records that are lost, as far as anything tells of them.
    package let lostPositions: ClosedRange<UInt64>?
    /// Whether nothing at all is wrong with the store.
    package let isWhole: Bool
    /// The folder, without links on the way to it.
    package var path: String { folder.path }

    private let folder: StoreFolder
    private let lock: StoreLock
    private let view: StoreView

    /// Finds out what can be kept of the store in a folder; changes nothing.
    ///
    /// - Throws: `locked`; `corrupt` or `gap` if no beginning is whole.
    package init(path: String) throws(StoreError) {
        folder = try StoreFolder(path: path).resolved()
        lock = try StoreLock(folder)
        let isFormer = folder.holdsFormerFiles && (try? folder.kind()) != .present
        do throws(StoreError) {
            view = try StoreView(path: folder.path)
        } catch {
            throw isFormer ? error : Self.hopeless(error, folder)
        }
        do throws(StoreError) {
            var losses = view.problems
            kept = try view.findWhole(&losses)
            self.losses = losses
        } catch {
            throw isFormer ? folder.formerRefusal(error) : Self.hopeless(error, folder)
        }
        let last = view.lastKnownPosition
        lostPositions = last > kept.lastPosition ? kept.lastPosition + 1...last : nil
        isWhole = losses.isEmpty && StoreCheck(view).isWhole
    }

    /// Replaces the store with what is kept of it.
    ///
    /// - Parameter trial: is called with the path of the repaired store before it takes the place
    ///   of the damaged one, and throws if no router can be made of it.
    /// - Returns: the path of the damaged store.
    /// - Throws: what `trial` throws, or what is wrong with the disk: then nothing was changed.
    package func apply(
        _ trial: (String) throws(StoreError) -> Void
    ) throws(StoreError) -> String {
        if folder.isMountPoint {
            throw StoreError(
                .unusable,
                "\(path) is a mount point and cannot be replaced: back up, repair the backup, "
                    + "copy it back"
            )
        }
        let repaired = StoreFolder(path: path + ".repaired")
        if repaired.isThere { try repaired.remove() }
        do throws(StoreError) {
            try copy(to: repaired)
            try trial(repaired.path)
            try repaired.giveToOwner(of: folder)
        } catch {
            // What went wrong is worth more than what may be left there.
            try? repaired.remove()
            throw error
        }
        return try exchange(with: repaired)
    }

    private static func hopeless(_ error: StoreError, _ folder: StoreFolder) -> StoreError {
        if error.code != .corrupt && error.code != .gap { return error }
        return StoreError(
            error.code,
            "\(error.message); nothing can be kept of \(folder.path): put a backup in its place, "
                + "or move \(folder.path) away and start anew: devices register again, "
                + "producers begin at lastSeq 0"
        )
    }

    private func copy(to repaired: StoreFolder) throws(StoreError) {
        var copy = try StoreCopy(from: view, at: kept.manifest, to: repaired.path)
        try copy.copyTable()
        do throws(StoreError) {
            try copy.copyJournal()
        } catch {
            // It is known where the journal breaks.
            if error.code != .corrupt && error.code != .gap { throw error }
        }
        if try copy.finish() != kept {
            throw StoreError(.io, "\(path) was not read twice alike; nothing was changed")
        }
    }

    private func exchange(with repaired: StoreFolder) throws(StoreError) -> String {
        var number = 1
        while StoreFolder(path: "\(path).damaged-\(number)").isThere { number += 1 }
        let damagedPath = "\(path).damaged-\(number)"
        // The damaged store gets its last name in the same step in which the other one takes its
        // place: whenever this ends, none of them lies where the next repair would delete it.
        try repaired.rename(to: damagedPath)
        try StoreFolder(path: damagedPath).exchange(with: path)
        return damagedPath
    }
}

@available(*, unavailable)
extension StoreRepair: Sendable {}

extension StoreView {
    /// Finds the newest checkpoint that is whole, and follows the journal behind it.
    ///
    /// - Parameter losses: is told what is not whole.
    /// - Returns: what can be kept.
    /// - Throws: `corrupt` if that is nothing.
    fileprivate func findWhole(
        _ losses: inout [StoreError]
    ) throws(StoreError) -> StoreCopy.Result {
        var kept = try newestWhole(&losses)
        var chain = JournalChain(behind: kept.manifest)
        do throws(StoreError) {
            try replay(from: chain.next) { group throws(StoreError) in try chain.follow(group) }
        } catch {
            if error.code != .corrupt && error.code != .gap { throw error }
            losses.append(error)
        }
        kept.lastPosition = chain.next - 1
        kept.journalRecordCount = Int(kept.lastPosition - kept.manifest.position)
        return kept
    }

    /// The newest checkpoint that is whole, or the journal's beginning if it is still there.
    private func newestWhole(
        _ losses: inout [StoreError]
    ) throws(StoreError) -> StoreCopy.Result {
        for epoch in manifestEpochs() {
            do throws(StoreError) {
                return try checkCheckpoint(epoch)
            } catch {
                losses.append(error)
            }
        }
        var chain = JournalChain(behind: .none)
        do throws(StoreError) {
            try replay(from: 1) { group throws(StoreError) in try chain.follow(group) }
        } catch {
            if chain.next == 1 {
                throw StoreError(
                    .corrupt,
                    "no checkpoint is whole, and the journal does not begin with its first record "
                        + "(\(losses.first?.message ?? error.message))"
                )
            }
        }
        if chain.next == 1 && !losses.isEmpty {
            throw StoreError(
                .corrupt,
                "no checkpoint is whole, and there is no journal (\(losses[0].message))"
            )
        }
        return StoreCopy.Result(manifest: .none)
    }

    /// The checkpoints that have a manifest, whole or not, newest first.
    ///
    /// Of a table that cannot be read, none; that is a problem of the files.
    private func manifestEpochs() -> [UInt32] {
        var epochs: [UInt32] = []
        try? readManifests { key, _ throws(StoreError) in epochs.append(key.epoch) }
        return epochs
    }

    /// Checks every record of a checkpoint, and counts them.
    private func checkCheckpoint(_ epoch: UInt32) throws(StoreError) -> StoreCopy.Result {
        var result = StoreCopy.Result(manifest: .none)
        try readCheckpoint(epoch) { key, value throws(StoreError) in
            _ = try TableRecord.body(value, key: key)
            if StoreManifest.isKey(key) { result.manifest = try StoreManifest(key, value) }
            result.tableRecordCount += 1
        }
        return result
    }
}
