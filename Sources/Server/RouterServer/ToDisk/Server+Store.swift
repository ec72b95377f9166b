internal import Basics
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore

/// What the loop does for the store and for answers awaiting commit.
extension Server {
    /// Sends the answers whose commit has come.
    func releaseCommitted() {
        guard let driver = core.driver, !driver.uncommittedAnswers.isEmpty else { return }
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
        if core.phase == .draining { lingerWhenAnswered() }
    }

    /// Continues a checkpoint, adapts input to the store's speed, and logs the store's state.
    func resumeStore() {
        guard let driver = core.driver, core.phase != .ended else { return }
        if driver.continueCheckpoint(&core.router) { core.scheduleTick() }
        reading.limit(by: driver)
        core.commits?.look(clock: &core.clock, logger: core.logger)
    }
}
