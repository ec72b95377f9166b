internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// What a match does to its widget: it requests a reload, or changes nothing.
extension Reloads {
    /// Applies a push to a widget that it matches: requests a reload, unless the push has expired,
    /// changes nothing that the widget displays, or came before the widget's last RELOAD.
    mutating func applyMatch(
        _ widget: WidgetID,
        for push: MatchedBatch.Push,
        of batch: inout MatchedBatch,
        into out: inout Outbox
    ) {
        assert(!delivery.widgets[widget].device.isNone, "the widget was removed")
        out.observer.push = push.mark
        if push.isExpired { return log(widget, reason: .expired, cause: .push, into: &out) }
        batch.matched &+= 1
        let kind = delivery.widgets[widget].kind
        out.observer.countMatch(push, of: kind)
        let rules = rules(of: widget)
        if rules.hasFields && push.fields != .none {
            let effect = fields.widgets.apply(
                push.fields,
                of: batch.fields,
                to: widget,
                kind: kind,
                catalog: fields.catalog
            )
            if effect != .change {
                let reason = effect == .outdated ? DecisionReason.outdated : .unchanged
                out.observer.counters.countRequest(endedBy: reason)
                return confirm(widget, until: push.expiresAt, reason: reason, into: &out)
            }
        }
        if delivery.widgets[widget].lastReload > push.reloadsBefore && !rules.inlines {
            // The widget was reloaded along with another one, or in an earlier portion, after the
            // push came.
            out.observer.counters.countRequest(endedBy: .coalesced)
            return log(widget, reason: .coalesced, cause: .push, into: &out)
        }
        let stage = delivery.widgets[widget].stage
        if rules.reloadsImmediately && (stage == .idle || stage == .ready) {
            return applyImmediateMatch(widget, for: push, into: &out)
        }
        let request = ReloadRequest(
            cause: .push,
            isUrgent: push.isUrgent,
            expiresAt: push.expiresAt,
            fanOut: push.fanOut
        )
        requestReload(widget, request: request, into: &out)
    }

    /// Applies a push to a widget that it matches, and reports what the decision was.
    @inline(never)
    mutating func applyReporting(
        _ match: WidgetMatch,
        for push: MatchedBatch.Push,
        of batch: inout MatchedBatch,
        into out: inout Outbox
    ) {
        applyMatch(match.widget, for: push, of: &batch, into: &out)
        report(match, into: &out)
    }

    /// Records that a push changes nothing that the widget displays, or will display after its
    /// pending reload. That reload does not expire before the push does.
    private mutating func confirm(
        _ widget: WidgetID,
        until expiresAt: WallTime,
        reason: DecisionReason,
        into out: inout Outbox
    ) {
        log(widget, reason: reason, cause: .push, into: &out)
        let record = delivery.widgets[widget]
        if record.stage == .idle || expiresAt <= schedules.widgets[widget].expiresAt { return }
        schedules.widgets[widget].expiresAt = expiresAt
        if record.stage == .ready && expiresAt > delivery.devices[record.device].expiresAt {
            delivery.devices[record.device].expiresAt = expiresAt
        }
    }

    /// Makes the reload of a widget ready, if its kind's rules leave nothing to decide. The
    /// widget's stage must be `idle` or `ready`: a reload in any other stage may expire later than
    /// this push.
    @inline(__always)
    private mutating func applyImmediateMatch(
        _ widget: WidgetID,
        for push: MatchedBatch.Push,
        into out: inout Outbox
    ) {
        let isReady = delivery.widgets[widget].stage == .ready
        out.observer.counters.countRequest(endedBy: isReady ? .coalesced : nil)
        if isReady {
            log(widget, reason: .coalesced, cause: .push, into: &out)
        } else if !isReached(widget, of: delivery.devices[delivery.widgets[widget].device]) {
            log(widget, reason: .offline, cause: .push, into: &out)
        }
        delivery.widgets[widget].cause = .push
        delivery.markReady(
            widget,
            cause: .push,
            isUrgent: push.isUrgent,
            expiresAt: push.expiresAt,
            apns: apns,
            in: &out.agenda
        )
    }
}
