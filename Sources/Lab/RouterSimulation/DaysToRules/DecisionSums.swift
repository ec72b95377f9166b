internal import Basics
internal import ReloadScheduling
internal import RouterCore

/// The router's own counts of reload requests and how they have ended. `Checker` checks that they
/// add up.
struct DecisionSums {
    /// Reload requests that the router accepted, such as a widget's match with a push, or a date
    /// that came.
    var accepted: UInt64 = 0
    /// Reload requests that have ended, by reason.
    var ended = DecisionCounts()
    /// Reload requests that are still waiting, found by looking at every widget; nil if this was
    /// not done.
    var pending: UInt64?

    /// The number of reload requests that have not ended; equals `pending` if the router has lost
    /// none.
    var rest: UInt64 { accepted &- ended.total }
}

extension DecisionSums {
    /// Reads a router's counts of all reload requests so far; `isCounted` counts those that wait,
    /// too, by looking at every widget.
    init(of router: borrowing Router, isCounted: Bool) {
        accepted = router.counters.reloadRequests
        ended = router.counters.endings
        if isCounted { pending = UInt64(router.pendingReloadCount) }
    }
}

/// What the router reports of one widget's reload.
struct ReloadAccount {
    /// True if a reload is waiting.
    var isPending = false
    /// When pushes came that changed no observed field, from the start of the run, as far as they
    /// are kept.
    var unchangedAt: [Milliseconds] = []
    /// From when on the device's decisions are all kept, from the start of the run; older ones
    /// were dropped.
    var since = Milliseconds.min
}

extension ReloadAccount {
    /// Reads what a router knows of a widget's reload; nil if it does not know the widget.
    init?(ofWidget widget: String, device: String, in router: borrowing Router, start: WallTime) {
        let isPending = router.isReloadPending(ofWidget: widget, device: device, app: World.app)
        let records = router.decisions(ofDevice: device, app: World.app)
        guard let isPending, let records else { return nil }
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
