internal import Basics
package import StoreFormat

/// Repairs a damaged store by keeping the longest beginning that is provably whole: the newest
/// checkpoint whose records all have the right checksum, and the journal after it up to the first
/// break.
///
/// Files that only list the content (`STORE`, `CONTENTS`, RocksDB's lists) are made up for. Nothing
/// is changed in place: a new store is written beside the damaged one, and then takes its name. As
/// long as this object lives, no router can use the store.
package final class StoreRepair {
    /// What is kept, or would be, in numbers.
    package let kept: StoreCopy.Result
    /// Why parts of the store cannot be kept, one sentence each.
    package let losses: [StoreError]
    /// What is damaged and was made up for, one sentence each.
    package var salvaged: [StoreError] { view.salvaged }
    /// The position up to which the router had noted the journal as being on the disk; what it had
    /// acknowledged may be later.
    package var notedPosition: UInt64 { view.notedPosition }
    /// The positions of the lost records of the journal, as far as the files mention them; nil if
    /// none are lost.
    package let lostPositions: ClosedRange<UInt64>?
    /// True if the store is not damaged at all.
    package let isWhole: Bool
    /// The path of the folder, without symbolic links.
    package var path: String { folder.path }

    /// The bodies of the new journal if nothing of the store is whole; nil otherwise.
    private let salvagedBodies: [[UInt8]]?

    private let folder: StoreFolder
    private let lock: StoreLock
    private let view: StoreView

    /// Finds out what can be kept of the store in a folder; changes nothing.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - salvage: called if no state of the store is whole: makes the bodies of a new journal
    ///     from what can be read; none if that is not enough.
    /// - Throws: `locked`; `corrupt` or `gap` if nothing can be kept.
    package init(
        path: String,
        salvage: (StoreView) throws(StoreError) -> [[UInt8]] = { _ in [] }
    ) throws(StoreError) {
        folder = try StoreFolder(path: path).resolved()
        lock = try StoreLock(folder)
        do throws(StoreError) {
            let isNone = (try? folder.hasStore()) == false
            view = isNone ? try StoreView(path: folder.path) : try StoreView(salvaging: folder)
        } catch {
            throw Self.unrecoverable(error, in: folder)
        }
        var losses = view.problems
        var found: [[UInt8]]?
        do throws(StoreError) {
            kept = try view.findWhole(&losses)
        } catch {
            let isDamage = error.code == .corrupt || error.code == .gap
            let bodies = isDamage ? try salvage(view) : []
            if bodies.isEmpty { throw Self.unrecoverable(error, in: folder) }
            losses = view.tableLosses + [error]
            kept = StoreCopy.Result(
                manifest: .none,
                journalRecordCount: bodies.count,
                lastPosition: UInt64(bodies.count)
            )
            found = bodies
        }
        self.losses = losses
        salvagedBodies = found
        let last = view.lastKnownPosition
        let isCut = last > kept.lastPosition && found == nil
        lostPositions = isCut ? kept.lastPosition + 1...last : nil
        isWhole = losses.isEmpty && view.salvaged.isEmpty && StoreCheck(view).isWhole
    }

    /// Calls `body` for each lost record of the journal that can still be read.
    package func forEachLostRecord(_ body: (JournalRecord) -> Void) throws(StoreError) {
        try view.visitRecords(after: kept.lastPosition, body: body)
    }

    /// Replaces the store by a new one with what is kept of it.
    ///
    /// - Parameters:
    ///   - isDryRun: true to do all of it but the replacing, and delete what was written.
    ///   - trial: called with the path of the repaired store before that replaces the damaged one;
    ///     throws if no router can be restored from it.
    /// - Returns: the path of the damaged store.
    /// - Throws: errors of `trial`, or of the disk; the store is unchanged then.
    package func apply(
        isDryRun: Bool = false,
        trying trial: (String) throws(StoreError) -> Void
    ) throws(StoreError) -> String {
        if folder.isMountPoint {
            throw .unusable(
                "\(path) is a mount point and cannot be replaced: back up, repair the backup, "
                    + "copy it back"
            )
        }
        let repaired = StoreFolder(path: path + ".repaired")
        if repaired.exists { try repaired.remove() }
        do throws(StoreError) {
            try copy(to: repaired)
            try trial(repaired.path)
            try repaired.transferOwnership(of: folder)
        } catch {
            // The first error is thrown, and not one of the removal.
            try? repaired.remove()
            throw error
        }
        if isDryRun {
            try repaired.remove()
            return path
        }
        return try exchange(with: repaired)
    }

    /// The error for a store of which nothing can be kept.
    private static func unrecoverable(_ error: StoreError, in folder: StoreFolder) -> StoreError {
        if error.code != .corrupt && error.code != .gap { return error }
        return StoreError(
            error.code,
            message:
                "\(error.message); nothing can be recovered from \(folder.path): restore a backup, "
                + "or move \(folder.path) away and begin an empty store: devices register again, "
                + "producers begin at lastSeq 0"
        )
    }

    private func copy(to repaired: StoreFolder) throws(StoreError) {
        if let salvagedBodies { return try write(salvagedBodies, to: repaired) }
        var copy = try StoreCopy(from: view, at: kept.manifest, to: repaired.path)
        try copy.copyTable()
        do throws(StoreError) {
            try copy.copyJournal()
        } catch {
            // A break of the journal is expected here: `kept` ends before it.
            if error.code != .corrupt && error.code != .gap { throw error }
        }
        if try copy.finish() != kept {
            throw StoreError(
                .io,
                message: "\(path) was changed while it was read; nothing was changed"
            )
        }
    }

    /// Makes a store whose journal has these bodies.
    private func write(_ bodies: [[UInt8]], to repaired: StoreFolder) throws(StoreError) {
        var description = view.description
        description.version = StoreDescription.currentVersion
        let store = try RocksStore(path: repaired.path, description: description, after: 0)
        var (position, parent) = (0 as UInt64, 0 as UInt64)
        for body in bodies {
            var writer = StoreWriter(capacity: body.count + JournalRecord.headerByteCount)
            let start = JournalRecord.begin(&writer)
            body.withByteView { writer.put(raw: $0) }
            position += 1
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
            try store.append(writer.bytes, from: position, isSynced: false)
        }
        try store.end()
    }

    private func exchange(with repaired: StoreFolder) throws(StoreError) -> String {
        var number = 1
        while StoreFolder(path: "\(path).damaged-\(number)").exists { number += 1 }
        let damagedPath = "\(path).damaged-\(number)"
        // The damaged store gets its final name in the same step in which the repaired one takes
        // its place. So whenever this is interrupted, neither of them has the name of an unfinished
        // repair, which the next one would delete.
        try repaired.rename(to: damagedPath)
        try StoreFolder(path: damagedPath).exchange(with: path)
        return damagedPath
    }
}

extension StoreView {
    /// Finds the newest whole checkpoint, and follows the journal after it.
    ///
    /// - Parameter losses: receives what is not whole.
    /// - Returns: what can be kept.
    /// - Throws: `corrupt` if nothing can be kept.
    fileprivate func findWhole(
        _ losses: inout [StoreError]
    ) throws(StoreError) -> StoreCopy.Result {
        var kept = try newestWhole(&losses)
        var chain = JournalChain(after: kept.manifest)
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

    /// The newest whole checkpoint; without one, the empty state, if the journal still has its
    /// first record to start from.
    private func newestWhole(_ losses: inout [StoreError]) throws(StoreError) -> StoreCopy.Result {
        for epoch in manifestEpochs() {
            do throws(StoreError) {
                return try checkCheckpoint(epoch)
            } catch {
                if [.older, .newer].contains(error.code) { throw error }
                losses.append(error)
            }
        }
        var chain = JournalChain(after: .none)
        do throws(StoreError) {
            try replay(from: 1) { group throws(StoreError) in try chain.follow(group) }
        } catch {
            if [.older, .newer].contains(error.code) { throw error }
            if chain.next == 1 {
                throw .corrupt(
                    "no checkpoint is complete, and the journal does not begin with its first record "
                        + "(\(losses.first?.message ?? error.message))"
                )
            }
        }
        if chain.next == 1 && !losses.isEmpty {
            throw .corrupt(
                "no checkpoint is complete, and there is no journal (\(losses[0].message))"
            )
        }
        return StoreCopy.Result(manifest: .none)
    }

    /// The numbers of the checkpoints that have a manifest, whole or not, newest first.
    ///
    /// Empty if the table cannot be read, which `problems` reports.
    private func manifestEpochs() -> [UInt32] {
        var epochs: [UInt32] = []
        try? readManifests { key, _ throws(StoreError) in epochs.append(key.epoch) }
        return epochs
    }

    /// Checks and counts all records of a checkpoint.
    private func checkCheckpoint(_ epoch: UInt32) throws(StoreError) -> StoreCopy.Result {
        var result = StoreCopy.Result(manifest: .none)
        try readCheckpoint(epoch) { key, value throws(StoreError) in
            _ = try TableRecord.body(value, key: key)
            if StoreManifest.isKey(key) { result.manifest = try StoreManifest(key, value: value) }
            result.tableRecordCount += 1
        }
        return result
    }
}
