internal import ReloadModel
internal import ReloadScheduling
internal import RouterCore

/// All that the simulation asks the router beside what a server does.
extension Router {
    /// The next time, in ms of the monotonic clock, at which a step would do something by itself;
    /// nil if there is none.
    func nextStep(after now: Instant) -> Int64? { nextWakeUp(after: now) }

    /// What became of all causes to reload so far.
    ///
    /// - Parameter isCounted: whether those that wait are counted by looking at every widget, and not
    ///   taken to be the rest.
    /// - Returns: the sums.
    func decisionSums(isCounted: Bool) -> DecisionSums {
        var sums = DecisionSums()
        for reason in DecisionReason.allCases { sums[reason] = counters.endings[reason] }
        sums.accepted = counters.wishes
        sums.pending = isCounted ? UInt64(pendingReloadCount) : sums.accepted &- sums.endedTotal
        return sums
    }

    /// The slots of all ledgers, and those that widgets hold, by looking at every widget.
    var slotSums: SlotSums {
        let statistics = slotStatistics
        var sums = SlotSums()
        sums.taken = UInt64(statistics.taken)
        sums.givenBack = UInt64(statistics.givenBack)
        sums.finished = UInt64(statistics.finished)
        sums.held = UInt64(heldSlotCount)
        return sums
    }
}
