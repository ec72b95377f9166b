internal import DataStructures
internal import ReloadModel
internal import WidgetMatching

/// Pushes with many matches: all matches are searched for first, and then applied in portions.
///
///     batch ─► search … search ─► [ `batch` in the journal ] ─► hand out … hand out ─► ACK
///              no frames are taken                              all but the producer's are taken
///
/// The journal has what was found, and how much of it was handed out when: so a router that ends in
/// between goes on with it.
extension Router {
    /// Whether there are pushes whose matches have not all been handed out.
    package var isFanningOut: Bool { !state.fanOuts.isEmpty }

    /// Takes no frames until nothing is being handed out.
    package mutating func calmDown() {
        intake.isCalmingDown = isFanningOut
    }

    var isFanOutEndDue: Bool {
        intake.isCalmingDown || state.fanOuts.changeCount >= RouterLimits.fanOutChanges
    }

    // MARK: - Searching

    /// Searches for more matches if some are left, else hands some out.
    mutating func goOnFanningOut() {
        if state.fanOuts.matchCount >= limits.fanOutMatches { intake.isFull = true }
        if state.fanOuts.isSearching && !intake.isFull { return search() }
        guard let fanOut = state.fanOuts.first else { return }
        commit(.portionApplied(count: min(fanOut.count, limits.matchesPerStep)))
        if state.fanOuts.matchCount == 0 { intake.isFull = false }
        if state.fanOuts.isEmpty { intake.isCalmingDown = false }
        for accepted in outbox.accepted { acceptBatch(accepted) }
        outbox.accepted.removeAll(keepingCapacity: true)
    }

    /// The pushes of a fan-out are acknowledged, if their connection is still there.
    private mutating func acceptBatch(_ accepted: Outbox.AcceptedBatch) {
        guard let owed = intake.takeOwedLater(of: accepted.producer) else { return }
        let record = sessions.connections[owed.connection]
        if record.isOpen && record.generation == owed.generation {
            acceptBatch(owed, accepted.matched, accepted.arrival)
        }
    }

    /// All matches have been found; the ACK follows when they have been applied.
    private mutating func endSearch() {
        commitBatch()
        var owed = intake.takeOwed()
        if owed.connection == ConnectionRecord.none { return }
        owed.generation = sessions.connections[owed.connection].generation
        intake.oweLater(owed)
    }

    /// Searches until that has taken enough time, or is done.
    private mutating func search() {
        var spent = 0
        repeat {
            let isFinished = state.matcher.matchQueued(
                work: limits.workPerStep,
                limit: limits.matchesPerStep
            )
            spent += state.matcher.spentWork
            charge(state.matcher.spentWork, to: intake.owed.connection)
            if state.matcher.matchCount > 0 { commitMatches(areApplied: false) }
            if isFinished { return endSearch() }
        } while spent < RouterLimits.searchWorkPerStep && log.byteCount < limits.journalRecord
            && state.fanOuts.matchCount < limits.fanOutMatches
    }
}
