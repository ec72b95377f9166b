package import Basics
package import DurableStore
package import RouterCore
package import StoreFormat

/// Appends a router's inputs to the journal once per tick of the loop, and writes the router's
/// checkpoints in slices between ticks.
///
///     tick ─► endTick ─► position of the record: answers wait until it is committed
///                 └────► a slice of the checkpoint, if one is under way or due
///
/// Belongs to the loop's thread; the store's own thread works inside `commit`.
package final class CommitDriver {
    /// Appends to the journal and writes the table, on a thread of its own.
    package let commit: GroupCommit
    /// The store that `close` closes; nil if the caller owns the engine and closes it.
    private let store: RocksStore?
    /// Answers awaiting commit: frames that may leave once their record is durable.
    package var uncommittedAnswers = UncommittedOutput()
    /// Bytes of frames queued to leave right after a WELCOME that awaits its commit.
    package var afterWelcomeByteCount = 0
    private let limits: CheckpointLimits
    /// Bytes of journal written since the last sealed checkpoint began.
    private var journalByteCount: Int
    /// Bytes of journal written since the present checkpoint began.
    private var newJournalByteCount = 0
    /// Bytes of the whole state in the store (estimated after the first checkpoint).
    private var stateByteCount: Int
    /// Bytes written so far for the present checkpoint.
    private var newStateByteCount = 0
    /// The present checkpoint: its number in `commit`, and the position and checksum of the
    /// journal's last record when it began.
    private var currentCheckpoint: (number: UInt64, position: UInt64, checksum: UInt64) = (0, 0, 0)
    /// Counts of the checkpoints since this process began.
    package private(set) var counters = CheckpointCounters()

    /// Continues the journal of a restored router, and starts deleting obsolete records of its
    /// store. `onChange` wakes the loop; it is called on any thread.
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
            limits: limits.commits,
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

    /// Uses an engine that is already open; `commit` appends after the end of the journal, and
    /// `close` closes the store unless it is nil. The bytes are those of the journal after the last
    /// checkpoint, and of the state in that; the limits those of checkpoints and of waiting
    /// answers.
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

    /// True while new inputs may be accepted: the disk keeps up, and the frames awaiting commit
    /// stay within `uncommittedByteLimit`.
    package var hasRoom: Bool {
        commit.hasRoom && waitingByteCount < limits.uncommittedByteLimit && !isJournalFull
    }

    /// True if checkpoints fail and the journal has grown to its limit meanwhile.
    private var isJournalFull: Bool {
        if journalByteCount < limits.outageFactor * dueByteCount { return false }
        return tableFailure != nil
    }

    /// True while the router may perform steps.
    ///
    /// The router's timers write to the journal too, so while this is false no time passes for the
    /// router; it catches up once the journal has drained.
    package var hasRoomForSteps: Bool { commit.pendingByteCount < limits.stepByteCount }

    /// Bytes of all waiting frames: answers awaiting commit, and frames queued after a WELCOME that
    /// awaits its commit.
    package var waitingByteCount: Int { uncommittedAnswers.memoryByteCount + afterWelcomeByteCount }

    /// True when the waiting journal and the waiting frames are both below half of their limits, so
    /// that input may resume (hysteresis to `hasRoom`).
    package var hasRoomAgain: Bool {
        commit.pendingByteCount < commit.limits.pendingByteCount / 2
            && waitingByteCount < limits.uncommittedByteLimit / 2 && !isJournalFull
    }

    /// The folder of the store; nil if the caller owns the engine.
    package var storePath: String? { store?.path }

    // MARK: - State of the store

    /// The position up to which the journal is durable: answers up to it may leave.
    package var committed: UInt64 { commit.committed }
    /// The position of the last submitted record.
    package var submitted: UInt64 { commit.submitted.position }
    /// Bytes of journal waiting to be committed.
    package var waitingJournalByteCount: Int { commit.pendingByteCount }
    /// Failed attempts to write to the store so far; every retry that fails counts again.
    package var failureCount: UInt64 { commit.failureCount }
    /// Duration of successful appends to the journal.
    package var commitLatency: LatencyFigures { commit.commitLatency }
    /// Rotates the window of `commitLatency`; see `LatencyHistogram.rotate`.
    package func rotateLatencyWindow() { commit.rotateLatencyWindow() }
    /// Approximate bytes on disk.
    package var diskByteCount: UInt64 { commit.diskByteCount }

    /// Why nothing is acknowledged, and since when; nil while commits succeed.
    ///
    /// If only checkpoints fail, that is so from the journal's limit on.
    package var failure: (error: StoreError, since: MonotonicTime)? {
        guard case .failing(let error, let since) = commit.status else {
            return isJournalFull ? tableFailure : nil
        }
        return (error, since)
    }

    /// Why checkpoints fail, and since when; nil while they succeed.
    package var tableFailure: (error: StoreError, since: MonotonicTime)? {
        guard case .failing(let error, let since) = commit.tableStatus else { return nil }
        return (error, since)
    }

    /// Commits what is pending and closes the store. Returns how many records of the journal could
    /// not be written and are lost.
    package func close() -> UInt64 {
        let lost = commit.close()
        // What `end` writes down, the place where the journal ends, only helps to detect damage.
        if lost == 0 { try? store?.end() }
        store?.close()
        return lost
    }

    // MARK: - Journal

    /// Submits the inputs that the router accepted in this tick. Returns the position to which the
    /// journal must be committed before answers of this tick may leave.
    package func endTick(_ router: inout Router) -> UInt64 {
        let body = router.journalBytes
        if body.count == 0 { return commit.submitted.position }
        let position = commit.submit(body)
        let byteCount = body.count + JournalRecord.headerByteCount
        journalByteCount += byteCount
        newJournalByteCount += byteCount
        assert(newJournalByteCount <= journalByteCount, "this checkpoint began before the last one")
        router.journalTaken()
        return position
    }

    // MARK: - Checkpoints

    /// Continues the checkpoint, or begins one if it is due; call it between ticks. Returns true if
    /// there is more work that can be done at once.
    package func continueCheckpoint(_ router: inout Router) -> Bool {
        abandonIfLost(&router)
        switch router.checkpointPhase {
        case .idle:
            // A checkpoint has an app file that is in force as a whole, for all widgets.
            if !isDue || router.isCatalogChanging || router.isAdoptingRules { return false }
            if router.isFanningOut {
                // A checkpoint cannot store pushes with undelivered matches, so new frames are
                // refused until every fan-out is delivered. The router's own steps continue.
                router.finishFanOuts()
                return false
            }
            // Inputs since the last record, such as the end of a session whose output failed, are
            // already part of the state: replaying them after the checkpoint would apply them
            // twice. So a checkpoint begins only when all of them are in the journal.
            if router.journalBytes.count == 0 { begin(&router) }
            return true
        case .writing: return write(&router)
        case .sealing:
            finishIfSealed(&router)
            return router.checkpointPhase != .sealing
        case .deletingOld, .deletingNew: return delete(&router)
        }
    }

    /// True when replaying the journal would be long compared with loading the state: this bounds
    /// the replay of a restart.
    private var isDue: Bool {
        if !commit.isTableOpen || commit.status != .working { return false }
        return journalByteCount > dueByteCount
    }

    private var dueByteCount: Int { max(limits.journalByteCount, stateByteCount / 2) }

    private func begin(_ router: inout Router) {
        assert(router.journalBytes.count == 0, "inputs would be applied again after the checkpoint")
        let (position, checksum) = commit.submitted
        router.beginCheckpoint()
        commit.rotate()
        currentCheckpoint = (commit.beginCheckpoint(), position, checksum)
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
            position: currentCheckpoint.position,
            checksum: currentCheckpoint.checksum,
            to: &manifest
        )
        commit.seal(manifest)
        return false
    }

    private func finishIfSealed(_ router: inout Router) {
        if commit.sealed < currentCheckpoint.number { return }
        assert(commit.sealed == currentCheckpoint.number, "a later checkpoint has been sealed")
        router.checkpointSealed()
        commit.cut(before: currentCheckpoint.position + 1)
        journalByteCount = newJournalByteCount
        // A new store's first checkpoint contains everything; later ones only what has changed.
        stateByteCount = max(stateByteCount, newStateByteCount)
        counters.sealed += 1
        counters.sealedByteCount = newStateByteCount
    }

    /// Abandons a checkpoint that a failure of the store has lost; a new one begins later.
    private func abandonIfLost(_ router: inout Router) {
        if currentCheckpoint.number > 0 && commit.lost >= currentCheckpoint.number {
            router.abandonCheckpoint()
        }
    }

    private func delete(_ router: inout Router) -> Bool {
        if !commit.hasTableRoom { return false }
        // The router abandons a checkpoint by itself when it applies a new app file; the store must
        // learn of that.
        if max(commit.sealed, commit.lost) < currentCheckpoint.number { commit.abandonCheckpoint() }
        var changes = TableChanges()
        router.deleteObsolete(&changes, limit: limits.sliceByteCount)
        // After a store's first checkpoint there is nothing old to delete, although it takes
        // several calls to find that out; each of them submits nothing.
        if !changes.isEmpty { commit.delete(changes) }
        return true
    }
}

/// Limits of checkpoints and of frames that wait for commits.
package struct CheckpointLimits: Sendable {
    /// Bytes of journal after the last checkpoint that make the next one due, if they also exceed
    /// half of the state.
    package var journalByteCount = 64 << 20
    /// How many times longer than when a checkpoint is due the journal may become while checkpoints
    /// fail; beyond this no inputs are accepted.
    package var outageFactor = 16
    /// Bytes of a checkpoint written per tick: about half a millisecond of work.
    package var sliceByteCount = 64 << 10
    /// Bytes of answers awaiting commit, and of frames queued after WELCOMEs that await theirs;
    /// beyond this no inputs are accepted.
    package var uncommittedByteLimit = 64 << 20
    /// Bytes of journal waiting for the disk beyond which the router performs no steps.
    ///
    /// Inputs stop much earlier (`CommitLimits.pendingByteCount`): the rest is reserved for timers.
    package var stepByteCount = 512 << 20
    /// The limits of what waits for the disk.
    package var commits = CommitLimits()

    /// Makes the default limits.
    package init() {}

    /// Fits the queues into memory, in bytes: the journal that waits, at half of which inputs stop;
    /// the answers that await commit; and the table's changes that wait.
    package mutating func fit(journal: Int, answers: Int, table: Int) {
        stepByteCount = journal
        uncommittedByteLimit = answers
        commits.pendingByteCount = journal / 2
        commits.tableByteCount = table
        // Some chunks are kept for reuse.
        commits.chunkByteCount = min(commits.chunkByteCount, journal / 32)
    }
}

/// Counts of the checkpoints of this process.
package struct CheckpointCounters: Equatable, Sendable {
    /// Checkpoints that began.
    package var begun = 0
    /// Checkpoints that became durable.
    package var sealed = 0
    /// The store's number of the newest checkpoint that began; it keeps counting across restarts.
    package var newest: UInt32 = 0
    /// Bytes of the records written for the last sealed checkpoint.
    package var sealedByteCount = 0

    /// Makes counts of zero.
    package init() {}
}
