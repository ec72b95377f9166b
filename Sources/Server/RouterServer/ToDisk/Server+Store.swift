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
        logStatus(of: driver)
        logTable(of: driver)
        logCheckpoints(of: driver)
    }

    private func logCheckpoints(of driver: CommitDriver) {
        let counters = driver.counters
        if counters == watch.checkpoints.counters { return }
        let now = thisTick.clock.now().monotonic
        if counters.begun > watch.checkpoints.counters.begun {
            watch.checkpoints.begin = now
            // Resets the maximum. The tick that begins the checkpoint has not ended yet, and so
            // counts.
            _ = thisTick.clock.resetLongestTick()
            logger.info("a checkpoint begins", metadata: ["number": "\(counters.newest)"])
        }
        if counters.sealed > watch.checkpoints.counters.sealed {
            watch.checkpoints.duration = now - watch.checkpoints.begin
            watch.checkpoints.longestTick = thisTick.clock.resetLongestTick()
            logger.info(
                "the checkpoint is on the disk",
                metadata: [
                    "number": "\(counters.newest)", "bytes": "\(counters.sealedByteCount)",
                    "milliseconds": "\(watch.checkpoints.duration)",
                    "longestTickMicroseconds": "\(watch.checkpoints.longestTick.rawValue / 1_000)",
                ]
            )
        }
        watch.checkpoints.counters = counters
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

    private func logTable(of driver: CommitDriver) {
        switch watch.checkpointOutage.update(driver.tableFailure, now: .now) {
        case nil: break
        case .begins(let error):
            logger.error(
                "checkpoints fail: the journal grows until they succeed again",
                metadata: ["error": "\(error)"]
            )
        case .continues(let error, let duration):
            logger.error(
                "checkpoints still fail",
                metadata: ["error": "\(error)", "seconds": "\(duration.wholeSeconds)"]
            )
        case .ends(let duration):
            logger.notice(
                "checkpoints succeed again",
                metadata: ["seconds": "\(duration.wholeSeconds)"]
            )
        }
    }

    private func logStatus(of driver: CommitDriver) {
        switch watch.outage.update(driver.failure, now: .now) {
        case nil: break
        case .begins(let error):
            logger.error(
                "the store fails: nothing is acknowledged until it works again",
                metadata: ["error": "\(error)"]
            )
        case .continues(let error, let duration):
            logger.error(
                "the store still fails",
                metadata: [
                    "error": "\(error)", "seconds": "\(duration.wholeSeconds)",
                    "journal": "\(driver.waitingJournalByteCount)",
                    "answers": "\(driver.waitingByteCount)",
                ]
            )
        case .ends(let duration):
            logger.notice(
                "the store works again",
                metadata: ["seconds": "\(duration.wholeSeconds)"]
            )
        }
    }
}
