internal import Basics
internal import WidgetMatching

/// Pushes with many matches: all matches are searched for first, and then applied in portions.
///
///     batch ─► search … search ─► [ `batch` in the journal ] ─► portion … portion ─► ACK
///              no frames are accepted                         all but the producer's are accepted
///
/// The journal contains the matches, and when how many of them were applied: so a router that ends
/// in between continues the fan-out after its restart.
extension Router {
    /// Whether some matches of pushes have not been applied yet.
    package var isFanningOut: Bool { !state.fanOuts.isEmpty }

    /// Stops accepting frames until all fan-outs have ended.
    package mutating func finishFanOuts() { intake.isFinishingFanOuts = isFanningOut }

    /// Whether no frame is accepted until all fan-outs have ended: the driver wants it, or too many
    /// widgets have changed meanwhile.
    var isFanOutEndDue: Bool {
        intake.isFinishingFanOuts || state.fanOuts.changeCount >= RouterLimits.fanOutChanges
    }

    // MARK: - Searching

    /// Continues the search for matches; if it is complete or stopped, applies the next portion.
    mutating func resumeFanOut() {
        if state.fanOuts.matchCount >= limits.fanOutMatches { intake.isFull = true }
        if state.fanOuts.isSearching && !intake.isFull { return search() }
        guard let fanOut = state.fanOuts.first else { return }
        outbox.observer.setOutcomeBatch(outbox.observer.outcomes.fanOut(of: fanOut.source))
        commit(.portionApplied(count: min(fanOut.count, limits.matchesPerStep)))
        outbox.observer.setOutcomeBatch(nil)
        if state.fanOuts.matchCount == 0 { intake.isFull = false }
        if state.fanOuts.isEmpty { intake.isFinishingFanOuts = false }
        for accepted in outbox.accepted { acceptBatch(accepted) }
        outbox.accepted.removeAll(keepingCapacity: true)
    }

    /// Makes the ACK for the pushes of a fan-out due that has ended.
    private mutating func acceptBatch(_ accepted: Outbox.AcceptedBatch) {
        let batch = outbox.observer.outcomes.fanOut(of: accepted.source)
        batch?.isDue = true
        guard let unsent = intake.takeUnsentLater(of: accepted.source) else { return }
        acceptBatch(unsent, matched: accepted.matched, arrival: accepted.arrival)
    }

    /// Ends the search: all matches have been found. The ACK follows when they have been applied.
    private mutating func endSearch() {
        commitBatch()
        let unsent = intake.takeUnsent()
        if !unsent.session.isNone { intake.sendLater(unsent) }
    }

    /// Searches until all matches are found, or a limit of this step is reached.
    private mutating func search() {
        var spent = 0
        repeat {
            let isFinished = state.matcher.matchQueued(
                work: limits.workPerStep,
                limit: limits.matchesPerStep
            )
            spent += state.matcher.spentWork
            outbox.observer.counters.widgetsLeftOut &+= UInt64(state.matcher.leftOutCount)
            outbox.work.charge(state.matcher.spentWork)
            if !intake.unsent.session.isNone {
                outbox.toFront.searches.append(
                    .init(session: intake.unsent.session, work: state.matcher.spentWork)
                )
            }
            if state.matcher.matchCount > 0 { commitMatches(areApplied: false) }
            if isFinished { return endSearch() }
        } while spent < RouterLimits.searchWorkPerStep && log.byteCount < limits.journalRecord
            && state.fanOuts.matchCount < limits.fanOutMatches
    }
}
