internal import Basics
internal import Platform
internal import StoreFormat

/// The committing thread of `GroupCommit`: which step comes next, performing it, and recovery from
/// failures.
extension GroupCommit {
    /// One step of the thread.
    private enum Step {
        case append(JournalChunk)
        case work(TableWork)
        /// Ends a seal that has begun; the number is its checkpoint's.
        case seal(UInt64)
        /// Notes how far the journal reaches.
        case note
        /// Opens the table again, which has failed.
        case openTable
        /// Nothing could be done yet; the thread looks for a step again.
        case again
        /// The thread ends.
        case end
    }

    /// The thread: performs steps until `close`.
    func run() {
        while runStep() != .ended {}
    }

    /// Performs the next step, waiting for one if necessary.
    package func runStep() -> StepResult {
        if needsReopening { return reopen() ? .done : .ended }
        do throws(StoreError) {
            switch takeStep() {
            case .append(let chunk): try append(chunk)
            case .work(let work): try perform(work)
            case .seal(let checkpoint): try endSeal(checkpoint)
            case .note: try note()
            case .openTable: openTable()
            case .again: return .idle
            case .end: return .ended
            }
        } catch {
            fail(error)
        }
        return .done
    }

    // MARK: Choosing the next step

    /// Chooses the next step: an append to the journal first, and after each append one step for
    /// the table, unless the table is busy: then the journal would have to wait for it. A note of
    /// the journal's end is only begun, at most once a second. Sleeps if there is no step.
    private func takeStep() -> Step {
        assert(!needsReopening && current == nil, "the last step has not ended")
        let hadTableWork = monitor.locked { hasTableWork }
        let mayWorkOnTable = hadTableWork && tableRetryTime == nil && !engine.isTableBusy
        let isNoteDue = noteTime.map { $0 <= .now } ?? false
        let isTableDue = tableRetryTime.map { $0 <= .now } ?? false
        return monitor.locked {
            if isNoteDue && closingDeadline == nil { return .note }
            let canStepTable = mayWorkOnTable && closingDeadline == nil
            if isTableNext && canStepTable, let step = takeTableStep() { return step }
            if isTableNext && isTableDue {
                isTableNext = false
                return .openTable
            }
            if let chunk = takeChunk() { return .append(chunk) }
            if closingDeadline != nil { return .end }
            if isTableDue { return .openTable }
            if canStepTable, let step = takeTableStep() { return step }
            let time = min(noteTime ?? .max, tableRetryTime ?? .max)
            if !hasTableWork || tableRetryTime != nil {
                sleep(until: time)
            } else if hadTableWork {
                sleep(until: min(time, MonotonicTime.now + limits.busyInterval))
            }
            return .again
        }
    }

    /// True if there is work for the table; call it under the monitor.
    private var hasTableWork: Bool { sealingCheckpoint != nil || !queue.isEmpty }

    /// Removes and returns the next step for the table; call it under the monitor.
    private func takeTableStep() -> Step? {
        isTableNext = false
        if let sealingCheckpoint { return .seal(sealingCheckpoint) }
        guard let work = queue.pop(at: appended) else { return nil }
        publishTableByteCount()
        return .work(work)
    }

    /// Returns the oldest chunk, or the one that has failed; call it under the monitor.
    private func takeChunk() -> JournalChunk? {
        if writing == nil { writing = journal.take() }
        return writing
    }

    /// Sleeps until there is work, or until a deadline, which may be `max`; call it under the
    /// monitor.
    private func sleep(until deadline: MonotonicTime) {
        if !hasThread { return }
        assert(!isSleeping, "the thread sleeps already")
        isSleeping = true
        if deadline < .max { monitor.wait(until: deadline) } else { monitor.wait() }
        isSleeping = false
    }

    // MARK: Performing a step

    /// Appends a chunk to the journal, which commits its records.
    private func append(_ chunk: JournalChunk) throws(StoreError) {
        assert(writing === chunk, "another chunk is being appended")
        if chunk.beginsSegment { try engine.rotate(before: chunk.first) }
        var time: Nanoseconds?
        if !chunk.records.isEmpty {
            let begin = ExactTime.now
            let isSynced = if case .full = durability { true } else { false }
            try engine.append(chunk.records.bytes, from: chunk.first, isSynced: isSynced)
            time = ExactTime.now - begin
        }
        publishAppended(chunk)
        writing = nil
        isTableNext = true
        if noteTime == nil && time != nil && hasThread { noteTime = .now + limits.noteInterval }
        monitor.locked {
            endFailing()
            if let time { commitTimes.record(time) }
            journal.recycle(chunk)
        }
        onChange()
    }

    /// Begins to note how far the journal reaches.
    private func note() throws(StoreError) {
        noteTime = .now + limits.noteInterval
        if try engine.noteEnd() { noteTime = nil }
    }

    /// Performs a step for the table.
    private func perform(_ work: TableWork) throws(StoreError) {
        assert(work.position <= appended, "a step precedes records of the journal that it follows")
        assert(sealingCheckpoint == nil, "the table would change while it is sealed")
        current = work
        switch work.kind {
        case .write:
            unsealedCheckpoint = work.checkpoint
            try engine.write(work.changes)
        case .seal:
            unsealedCheckpoint = work.checkpoint
            try engine.write(work.changes)
            try engine.beginSeal()
            sealingCheckpoint = work.checkpoint
        case .delete:
            try engine.write(work.changes)
            unsealedDeletions.append(work)
        case .cut(let position):
            try engine.cut(before: position)
            publishDiskByteCount()
        }
        current = nil
        onChange()
    }

    /// Waits for the end of a seal that `perform` has begun.
    private func endSeal(_ checkpoint: UInt64) throws(StoreError) {
        assert(checkpoint == unsealedCheckpoint, "another checkpoint was written")
        try engine.seal()
        sealingCheckpoint = nil
        unsealedCheckpoint = nil
        unsealedDeletions.removeAll(keepingCapacity: true)
        lacksCheckpoint = false
        publishTableOpen()
        publishSealed(checkpoint)
        publishDiskByteCount()
        onChange()
    }

    // MARK: Failures

    /// Prepares for another attempt after an error: when the engine, or only its table, has been
    /// opened again, every step is repeated, except those of a checkpoint that was not sealed,
    /// which is lost.
    private func fail(_ error: StoreError) {
        assert(!needsReopening, "a step was performed before the engine was opened again")
        let isTableLost = tableRetryTime == nil && engine.tableFailure != nil
        needsReopening = !isTableLost
        lacksCheckpoint = lacksCheckpoint || unsealedCheckpoint != nil
        monitor.locked {
            var again = unsealedDeletions
            if let current { again.append(current) }
            queue.prepend(again)
            if let unsealedCheckpoint {
                queue.drop(checkpoint: unsealedCheckpoint)
                publishLost(unsealedCheckpoint)
            }
            publishTableByteCount()
        }
        current = nil
        unsealedCheckpoint = nil
        sealingCheckpoint = nil
        unsealedDeletions.removeAll()
        if isTableLost { beginTableFailing(error) } else { beginFailing(error) }
        onChange()
    }

    /// Tries to open the table again, while the journal waits.
    private func openTable() {
        do throws(StoreError) {
            try engine.reopenTable()
            publishTableOpen()
        } catch {
            beginTableFailing(error)
        }
        onChange()
    }

    /// Waits before the next attempt and opens the engine again. Returns false if the thread must
    /// end.
    private func reopen() -> Bool {
        assert(current == nil && sealingCheckpoint == nil, "the failed step is still under way")
        if !waitForRetry() { return false }
        do throws(StoreError) {
            try engine.reopen()
            needsReopening = false
            if let failure = engine.tableFailure {
                beginTableFailing(failure)
            } else {
                publishTableOpen()
            }
            // If there is something to append, only that will show whether the store works.
            monitor.locked { if !hasJournal { endFailing() } }
        } catch {
            beginFailing(error)
        }
        onChange()
        return true
    }

    /// Waits before the next attempt; the first one after `close` comes at once. Returns false if
    /// the store is being closed, and nothing is left to do or its time is over.
    private func waitForRetry() -> Bool {
        if !hasThread { return true }
        return monitor.locked {
            let begin = MonotonicTime.now
            while true {
                let now = MonotonicTime.now
                if let closingDeadline {
                    if !hasJournal || now >= closingDeadline { return false }
                    if !hasTriedClosing {
                        hasTriedClosing = true
                        return true
                    }
                }
                let deadline = min(begin + limits.retryInterval, closingDeadline ?? .max)
                if now >= deadline { return true }
                monitor.wait(until: deadline)
            }
        }
    }

    /// True if there is something to append; call it under the monitor.
    private var hasJournal: Bool { writing != nil || !journal.isEmpty }
}
