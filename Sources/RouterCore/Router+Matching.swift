internal import ByteStorage
internal import ReloadModel
internal import WidgetMatching

/// Matching, in portions: a push may concern a million widgets, and nobody else is to wait for all
/// of them.
///
///     received ──► batch ──► first portion ──► step: RELOADs ──► … ──► last portion ──► ACK
///
/// Until a batch is finished no frame is taken, from anybody: a frame might change the widgets that
/// the batch is being compared with. Time, output and connections go on meanwhile.
extension Router {
    /// Whether `received` takes no frame before the next step: a batch is not finished, or the turn
    /// has matched enough.
    ///
    /// The driver keeps what comes meanwhile, and offers it again after the step.
    package var isBusy: Bool {
        isMatching || turnMatches >= limits.matchesPerTurn
    }

    /// Whether a further step would produce actions now.
    package var hasReadyDevices: Bool {
        !delivery.ready.isEmpty || !delivery.readyUrgent.isEmpty
    }

    /// Whether a further step is due although nothing more may happen.
    package var needsStep: Bool { isBusy || hasReadyDevices }

    /// Matches the next portion of the pushes that wait in the matcher's batch.
    mutating func matchQueued() {
        if delivery.origins.isEmpty { return }
        let isFinished = matcher.matchQueued(limit: limits.matchesPerStep)
        isMatching = !isFinished
        turnMatches += matcher.examinedCount
        delivery.take(matcher)
        if isFinished { endBatch() }
    }

    /// Matches what is left of the batch, however much that is.
    mutating func finishBatch() {
        while !delivery.origins.isEmpty { matchQueued() }
    }

    private mutating func endBatch() {
        let batch = delivery.batch
        delivery.batch = PushBatch()
        delivery.origins.removeAll(keepingCapacity: true)
        if batch.connection == ConnectionRecord.none { return }
        delivery.connections[batch.connection].matched &+= batch.matched
        accepted(batch.connection, batch.lastSeq)
    }

    /// Remembers that an ACK up to `seq` is due when the batch has been matched; at once if there is
    /// none.
    mutating func acceptedPush(_ connection: UInt32, _ seq: UInt64) {
        if delivery.origins.isEmpty { return accepted(connection, seq) }
        delivery.batch.connection = connection
        if seq > delivery.batch.lastSeq { delivery.batch.lastSeq = seq }
    }
}
