internal import ReloadModel
internal import ReloadScheduling
internal import RouterCore
internal import Times

extension DecisionSums {
    /// Reads a router's counts of all reload requests so far.
    ///
    /// - Parameters:
    ///   - router: the router that counts.
    ///   - isCounted: true to count the pending requests as well, by looking at every widget.
    init(of router: borrowing Router, isCounted: Bool) {
        self.init()
        for reason in DecisionReason.allCases { self[reason] = router.counters.endings[reason] }
        accepted = router.counters.reloadRequests
        if isCounted { pending = UInt64(router.pendingReloadCount) }
    }
}

extension ReloadAccount {
    /// Reads what a router knows of a widget's reload; nil if it does not know the widget.
    ///
    /// - Parameters:
    ///   - widget: the number of the widget on its device.
    ///   - device: the number of the device.
    ///   - router: the router that decides on it.
    ///   - start: when the run began.
    init?(ofWidget widget: UInt32, device: UInt32, in router: borrowing Router, start: WallTime) {
        let digits = String(device)
        let name = "d-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        let isPending = router.isReloadPending(ofWidget: "w\(widget)", device: name, app: World.app)
        let records = router.decisions(ofDevice: name, app: World.app)
        guard let isPending, let records else { return nil }
        self.init()
        self.isPending = isPending
        for record in records
        where record.widget == "w\(widget)" && record.decision.reason == .unchanged {
            unchangedAt.append(record.decision.at - start)
        }
        if let oldest = records.first, records.count == router.limits.decisionsPerDevice {
            since = oldest.decision.at - start + .milliseconds(1)
        }
    }
}

extension SlotSums {
    /// Reads a router's counts of slots in all ledgers; those that widgets have are counted by
    /// looking at every widget.
    init(of router: borrowing Router) {
        let counters = router.slotCounters
        self.init()
        assigned = UInt64(counters.assigned)
        released = UInt64(counters.released)
        finished = UInt64(counters.finished)
        current = UInt64(router.usedSlotCount)
    }
}
