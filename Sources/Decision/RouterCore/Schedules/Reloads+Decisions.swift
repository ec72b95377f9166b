internal import Basics
internal import ReloadScheduling

/// Recording decisions: each is kept for its device with its reason, and counted.
extension Reloads {
    /// Records a decision on a widget's pending reload, with that reload's cause. `until` is nil if
    /// the reload does not wait, or it is not known until when.
    mutating func log(
        _ widget: WidgetID,
        reason: DecisionReason,
        until: MonotonicTime? = nil,
        into out: inout Outbox
    ) {
        log(widget, reason: reason, cause: delivery.widgets[widget].cause, until: until, into: &out)
    }

    /// Records a decision on a widget with a given cause.
    mutating func log(
        _ widget: WidgetID,
        reason: DecisionReason,
        cause: ReloadCause,
        until: MonotonicTime? = nil,
        into out: inout Outbox
    ) {
        out.observer.counters.decisions[reason] &+= 1
        let decision = Decision(
            at: clock.now.wall,
            until: until.map { clock.wallTime(ofMonotonic: $0) },
            widget: widget,
            reason: reason,
            cause: cause
        )
        out.observer.decisions.append(delivery.widgets[widget].device, decision: decision)
        if out.observer.isFollowing { follow(decision, into: &out) }
    }

    /// Passes a decision to those that follow decisions one by one.
    @inline(never)
    private mutating func follow(_ decision: Decision, into out: inout Outbox) {
        if out.observer.isTracing { trace(decision, into: &out) }
        if out.observer.outcomes.current != nil { out.observer.outcomes.last = decision }
    }

    /// Keeps a decision for `tracedDecisions`, with the names that its widget has now.
    private mutating func trace(_ decision: Decision, into out: inout Outbox) {
        let record = delivery.widgets[decision.widget]
        let kind = catalog.kinds[record.kind]
        out.observer.tracedDecisions.append(
            TracedDecision(
                app: catalog.apps[kind.app].declaration.app,
                device: delivery.deviceName(record.device).string,
                widget: delivery.widgetName(decision.widget).string,
                kind: unsafe delivery.names.view(kind.name, count: kind.nameCount).string,
                decision: decision
            )
        )
    }
}
