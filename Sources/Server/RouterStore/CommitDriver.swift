internal import DataStructures
package import DurableStore
package import RouterCore
package import RouterMetrics
package import StoreFormat

/// Brings what a router takes in to its store, a loop turn at a time, and writes its checkpoints.
///
///     turn ─► endTurn ─► the record's position: answers wait until it is committed
///                 └────► a slice of the checkpoint, if one is under way or due
///
/// Belongs to the loop; the store's thread is behind `commit`.
@safe
package final class CommitDriver {
    package let commit: GroupCommit
    /// Is closed with this; nil if the engine is somebody else's.
    private let store: RocksStore?
    /// Answers that wait for their commit.
    package var heldAnswers = HeldOutput()
    /// Bytes of frames that wait for a WELCOME among those.
    package var behindWelcomeByteCount = 0
    private let limits: CheckpointLimits
    /// Bytes of the journal since the last checkpoint that was sealed began, and since the present
    /// one did.
    private var journalByteCount: Int
    private var newJournalByteCount = 0
    /// Bytes of the whole state in the store, and of what has been written of the present checkpoint.
    private var stateByteCount: Int
    private var newStateByteCount = 0
    /// The present checkpoint: its number in `commit`, and where the journal was when it began.
    private var present: (number: UInt64, position: UInt64, checksum: UInt64) = (0, 0, 0)
    package private(set) var counters = CheckpointCounters()

    /// Goes on where the journal ends.
    ///
    /// - Parameters:
    ///   - stored: the router, and where it has come from.
    ///   - limits: of its checkpoints.
    ///   - onChange: wakes the loop, from any thread.
    package convenience init(
        from stored: StoredRouter,
        limits: CheckpointLimits = CheckpointLimits(),
        onChange: @escaping @Sendable () -> Void
    ) {
        let origin = stored.origin
        let commit = GroupCommit(
            engine: origin.store,
            durability: origin.durability,
            from: origin.position,
            parent: origin.checksum,
            onChange: onChange
        )
        stored.deleteLeftovers(commit, limit: limits.sliceByteCount)
        self.init(
            commit: commit,
            store: origin.store,
            journalByteCount: origin.journalByteCount,
            stateByteCount: origin.stateByteCount,
            limits: limits
        )
    }

    /// - Parameters:
    ///   - commit: goes on where the journal ends.
    ///   - store: what to close in the end, if it is not the caller who does.
    ///   - journalByteCount: of the journal behind the last checkpoint.
    ///   - stateByteCount: of that checkpoint.
    ///   - limits: when a checkpoint begins, and what is written of it in a turn.
    package init(
        commit: GroupCommit,
        store: RocksStore? = nil,
        journalByteCount: Int,
        stateByteCount: Int,
        limits: CheckpointLimits = CheckpointLimits()
    ) {
        self.commit = commit
        self.store = store
        self.journalByteCount = journalByteCount
        self.stateByteCount = stateByteCount
        self.limits = limits
    }

    /// Whether inputs may be taken: the disk keeps up, and so do those who are owed answers.
    package var hasRoom: Bool { commit.hasRoom && waitingByteCount < limits.heldByteCount }

    /// Whether the router may do steps.
    ///
    /// If not, no time passes for it, because what its timers lead to goes into the journal, too. When
    /// there is room again it catches up.
    package var hasRoomForSteps: Bool { commit.pendingByteCount < limits.stepByteCount }

    /// Bytes of frames that wait.
    package var waitingByteCount: Int { heldAnswers.byteCount + behindWelcomeByteCount }

    /// Whether, after that was not so, there is enough to go on.
    package var hasRoomAgain: Bool {
        commit.pendingByteCount < commit.limits.pendingByteCount / 2
            && waitingByteCount < limits.heldByteCount / 2
    }

    /// The folder of the store; nil if the engine is somebody else's.
    package var storePath: String? { store?.path }

    // MARK: - How the store does

    /// The journal is durable up to here: answers up to this position may leave.
    package var committed: UInt64 { commit.committed }
    /// The position of the last record that was submitted.
    package var submitted: UInt64 { commit.submitted.position }
    /// Bytes of the journal that wait to be committed.
    package var waitingJournalByteCount: Int { commit.pendingByteCount }
    /// How often something has failed, each new try counted.
    package var failureCount: UInt64 { commit.failureCount }
    /// How long appends to the journal took.
    package var commitLatency: LatencySummary { commit.commitLatency }
    /// Ends a window of these times; see `LatencyHistogram.turn`.
    package func turnLatencyWindow() { commit.turnLatencyWindow() }
    /// Bytes on disk, about.
    package var diskByteCount: UInt64 { commit.diskByteCount }

    /// Why nothing is committed now, and since when, in ms of the monotonic clock; nil if it is.
    package var failure: (error: StoreError, since: Int64)? {
        guard case .failing(let error, let since) = commit.status else { return nil }
        return (error, since)
    }

    /// Commits what is pending, and closes the store.
    ///
    /// - Returns: how many records of the journal it could not take.
    package func close() -> UInt64 {
        let lost = commit.close()
        // The note of where the journal ends lets more damage be found; nothing depends on it.
        if lost == 0 { try? store?.end() }
        store?.close()
        return lost
    }

    // MARK: - Journal

    /// Submits what the router has taken in.
    ///
    /// - Returns: the position up to which the journal must be committed before answers of this turn
    ///   may leave.
    package func endTurn(_ router: inout Router) -> UInt64 {
        let body = router.journalBytes
        if body.count == 0 { return commit.submitted.position }
        let position = commit.submit(body)
        let byteCount = body.count + JournalRecord.headerByteCount
        journalByteCount += byteCount
        newJournalByteCount += byteCount
        router.journalTaken()
        return position
    }

    // MARK: - Checkpoints

    /// Goes on with the checkpoint, or begins one if it is due; call it between turns.
    ///
    /// - Returns: whether there is more to do at once.
    package func continueCheckpoint(_ router: inout Router) -> Bool {
        noteLoss(&router)
        switch router.checkpointPhase {
        case .idle:
            if !isDue { return false }
            if router.isFanningOut {
                // Checkpoints do not have what waits to be handed out. The router's own steps go on.
                router.calmDown()
                return false
            }
            // What has come in since the last record, such as the end of a session whose output
            // failed, is part of the state already: it must not be replayed behind it.
            if router.journalBytes.count == 0 { begin(&router) }
            return true
        case .writing: return write(&router)
        case .sealing:
            noteSeal(&router)
            return router.checkpointPhase != .sealing
        case .deletingOld, .deletingNew: return delete(&router)
        }
    }

    /// A restart replays at most about this much: in proportion to the state that it loads.
    private var isDue: Bool {
        if failure != nil { return false }
        return journalByteCount > max(limits.journalByteCount, stateByteCount / 2)
    }

    private func begin(_ router: inout Router) {
        let (position, checksum) = commit.submitted
        router.beginCheckpoint()
        commit.rotate()
        present = (commit.beginCheckpoint(), position, checksum)
        newJournalByteCount = 0
        newStateByteCount = 0
        counters.begun += 1
        counters.newest = router.checkpointNumber
    }

    private func write(_ router: inout Router) -> Bool {
        if !commit.hasTableRoom { return false }
        var changes = TableChanges()
        let isWritten = router.writeCheckpoint(&changes, limit: limits.sliceByteCount)
        newStateByteCount += changes.byteCount
        commit.write(changes)
        if !isWritten { return true }
        var manifest = TableChanges()
        router.writeManifest(
            position: present.position,
            checksum: present.checksum,
            to: &manifest
        )
        commit.seal(manifest)
        return false
    }

    private func noteSeal(_ router: inout Router) {
        if commit.sealed < present.number { return }
        router.checkpointSealed()
        commit.cut(before: present.position + 1)
        journalByteCount = newJournalByteCount
        // The first one of a new store has everything; later ones only what has changed.
        stateByteCount = max(stateByteCount, newStateByteCount)
        counters.sealed += 1
        counters.sealedByteCount = newStateByteCount
    }

    /// A checkpoint that the store has lost is begun again later.
    private func noteLoss(_ router: inout Router) {
        if present.number > 0 && commit.lost >= present.number { router.abandonCheckpoint() }
    }

    private func delete(_ router: inout Router) -> Bool {
        if !commit.hasTableRoom { return false }
        // A new app file can end a checkpoint, of which the store knows nothing.
        if max(commit.sealed, commit.lost) < present.number { commit.abandonCheckpoint() }
        var changes = TableChanges()
        router.deleteObsolete(&changes, limit: limits.sliceByteCount)
        // Behind the first checkpoint there is nothing to delete, after however many looks.
        if !changes.isEmpty { commit.delete(changes) }
        return true
    }
}

@available(*, unavailable)
extension CommitDriver: Sendable {}

/// Limits of checkpoints and of what waits for commits.
package struct CheckpointLimits: Sendable {
    /// A checkpoint begins when the journal behind the last one is longer, and longer than half of
    /// the state.
    package var journalByteCount = 64 << 20
    /// What is written of it in one turn: about half a millisecond's work.
    package var sliceByteCount = 64 << 10
    /// Answers that may wait, and what waits behind WELCOMEs; beyond them no inputs are taken.
    package var heldByteCount = 64 << 20
    /// Journal that may wait; beyond it the router does no step.
    ///
    /// Inputs are not taken long before that (`CommitLimits.pendingByteCount`): the rest is for timers.
    package var stepByteCount = 512 << 20

    package init() {}
}

/// What has become of the checkpoints of this run.
package struct CheckpointCounters: Equatable, Sendable {
    package var begun = 0
    package var sealed = 0
    /// The number of the last one that was begun: the store's, which goes on over restarts.
    package var newest: UInt32 = 0
    /// Bytes of the records of the last one that was.
    package var sealedByteCount = 0

    package init() {}
}
