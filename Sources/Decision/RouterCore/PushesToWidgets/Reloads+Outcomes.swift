internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// Reporting what becomes of matches, for publishers that ask for it. Nothing here changes the
/// state.
extension Reloads {
    /// Reports what the decision on a match was, right after the match was applied.
    func report(_ match: WidgetMatch, into out: inout Outbox) {
        guard let batch = out.observer.outcomes.current else { return }
        let decision = out.observer.outcomes.takeLast()
        assert(decision.map { $0.widget == match.widget } ?? true, "another widget was decided on")
        batch.add(
            match.widget,
            tag: match.tag,
            outcome: decision.map { decision in
                decision.reason == .debounced
                    ? debouncedOutcome(of: match.widget) : (decision.reason, decision.until)
            },
            named: batch.namesMore(match.tag) ? named(match.widget) : nil
        )
    }

    private func named(_ widget: WidgetID) -> OutcomeBatch.Widget {
        let record = delivery.widgets[widget]
        let kind = catalog.kinds[record.kind]
        return OutcomeBatch.Widget(
            widget: widget,
            kindNumber: record.kind,
            device: delivery.deviceName(record.device).string,
            name: delivery.widgetName(widget).string,
            kind: unsafe delivery.names.view(kind.name, count: kind.nameCount).string
        )
    }

    /// What a debounced reload waits for last: the end of its window, or what follows if that is
    /// known to take longer.
    private func debouncedOutcome(
        of widget: WidgetID
    ) -> (reason: DecisionReason, until: WallTime?) {
        let device = delivery.devices[delivery.widgets[widget].device]
        if !isReached(widget, of: device) { return (.offline, nil) }
        let wait = schedules.debounceRemaining(
            of: widget,
            in: delivery,
            now: clock.now.monotonic
        )
        let end = clock.now.monotonic + wait
        let (time, reason) = earliest(widget)
        return time > end
            ? (reason, clock.wallTime(ofMonotonic: time))
            : (.debounced, clock.wallTime(ofMonotonic: end))
    }

    /// What became of a push that has requested a reload of a widget, which may have been removed
    /// meanwhile: why the reload waits and until when (nil if it does not wait, or that is not
    /// known), `sent` if it was sent or is being sent, or `apns` if it goes by APNs.
    func outcome(
        of widget: WidgetID,
        for push: OutcomeBatch.Push
    ) -> (reason: DecisionReason, until: WallTime?) {
        guard delivery.widgets.has(widget), !delivery.widgets[widget].device.isNone else {
            return (.removed, nil)
        }
        if let wait = wait(of: widget) {
            return wait.reason == nil ? (.sent, nil) : (wait.reason!, wait.until)
        }
        let record = delivery.widgets[widget]
        if record.lastReload > push.reloadsBefore {
            return (apns.wasPushed(record, in: delivery) ? .apns : .sent, nil)
        }
        return (push.expiresAt <= clock.now.wall ? .expired : .superseded, nil)
    }

    /// What the widget's pending reload waits for, and until when (nil if that is not known); nil
    /// if none is pending. Without a reason it waits only to be sent on its device's connection.
    func wait(of widget: WidgetID) -> (reason: DecisionReason?, until: WallTime?)? {
        let record = delivery.widgets[widget]
        switch record.stage {
        case .idle: return nil
        case .debounced: return debouncedOutcome(of: widget)
        case .deferred:
            let (time, reason) = earliest(widget)
            return (reason, clock.wallTime(ofMonotonic: time))
        case .queued:
            let wait = schedules.origins[rules(of: widget).origin].expectedWait(
                at: clock.schedule.now
            )
            return (.spread, clock.now.wall + wait)
        case .awaitingSession: return (.offline, nil)
        case .ready:
            let device = delivery.devices[record.device]
            if delivery.isAttached(device) { return (nil, nil) }
            return (isReached(widget, of: device) ? .apns : .offline, nil)
        }
    }
}
