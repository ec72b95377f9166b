package import Basics
internal import Platform
package import StoreFormat
internal import Synchronization

/// Commits records on a thread beside the loop: those submitted while the disk works are gathered,
/// and appended together next.
///
///     loop      submit submit submit │ submit submit      │ …
///     thread    append the first     │ append the next 2  │ append the next 2 … table work
///
/// No record is dropped when the disk fails: the thread opens the engine again and retries until
/// that succeeds, or until `close` gives up. Changes to the table that were not sealed are lost
/// then, and their checkpoint counts as lost.
///
/// The package methods must be called on one thread, the loop's; the counters may be read on any.
package final class GroupCommit: @unchecked Sendable {
    // Unchecked: the vars of the first group are used under the monitor (`checkpoint` changes only
    // on the loop's thread, which may read it without). Those of the second are used by the
    // committing thread; before it starts and after it has ended, by the owner.
    let monitor = Monitor()
    var journal: JournalQueue
    /// The number of the newest checkpoint.
    private var checkpoint: UInt64 = 0
    var queue = TableQueue()
    /// True while the thread waits for work, and must be woken.
    var isSleeping = false
    /// When to give up; nil until `close` is called.
    var closingDeadline: MonotonicTime?
    private var currentStatus = CommitStatus.working
    private var currentTableStatus = CommitStatus.working
    /// How long successful appends took, including the sync.
    var commitTimes = LatencyHistogram()

    let engine: any StoreEngine
    /// The chunk that is being appended, or whose append has failed.
    var writing: JournalChunk?
    /// The position of the last record that was appended.
    var appended: UInt64
    /// True if the last step appended to the journal, so that the next one may be for the table.
    var isTableNext = false
    /// The work for the table that is being performed.
    var current: TableWork?
    /// The checkpoint that has written to the table and is not sealed; nil if there is none.
    var unsealedCheckpoint: UInt64?
    /// The checkpoint whose `beginSeal` was called; nil if there is none.
    var sealingCheckpoint: UInt64?
    /// Deletions that are not sealed.
    var unsealedDeletions: [TableWork] = []
    /// True after a failure: the engine must be opened again before the next step.
    var needsReopening = false
    /// When to open the table again, which has failed although the journal has not; nil while it
    /// is open.
    var tableRetryTime: MonotonicTime?
    /// True if a checkpoint was lost and none was sealed since.
    var lacksCheckpoint = false
    /// What `isTableOpen` returns.
    private let hasTable = Atomic(true)
    /// When to note how far the journal reaches; nil if that was noted after the last append.
    var noteTime: MonotonicTime?
    /// True if the thread has tried again since `close` was called.
    var hasTriedClosing = false
    private var thread: JoinableThread?
    /// False if calls of `runStep` perform the steps, and not a thread.
    let hasThread: Bool

    let durability: Durability
    /// The limits on how much waits, and for how long.
    package let limits: CommitLimits
    /// Called on the committing thread to wake the loop; see `init`.
    let onChange: @Sendable () -> Void
    /// What `committed` returns.
    private let committedPosition: Atomic<UInt64>
    /// What `pendingByteCount` returns.
    private let waitingByteCount = Atomic<Int>(0)
    /// What `pendingTableByteCount` returns.
    private let waitingTableByteCount = Atomic<Int>(0)
    /// What `sealed` returns.
    private let lastSealed = Atomic<UInt64>(0)
    /// What `lost` returns.
    private let lastLost = Atomic<UInt64>(0)
    /// What `diskByteCount` returns.
    private let diskBytes = Atomic<UInt64>(0)
    /// What `failureCount` returns.
    private let failures = Atomic<UInt64>(0)

    /// Starts committing, on a thread that `close` ends.
    ///
    /// - Parameters:
    ///   - engine: belongs to the thread until `close` has returned.
    ///   - durability: when a record counts as committed.
    ///   - position: position of the journal's last record; 0 if it has none.
    ///   - parent: checksum of that record.
    ///   - limits: limits on how much waits, and for how long.
    ///   - hasThread: false to perform steps only in calls of `runStep`, without ever waiting: for
    ///     tests that must always give the same result.
    ///   - onChange: called on the thread whenever `committed`, `status`, `sealed`, `lost` or
    ///     `hasTableRoom` may have changed; it should wake the loop.
    package init(
        engine: any StoreEngine,
        durability: Durability,
        from position: UInt64,
        parent: UInt64,
        limits: CommitLimits = CommitLimits(),
        hasThread: Bool = true,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.engine = engine
        self.durability = durability
        self.limits = limits
        self.onChange = onChange
        self.hasThread = hasThread
        journal = JournalQueue(after: position, checksum: parent, limits: limits)
        appended = position
        committedPosition = Atomic(position)
        diskBytes.store(engine.diskByteCount, ordering: .relaxed)
        if hasThread { thread = JoinableThread { self.run() } }
    }

    // MARK: Journal

    /// Makes a record of the journal from this body and queues it to be committed. Returns its
    /// position.
    package func submit(_ body: ByteView) -> UInt64 {
        var mustWake = false
        let position = monitor.locked {
            precondition(closingDeadline == nil, "it is closed")
            let byteCount = journal.append(body)
            waitingByteCount.add(byteCount, ordering: .relaxed)
            if case .none = durability {
                committedPosition.store(journal.position, ordering: .releasing)
            }
            mustWake = claimWakeUp()
            return journal.position
        }
        if mustWake { monitor.wake() }
        return position
    }

    /// True if the thread sleeps and the caller must wake it. Resets `isSleeping`: a thread that
    /// was woken finds everything that was queued by then. Call it under the monitor.
    private func claimWakeUp() -> Bool {
        defer { isSleeping = false }
        return isSleeping
    }

    /// The position and checksum of the last submitted record: the manifest of a checkpoint of the
    /// present state contains them.
    package var submitted: (position: UInt64, checksum: UInt64) {
        monitor.locked { (journal.position, journal.checksum) }
    }

    /// Starts a new segment of the journal with the next record, so that `cut` can delete all
    /// records up to the present one.
    package func rotate() {
        let mustWake = monitor.locked {
            journal.rotate()
            return claimWakeUp()
        }
        if mustWake { monitor.wake() }
    }

    /// The position of the last committed record: answers to it and to those before it may leave.
    package var committed: UInt64 { committedPosition.load(ordering: .acquiring) }

    /// The number of bytes of journal waiting for the disk.
    package var pendingByteCount: Int { waitingByteCount.load(ordering: .relaxed) }

    /// True while inputs may be accepted.
    package var hasRoom: Bool { pendingByteCount < limits.pendingByteCount }

    /// Whether commits succeed at present.
    package var status: CommitStatus { monitor.locked { currentStatus } }

    /// Whether checkpoints succeed at present. It is failing from the failure of the table on until
    /// the checkpoint that was lost is made up for.
    package var tableStatus: CommitStatus { monitor.locked { currentTableStatus } }

    /// False while the table cannot be used, so that a checkpoint would only be lost.
    package var isTableOpen: Bool { hasTable.load(ordering: .relaxed) }

    /// How long successful appends to the journal took.
    package var commitLatency: LatencyFigures { monitor.locked { commitTimes.summary } }

    /// Rotates the window of `commitLatency`; see `LatencyHistogram.rotate`.
    package func rotateLatencyWindow() { monitor.locked { commitTimes.rotate() } }

    /// The number of failed attempts so far; every retry that fails counts again.
    package var failureCount: UInt64 { failures.load(ordering: .relaxed) }

    /// The size of the store on the disk, in bytes, when it was opened or last sealed or cut.
    package var diskByteCount: UInt64 { diskBytes.load(ordering: .relaxed) }

    // MARK: Table

    /// Begins a checkpoint, to which the following writes belong. The one before must be sealed or
    /// lost. Returns its number: 1, 2 and so on.
    package func beginCheckpoint() -> UInt64 {
        monitor.locked {
            precondition(checkpoint == max(sealed, lost), "a checkpoint is under way")
            checkpoint += 1
            return checkpoint
        }
    }

    /// Abandons the checkpoint, which must not be sealing; it then counts as lost.
    ///
    /// Its records that were written stay in the table until the next checkpoint deletes them.
    package func abandonCheckpoint() {
        monitor.locked {
            precondition(checkpoint > max(sealed, lost), "no checkpoint is under way")
            queue.drop(checkpoint: checkpoint)
            publishLost(checkpoint)
            publishTableByteCount()
        }
    }

    /// Queues changes of the checkpoint; does nothing if it is lost.
    package func write(_ changes: consuming TableChanges) { enqueue(.write, changes: changes) }

    /// Queues the last changes of the checkpoint, with the manifest at the end, and its seal.
    ///
    /// `sealed` becomes its number when that has happened.
    package func seal(_ manifest: consuming TableChanges) { enqueue(.seal, changes: manifest) }

    /// Queues deletions of records that the checkpoint has replaced, to be performed after its
    /// seal. If the process ends before the next `seal`, they may not have happened.
    package func delete(_ changes: consuming TableChanges) { enqueue(.delete, changes: changes) }

    /// Queues the deletion of all journal segments before this position, to be performed after the
    /// seal.
    package func cut(before position: UInt64) {
        enqueue(.cut(before: position), changes: TableChanges())
    }

    private func enqueue(_ kind: TableWork.Kind, changes: consuming TableChanges) {
        let position = submitted.position
        let work = TableWork(kind, changes: changes, checkpoint: checkpoint, after: position)
        let mustWake = monitor.locked {
            precondition(closingDeadline == nil, "it is closed")
            // The thread may have lost the checkpoint just now.
            if kind.isOfCheckpoint && checkpoint > 0 && checkpoint == lost { return false }
            queue.append(work)
            publishTableByteCount()
            return claimWakeUp()
        }
        if mustWake { monitor.wake() }
    }

    /// The number of the last checkpoint that is durable; 0 if there is none.
    package var sealed: UInt64 { lastSealed.load(ordering: .acquiring) }

    /// The number of the last checkpoint that was lost to a failure or abandoned; 0 if there is
    /// none.
    ///
    /// Some of its records may nevertheless be on the disk, even its manifest. So its epoch is
    /// never reused, and the next checkpoint deletes what this one has written before it writes its
    /// own manifest.
    package var lost: UInt64 { lastLost.load(ordering: .acquiring) }

    /// The number of bytes of changes to the table that wait for the disk.
    package var pendingTableByteCount: Int { waitingTableByteCount.load(ordering: .relaxed) }

    /// True while a checkpoint may continue.
    package var hasTableRoom: Bool { pendingTableByteCount < limits.tableByteCount }

    // MARK: End

    /// Commits what is pending and ends the thread; waiting changes to the table are dropped.
    ///
    /// If the disk fails, it is tried again for `CommitLimits.closeTimeout`. The engine stays
    /// open.
    ///
    /// - Returns: the number of records that could not be appended.
    package func close() -> UInt64 {
        let isClosed = monitor.locked {
            defer { closingDeadline = MonotonicTime.now + limits.closeTimeout }
            monitor.wake()
            return closingDeadline != nil
        }
        if !hasThread {
            while runStep() == .done {}
        } else if !isClosed {
            thread?.join()
        }
        return journal.position - appended
    }

    // MARK: Reports of the thread

    /// Publishes the bytes that wait for the table; call it under the monitor.
    func publishTableByteCount() {
        waitingTableByteCount.store(queue.byteCount, ordering: .relaxed)
    }

    /// Publishes that a chunk was appended; its records are then committed.
    func publishAppended(_ chunk: JournalChunk) {
        precondition(chunk.first == appended + 1, "records are appended out of their order")
        assert(chunk.last >= appended, "the chunk ends before it begins")
        appended = chunk.last
        waitingByteCount.subtract(chunk.records.count, ordering: .relaxed)
        assert(pendingByteCount >= 0, "more bytes are appended than were submitted")
        if case .none = durability { return }
        committedPosition.store(appended, ordering: .releasing)
    }

    /// Publishes the number of a checkpoint that is durable now.
    func publishSealed(_ checkpoint: UInt64) {
        precondition(checkpoint > sealed, "a checkpoint is sealed after a later one")
        lastSealed.store(checkpoint, ordering: .releasing)
    }

    /// Marks a checkpoint as lost; call it under the monitor.
    ///
    /// A later checkpoint may have been marked as lost already.
    func publishLost(_ checkpoint: UInt64) {
        assert(checkpoint <= self.checkpoint, "a checkpoint is lost that has not begun")
        lastLost.store(max(checkpoint, lost), ordering: .releasing)
    }

    /// Publishes the store's size on disk.
    func publishDiskByteCount() { diskBytes.store(engine.diskByteCount, ordering: .relaxed) }

    /// Counts a failure, and begins the failing state unless it has begun already.
    func beginFailing(_ error: StoreError) {
        failures.add(1, ordering: .relaxed)
        monitor.locked { currentStatus.fail(error) }
    }

    /// Ends the failing state; call it under the monitor.
    func endFailing() { currentStatus = .working }

    /// Counts a failure of the table, which is opened again later.
    func beginTableFailing(_ error: StoreError) {
        failures.add(1, ordering: .relaxed)
        tableRetryTime = hasThread ? .now + limits.tableRetryInterval : .zero
        hasTable.store(false, ordering: .relaxed)
        monitor.locked { currentTableStatus.fail(error) }
    }

    /// Publishes that the table is open; what has failed before works again only if no checkpoint
    /// is lacking.
    func publishTableOpen() {
        tableRetryTime = nil
        hasTable.store(true, ordering: .relaxed)
        if !lacksCheckpoint { monitor.locked { currentTableStatus = .working } }
    }
}

/// The result of `GroupCommit.runStep`.
package enum StepResult: Equatable, Sendable {
    /// A step was performed or has failed; there may be more.
    case done
    /// There is nothing to do yet.
    case idle
    /// The committing has ended.
    case ended
}
