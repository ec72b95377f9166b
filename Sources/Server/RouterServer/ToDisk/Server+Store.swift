internal import Basics
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore

/// What the loop does for the store and for answers awaiting commit.
extension Server {
    /// Submits the inputs that the router has accepted in this tick to the store's thread.
    func submit() {
        guard let driver else { return }
        let end = driver.endTick(&router)
        assert(end >= thisTick.journalEnd, "the journal has become shorter")
        thisTick.journalEnd = end
    }

    /// Sends the answers whose commit has come.
    func releaseCommitted() {
        guard let driver, !driver.uncommittedAnswers.isEmpty else { return }
        let committed = driver.committed
        driver.uncommittedAnswers.release(upTo: committed) { entry, frame in
            let slot = entry.connection
            // Another connection may have the slot by now.
            if peers[slot].serial != entry.serial { return }
            guard let connection = peers[slot].connection else {
                return deliver(entry.connection, frame: frame)
            }
            peers[slot].uncommittedCount -= 1
            peers.markDirty(entry.connection)
            connection.append(frame)
            peers[slot].uncommittedByteCount -= frame.count
            assert(
                peers[slot].uncommittedCount >= 0 && peers[slot].uncommittedByteCount >= 0,
                "more answers to the peer are committed than have waited"
            )
            metrics.acknowledged.add(entry.count, arrival: entry.arrival)
            if entry.kind == .first { welcomed(entry.connection) }
            if entry.kind == .last { linger(entry.connection) }
        }
        if phase == .draining { lingerWhenAnswered() }
    }

    /// Continues a checkpoint, adapts input to the store's speed, and logs the store's state.
    func resumeStore() {
        guard let driver, phase != .ended else { return }
        if driver.continueCheckpoint(&router) { scheduleTick() }
        limitInputs(driver)
        commits?.look(clock: &thisTick.clock, logger: logger)
    }

    /// Pauses all reading and refuses connections while too much waits for the store.
    private func limitInputs(_ driver: CommitDriver) {
        if !reading.waitsForStore && !driver.hasRoom {
            pauseAllReading(.store)
            logger.warning(
                "no connection is read: too much waits for the store",
                metadata: [
                    "journal": "\(driver.waitingJournalByteCount)",
                    "answers": "\(driver.waitingByteCount)",
                ]
            )
        } else if reading.waitsForStore && driver.hasRoomAgain {
            resumeAllReading(.store)
            logger.notice("inputs are read again")
        }
    }
}
