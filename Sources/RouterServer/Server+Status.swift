internal import AdminHTTP
internal import DurableStore
internal import LibuvLoop
internal import RouterCore
internal import RouterDurability
internal import StoreFormat
internal import Threading

/// What the loop tells other threads of itself. They ask through the wake-up door; each turn ends
/// with a look whether they have.
extension Server {
    func openBoard() {
        guard let door = wakeup?.door else { return }
        board.open { door.wake() }
    }

    func publishStatus() {
        if board.isAsked { board.publish(status) }
    }

    /// What is told from now on, while the store is closed.
    func closeBoard() {
        board.close(status)
    }

    private var status: RouterStatus {
        var status = RouterStatus(time: monotonicMilliseconds())
        status.isDraining = phase != .serving
        status.areInputsPaused = inputsPaused
        status.counters = router.counters
        if let driver { status.store = storeStatus(driver) }
        return status
    }

    private func storeStatus(_ driver: CommitDriver) -> StoreStatus {
        let commit = driver.commit
        var status = StoreStatus()
        if case .failing(let error, let since) = commit.status {
            status.failure = StoreStatus.Failure(code: error.code, since: since)
        }
        status.failureCount = commit.failureCount
        // In this order: what is committed has been submitted.
        status.committed = commit.committed
        status.submitted = commit.submitted.position
        status.waitingJournalByteCount = commit.pendingByteCount
        status.heldAnswerByteCount = driver.waitingByteCount
        status.checkpointsBegun = driver.counters.begun
        status.checkpointsSealed = driver.counters.sealed
        status.checkpointByteCount = driver.counters.sealedByteCount
        status.checkpointMilliseconds = checkpointDuration
        status.diskByteCount = commit.diskByteCount
        return status
    }
}
