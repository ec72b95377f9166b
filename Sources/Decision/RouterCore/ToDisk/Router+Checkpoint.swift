package import StoreFormat

/// Checkpoints: see `ReloadState.beginCheckpoint`.
extension Router {
    /// Starts to track which records change. The state `isSaved` if the table already contains the
    /// whole of it, because the router was recovered from it.
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
        precondition(!isCatalogChanging, "a checkpoint begins while an app file changes")
        state.beginCheckpoint()
        logPauses()
    }

    /// Writes more records of the checkpoint, under its epoch, until `changes` has `limit` bytes or
    /// more. Returns whether all records but the manifest have been written.
    package mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        state.writeCheckpoint(&changes, limit: limit)
    }

    /// Writes the manifest, which makes the checkpoint the newest one as soon as it is durable. It
    /// names the position (0 for none) and checksum of the last journal record that the state
    /// includes.
    package mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        to changes: inout TableChanges
    ) {
        state.checkpoint.writeManifest(
            position: position,
            checksum: checksum,
            of: partition,
            to: &changes
        )
    }

    /// Records that the checkpoint and its manifest are durable; `deleteObsolete` follows.
    package mutating func checkpointSealed() { state.checkpoint.sealed() }

    /// Abandons the running checkpoint; the next one writes its records too.
    package mutating func abandonCheckpoint() { state.abandonCheckpoint() }

    /// Deletes some of the records that are obsolete because the checkpoint was sealed or
    /// abandoned. The limit on the records to examine is given as the bytes that their deletions
    /// would take; most may lead to no deletion: a first checkpoint has replaced nothing.
    package mutating func deleteObsolete(_ changes: inout TableChanges, limit: Int) {
        state.checkpoint.deleteObsolete(&changes, limit: limit)
    }
}
