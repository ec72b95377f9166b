internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling

/// Why: every decision leaves a record of its reason with the device, and is counted.
extension ReloadState {
    /// Records a decision on the reload that a widget has in hand.
    ///
    /// - Parameters:
    ///   - widget: whose.
    ///   - reason: why.
    ///   - until: when it goes on, in ms of the monotonic clock.
    ///   - out: collects frames, timers and counts that result.
    mutating func note(
        _ widget: WidgetID,
        _ reason: DecisionReason,
        until: Int64? = nil,
        _ out: inout Outbox
    ) {
        note(widget, reason, delivery.widgets[widget].cause, until: until, &out)
    }

    mutating func note(
        _ widget: WidgetID,
        _ reason: DecisionReason,
        _ cause: ReloadCause,
        until: Int64? = nil,
        _ out: inout Outbox
    ) {
        out.observer.counters.decisions[reason] &+= 1
        let decision = Decision(
            at: clock.now.wall,
            until: until.map { wallTime(ofMonotonic: $0) },
            widget: widget,
            reason: reason,
            cause: cause
        )
        out.observer.decisions.append(delivery.widgets[widget].device, decision)
        if out.observer.isTracing { trace(decision, &out) }
    }

    /// Keeps a decision with the names that belong to it now.
    private mutating func trace(_ decision: Decision, _ out: inout Outbox) {
        let record = delivery.widgets[decision.widget]
        let kind = catalog.kinds[Int(record.kind)]
        out.observer.tracedDecisions.append(
            TracedDecision(
                app: catalog.apps[Int(kind.app)].declaration.app,
                device: delivery.deviceName(record.device).string,
                widget: delivery.widgetName(decision.widget).string,
                kind: delivery.names.view(kind.name, kind.nameCount).string,
                decision: decision
            )
        )
    }

    func wallTime(ofMonotonic time: Int64) -> Int64 {
        let (sum, overflow) = clock.now.wall.addingReportingOverflow(time &- clock.now.monotonic)
        return overflow ? .max : sum
    }
}
