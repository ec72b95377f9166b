package import StoreFormat

/// Checkpoints: see `ReloadState.beginCheckpoint`.
extension Router {
    /// Starts to track which records change.
    ///
    /// - Parameter isSaved: whether the table already contains the whole state, because the router
    ///   was recovered from it.
    package mutating func startTracking(isSaved: Bool) { state.startTracking(isSaved: isSaved) }

    /// The phase of the checkpoint that was begun last.
    package var checkpointPhase: CheckpointPhase { state.checkpoint.phase }

    /// The number of the last checkpoint that was begun; 0 for none. Of those of earlier processes,
    /// only the ones count that have left a record in the table.
    package var checkpointNumber: UInt32 { state.checkpoint.epoch }

    /// Begins a checkpoint of the present state; to be called between two ticks while not
    /// `isFanningOut`, with an empty log.
    package mutating func beginCheckpoint() {
        precondition(log.isEmpty, "a checkpoint begins before the log is emptied")
        precondition(!isAdoptingRules, "a checkpoint begins while rules are being adopted")
        state.beginCheckpoint()
        logPauses()
    }

    /// Writes more records of the checkpoint.
    ///
    /// - Parameters:
    ///   - changes: receives the records, under the checkpoint's epoch.
    ///   - limit: the size of `changes`, in bytes, from which on no further record is added.
    /// - Returns: whether all records but the manifest have been written.
    package mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        state.writeCheckpoint(&changes, limit: limit)
    }

    /// Writes the manifest, which makes the checkpoint the newest one as soon as it is durable.
    ///
    /// - Parameters:
    ///   - position: the last journal record that the state includes; 0 for none.
    ///   - checksum: the checksum of that record.
    ///   - changes: receives the manifest.
    package mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        to changes: inout TableChanges
    ) {
        state.checkpoint.writeManifest(position: position, checksum: checksum, to: &changes)
    }

    /// Records that the checkpoint and its manifest are durable; `deleteObsolete` follows.
    package mutating func checkpointSealed() { state.checkpoint.sealed() }

    /// Abandons the running checkpoint; the next one writes its records too.
    package mutating func abandonCheckpoint() { state.abandonCheckpoint() }

    /// Deletes some of the records that are obsolete because the checkpoint was sealed or
    /// abandoned.
    ///
    /// - Parameters:
    ///   - changes: receives the deletions.
    ///   - limit: how many records to examine, given as the bytes that their deletions would take.
    ///     Most may lead to no deletion: a first checkpoint has replaced nothing.
    package mutating func deleteObsolete(_ changes: inout TableChanges, limit: Int) {
        state.checkpoint.deleteObsolete(&changes, limit: limit)
    }
}
