package import DataStructures
internal import Platform
package import RouterMetrics
package import StoreFormat
internal import Synchronization

/// Commits beside the loop: while the disk works, what is submitted gathers, and goes with the next
/// append as one.
///
///     loop      submit submit submit │ submit submit      │ …
///     thread    append the first     │ append the next 2  │ append the next 2 … table work
///
/// Nothing is dropped when the disk fails: the thread opens the engine again and tries again until
/// it works or is closed. What was written to the table and not yet sealed is gone with that, and
/// the checkpoint counts as lost.
///
/// The faces are for one thread, the loop's, but for the counters, which any may read.
@safe
package final class GroupCommit: @unchecked Sendable {
    // Unchecked: the vars of the first group are used under the monitor (`checkpoint` changes only on
    // the thread of the faces, which may read it without), those of the second by the committing
    // thread (before it begins and after it has ended, by whoever owns it).
    let monitor = Monitor()
    var journal: JournalQueue
    private var checkpoint: UInt64 = 0
    var queue = TableQueue()
    var isSleeping = false
    /// When to give up; nil while it is not closing.
    var closingDeadline: Int64?
    private var currentStatus = CommitStatus.working
    /// How long appends took, the sync included.
    var commitTimes = LatencyHistogram()

    let engine: any StoreEngine
    /// What is being appended, or has failed to be.
    var writing: JournalChunk?
    /// The last position that was appended.
    var appended: UInt64
    /// Whether the last step was one for the journal, so that the next one may be for the table.
    var isTableTurn = false
    /// What is being done to the table.
    var current: TableWork?
    /// The checkpoint of which something was written to the table that is not sealed.
    var unsealedCheckpoint: UInt64?
    /// A checkpoint whose `beginSeal` was called.
    var sealingCheckpoint: UInt64?
    /// Deletions that are not sealed.
    var unsealedDeletions: [TableWork] = []
    var needsReopening = false
    /// Whether it has tried again since it is being closed.
    var hasTriedClosing = false
    private var thread: JoinableThread?
    /// Whether steps are made by a thread, and not by calls of `runStep`.
    let hasThread: Bool

    let durability: Durability
    package let limits: CommitLimits
    let onChange: @Sendable () -> Void
    private let committedPosition: Atomic<UInt64>
    private let waitingByteCount = Atomic<Int>(0)
    private let waitingTableByteCount = Atomic<Int>(0)
    private let lastSealed = Atomic<UInt64>(0)
    private let lastLost = Atomic<UInt64>(0)
    private let diskBytes = Atomic<UInt64>(0)
    private let failures = Atomic<UInt64>(0)

    /// Begins with a thread of its own, which `close` ends.
    ///
    /// - Parameters:
    ///   - engine: belongs to the thread from now on, until `close` has returned.
    ///   - durability: when an ACK may leave.
    ///   - position: that of the last record of the journal, 0 if it has none.
    ///   - parent: the checksum of that record.
    ///   - limits: how much may wait, and how long.
    ///   - hasThread: whether it does its steps by itself. If not, whoever calls `runStep` does, and
    ///     nothing is waited for: for tests that must come out the same every time.
    ///   - onChange: is called on the thread whenever `committed`, `status`, `sealed`, `lost` or
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
        journal = JournalQueue(behind: position, checksum: parent, limits: limits)
        appended = position
        committedPosition = Atomic(position)
        diskBytes.store(engine.diskByteCount, ordering: .relaxed)
        if hasThread { thread = JoinableThread { self.run() } }
    }

    // MARK: Journal

    /// Seals a record of the journal around this body and lets it be committed.
    ///
    /// - Returns: its position.
    package func submit(_ body: ByteView) -> UInt64 {
        var isWaking = false
        let position = monitor.locked {
            precondition(closingDeadline == nil, "it is closed")
            let byteCount = journal.append(body)
            waitingByteCount.add(byteCount, ordering: .relaxed)
            if case .none = durability {
                committedPosition.store(journal.position, ordering: .releasing)
            }
            isWaking = takeSleeper()
            return journal.position
        }
        if isWaking { monitor.wake() }
        return position
    }

    /// Whether the thread sleeps and must be woken; it then looks at everything, so once is enough.
    ///
    /// Under the monitor.
    private func takeSleeper() -> Bool {
        defer { isSleeping = false }
        return isSleeping
    }

    /// Position and checksum of the last record that was submitted: what the manifest of a
    /// checkpoint of the present state names.
    package var submitted: (position: UInt64, checksum: UInt64) {
        monitor.locked { (journal.position, journal.checksum) }
    }

    /// Begins a new segment of the log with the next record that is submitted, so that `cut` can
    /// forget all records up to the present one.
    package func rotate() {
        let isWaking = monitor.locked {
            journal.rotate()
            return takeSleeper()
        }
        if isWaking { monitor.wake() }
    }

    /// The last position that is committed: ACKs of what it and those before it hold may leave.
    package var committed: UInt64 { committedPosition.load(ordering: .acquiring) }

    /// Bytes of journal that wait for the disk.
    package var pendingByteCount: Int { waitingByteCount.load(ordering: .relaxed) }

    /// Whether inputs may be taken.
    package var hasRoom: Bool { pendingByteCount < limits.pendingByteCount }

    package var status: CommitStatus { monitor.locked { currentStatus } }

    /// How long the appends took that worked.
    package var commitLatency: LatencySummary { monitor.locked { commitTimes.summary } }

    /// Ends a window of these times; see `LatencyHistogram.turn`.
    package func turnLatencyWindow() { monitor.locked { commitTimes.turn() } }

    /// How often something has failed, each new try counted.
    package var failureCount: UInt64 { failures.load(ordering: .relaxed) }

    /// Bytes of the store on disk, as of the last checkpoint.
    package var diskByteCount: UInt64 { diskBytes.load(ordering: .relaxed) }

    // MARK: Table

    /// Begins a checkpoint, after the one before was sealed or lost; what follows belongs to it.
    ///
    /// - Returns: its number: 1, 2 and so on.
    package func beginCheckpoint() -> UInt64 {
        monitor.locked {
            precondition(checkpoint == max(sealed, lost), "a checkpoint is under way")
            checkpoint += 1
            return checkpoint
        }
    }

    /// Gives the checkpoint up, which must not be sealing: it counts as lost.
    ///
    /// What was written of it stays in the table until it is deleted.
    package func abandonCheckpoint() {
        monitor.locked {
            precondition(checkpoint > max(sealed, lost), "no checkpoint is under way")
            queue.drop(checkpoint: checkpoint)
            noteLost(checkpoint)
            noteTableByteCount()
        }
    }

    /// Writes changes of the checkpoint; does nothing if it is lost.
    package func write(_ changes: consuming TableChanges) {
        enqueue(.write, changes)
    }

    /// Writes what makes the checkpoint whole, the manifest last, and seals it.
    ///
    /// `sealed` is its number when that has happened.
    package func seal(_ manifest: consuming TableChanges) {
        enqueue(.seal, manifest)
    }

    /// Deletes what the checkpoint has outdated, once it is sealed; if the process ends before the
    /// next `seal`, the deletions may not have happened.
    package func delete(_ changes: consuming TableChanges) {
        enqueue(.delete, changes)
    }

    /// Forgets the segments of the log that lie before this position, once the checkpoint is sealed.
    package func cut(before position: UInt64) {
        enqueue(.cut(before: position), TableChanges())
    }

    private func enqueue(_ kind: TableWork.Kind, _ changes: consuming TableChanges) {
        let position = submitted.position
        let work = TableWork(kind, changes, checkpoint: checkpoint, behind: position)
        let isWaking = monitor.locked {
            precondition(closingDeadline == nil, "it is closed")
            // The thread may have lost it just now.
            if kind.isOfCheckpoint && checkpoint > 0 && checkpoint == lost { return false }
            queue.append(work)
            noteTableByteCount()
            return takeSleeper()
        }
        if isWaking { monitor.wake() }
    }

    /// The number of the last checkpoint that is durable, 0 if none is.
    package var sealed: UInt64 { lastSealed.load(ordering: .acquiring) }

    /// The number of the last checkpoint that a failure has taken, 0 if none.
    ///
    /// Some of its records may be on the disk all the same, its manifest included. So its epoch is
    /// never used again, and the next checkpoint deletes, before its own manifest, what this one has
    /// written.
    package var lost: UInt64 { lastLost.load(ordering: .acquiring) }

    /// Bytes of changes that wait.
    package var pendingTableByteCount: Int { waitingTableByteCount.load(ordering: .relaxed) }

    /// Whether a checkpoint may go on.
    package var hasTableRoom: Bool { pendingTableByteCount < limits.tableByteCount }

    // MARK: End

    /// Commits what is pending and ends the thread; what waits for the table is dropped.
    ///
    /// A disk that fails is given `CommitLimits.closeMilliseconds`. The engine stays open.
    ///
    /// - Returns: how many records were not appended.
    package func close() -> UInt64 {
        let isClosed = monitor.locked {
            defer { closingDeadline = monotonicMilliseconds() + limits.closeMilliseconds }
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

    // MARK: What the thread tells

    /// Under the monitor.
    func noteTableByteCount() {
        waitingTableByteCount.store(queue.byteCount, ordering: .relaxed)
    }

    func noteAppended(_ chunk: JournalChunk) {
        appended = chunk.last
        waitingByteCount.subtract(chunk.records.count, ordering: .relaxed)
        if case .none = durability { return }
        committedPosition.store(appended, ordering: .releasing)
    }

    func noteSealed(_ checkpoint: UInt64) { lastSealed.store(checkpoint, ordering: .releasing) }

    /// Under the monitor.
    ///
    /// One that was abandoned may be found to be lost behind a later one.
    func noteLost(_ checkpoint: UInt64) {
        lastLost.store(max(checkpoint, lost), ordering: .releasing)
    }

    func noteDiskByteCount() { diskBytes.store(engine.diskByteCount, ordering: .relaxed) }

    func noteFailing(_ error: StoreError) {
        failures.add(1, ordering: .relaxed)
        monitor.locked {
            if case .failing(_, let since) = currentStatus {
                currentStatus = .failing(error, since: since)
            } else {
                currentStatus = .failing(error, since: monotonicMilliseconds())
            }
        }
    }

    /// Under the monitor.
    func noteWorking() { currentStatus = .working }
}

/// What has come of a step.
package enum StepResult: Equatable, Sendable {
    case done
    /// There is nothing to do yet.
    case idle
    case ended
}
