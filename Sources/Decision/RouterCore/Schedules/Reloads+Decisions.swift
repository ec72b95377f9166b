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
        out.observer.count(reason, of: delivery.widgets[widget].kind, by: catalog)
        let decision = Decision(
            at: clock.now.wall,
            until: until.map { clock.wallTime(ofMonotonic: $0) },
            widget: widget,
            reason: reason,
            cause: cause,
            push: out.observer.push
        )
        out.observer.decisions.append(delivery.widgets[widget].device, decision: decision)
        if out.observer.isFollowing { out.observer.follow(decision, in: delivery, by: catalog) }
    }
}
