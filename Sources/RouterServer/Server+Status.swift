internal import AdminHTTP
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
        status.recording = recording?.status
        return status
    }

    private func storeStatus(_ driver: CommitDriver) -> StoreStatus {
        var status = StoreStatus()
        if let (error, since) = driver.failure {
            status.failure = StoreStatus.Failure(code: error.code, since: since)
        }
        status.failureCount = driver.failureCount
        // In this order: what is committed has been submitted.
        status.committed = driver.committed
        status.submitted = driver.submitted
        status.waitingJournalByteCount = driver.waitingJournalByteCount
        status.heldAnswerByteCount = driver.waitingByteCount
        status.checkpointsBegun = driver.counters.begun
        status.checkpointsSealed = driver.counters.sealed
        status.checkpointByteCount = driver.counters.sealedByteCount
        status.checkpointMilliseconds = checkpointDuration
        status.checkpointLongestTurn = checkpointLongestTurn
        status.diskByteCount = driver.diskByteCount
        return status
    }
}
