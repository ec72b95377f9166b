package import StoreFormat

/// Checkpoints: see `ReloadState.beginCheckpoint`.
extension Router {
    /// Starts to remember what changes.
    ///
    /// - Parameter isSaved: whether the table has all there is: the router comes from it.
    package mutating func startTracking(isSaved: Bool) { state.startTracking(isSaved: isSaved) }

    package var checkpointPhase: CheckpointPhase { state.checkpoint.phase }

    /// Of the last checkpoint that was begun, in this process or one before.
    package var checkpointNumber: UInt32 { state.checkpoint.epoch }

    /// Begins a checkpoint of the state as it is now, between two turns, while it is not `isFanningOut`.
    package mutating func beginCheckpoint() {
        precondition(log.isEmpty, "a checkpoint begins behind a record of the journal")
        state.beginCheckpoint()
        logPauses()
    }

    /// Writes some more of the checkpoint.
    ///
    /// - Parameters:
    ///   - changes: what is put, under the checkpoint's epoch.
    ///   - limit: bytes of `changes` after which it is enough.
    /// - Returns: whether all of it has been written, but for the manifest.
    package mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        state.writeCheckpoint(&changes, limit: limit)
    }

    /// Writes the record that makes the checkpoint the newest one, once it is durable.
    ///
    /// - Parameters:
    ///   - position: of the last journal record that the state includes; 0 for none.
    ///   - checksum: of that record.
    ///   - changes: what is put.
    package mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        to changes: inout TableChanges
    ) {
        state.writeManifest(position: position, checksum: checksum, to: &changes)
    }

    /// The checkpoint is durable, with its manifest.
    package mutating func checkpointSealed() { state.checkpointSealed() }

    /// The checkpoint is lost; the next one writes what it should have.
    package mutating func abandonCheckpoint() { state.abandonCheckpoint() }

    /// Deletes some of what is not needed since the checkpoint was sealed, or abandoned.
    ///
    /// - Parameters:
    ///   - changes: the deletions.
    ///   - limit: bytes of `changes` after which it is enough, if every record that the checkpoint
    ///     has written leads to a deletion; a first checkpoint has replaced nothing.
    package mutating func deleteObsolete(_ changes: inout TableChanges, limit: Int) {
        state.deleteObsolete(&changes, limit: limit)
    }
}
