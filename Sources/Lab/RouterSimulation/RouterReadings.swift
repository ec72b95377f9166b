internal import Basics
internal import ReloadScheduling
internal import RouterCore

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
    ///   - widget: the id of the widget on its device.
    ///   - device: the name of the device.
    ///   - router: the router that decides on it.
    ///   - start: when the run began.
    init?(ofWidget widget: String, device: String, in router: borrowing Router, start: WallTime) {
        let isPending = router.isReloadPending(ofWidget: widget, device: device, app: World.app)
        let records = router.decisions(ofDevice: device, app: World.app)
        guard let isPending, let records else { return nil }
        self.init()
        self.isPending = isPending
        for record in records
        where record.widget == widget && record.decision.reason == .unchanged {
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
