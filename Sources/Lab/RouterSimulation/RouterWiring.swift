internal import ReloadModel
internal import ReloadScheduling
internal import RouterCore

/// What the simulation reads from the router, and a server does not.
extension Router {
    /// Returns the counts of all causes so far.
    ///
    /// - Parameter isCounted: true to count the pending causes as well, by looking at every widget.
    /// - Returns: the counts.
    func decisionSums(isCounted: Bool) -> DecisionSums {
        var sums = DecisionSums()
        for reason in DecisionReason.allCases { sums[reason] = counters.endings[reason] }
        sums.accepted = counters.reloadRequests
        if isCounted { sums.pending = UInt64(pendingReloadCount) }
        return sums
    }

    /// Returns what the router knows of a widget's reload.
    ///
    /// - Parameters:
    ///   - widget: the number of the widget on its device.
    ///   - device: the number of the device.
    ///   - start: when the run began, in ms since 1970.
    /// - Returns: the account; nil if the router does not know the widget.
    func account(ofWidget widget: UInt32, device: UInt32, start: Int64) -> ReloadAccount? {
        let digits = String(device)
        let name = "d-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        let isPending = isReloadPending(ofWidget: "w\(widget)", device: name, app: World.app)
        let records = decisions(ofDevice: name, app: World.app)
        guard let isPending, let records else { return nil }
        var account = ReloadAccount()
        account.isPending = isPending
        for record in records
        where record.widget == "w\(widget)" && record.decision.reason == .unchanged {
            account.unchangedAt.append(record.decision.at - start)
        }
        if let oldest = records.first, records.count == limits.decisionsPerDevice {
            account.since = oldest.decision.at - start + 1
        }
        return account
    }

    /// The counts of slots in all ledgers; those that widgets have are counted by looking at every
    /// widget.
    var slotSums: SlotSums {
        let statistics = slotStatistics
        var sums = SlotSums()
        sums.taken = UInt64(statistics.taken)
        sums.givenBack = UInt64(statistics.givenBack)
        sums.finished = UInt64(statistics.finished)
        sums.held = UInt64(usedSlotCount)
        return sums
    }
}
