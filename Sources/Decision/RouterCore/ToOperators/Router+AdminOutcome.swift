internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

// What would be decided on the widgets that a push matches.

extension Router {
    /// What would happen to a widget, as a name for programs and a sentence for people.
    struct Outcome {
        var name: String
        /// When it would reload at the latest; nil if that is not known.
        var until: MonotonicTime?
        var text: String
    }

    /// What `Reloads.applyMatch` would decide if nothing else happened.
    func outcome(of widget: WidgetID, for work: ExplainWork) -> Outcome {
        if state.reloads.schedules.paused.has(work.app) {
            return Outcome(name: "paused", text: "The app is paused: its pushes are not accepted.")
        }
        let record = state.reloads.delivery.widgets[widget]
        let rules = state.reloads.rules(of: widget)
        if rules.hasFields {
            switch effect(on: widget, of: work) {
            case .change: break
            case .unchanged: return pendingOutcome(widget, name: "unchanged", reason: .unchanged)
            case .outdated: return pendingOutcome(widget, name: "outdated", reason: .outdated)
            }
        }
        let request = ReloadRequest(cause: .push, isUrgent: work.isUrgent)
        let debounces = !work.isUrgent && rules.debounceWait > .zero
        var joined = record
        joined.cause = .push
        joined.privileges =
            record.stage == .idle
            ? request.privileges : record.privileges.union(request.joiningPrivileges)
        switch record.stage {
        case .idle where debounces:
            let wait = min(rules.debounceWait, rules.debounceLongest)
            return pendingOutcome(
                widget,
                name: "debounced",
                reason: .debounced,
                until: state.reloads.clock.now.monotonic + wait
            )
        case .idle: return decisionOutcome(widget, as: joined, for: work)
        case .debounced where debounces:
            let limit = record.debounceLimit.wait(from: state.reloads.clock.now.monotonic)
            let wait = min(rules.debounceWait, limit)
            return pendingOutcome(
                widget,
                name: "debounced",
                reason: .debounced,
                until: state.reloads.clock.now.monotonic + wait
            )
        case .debounced: return decisionOutcome(widget, as: joined, for: work)
        case .deferred where joined.privileges == record.privileges:
            return pendingOutcome(
                widget,
                name: "coalesced",
                reason: .coalesced,
                until: state.reloads.earliest(widget).time
            )
        case .deferred where !record.privileges.contains(.isFollowUp) && debounces:
            let wait = min(rules.debounceWait, rules.debounceLongest)
            return pendingOutcome(
                widget,
                name: "debounced",
                reason: .debounced,
                until: state.reloads.clock.now.monotonic + wait
            )
        case .deferred: return decisionOutcome(widget, as: joined, for: work)
        case .queued:
            let wait = state.reloads.schedules.origins[rules.origin].expectedWait(
                at: state.reloads.clock.schedule.now
            )
            return pendingOutcome(
                widget,
                name: "coalesced",
                reason: .coalesced,
                until: state.reloads.clock.now.monotonic + wait
            )
        case .awaitingSession, .ready:
            return pendingOutcome(widget, name: "coalesced", reason: .coalesced)
        }
    }

    private func effect(on widget: WidgetID, of work: ExplainWork) -> PushEffect {
        state.reloads.fields.widgets.effect(
            of: work.push,
            on: widget,
            fields: work.fields,
            kind: state.reloads.delivery.widgets[widget].kind,
            catalog: state.reloads.fields.catalog,
            trial: &work.trial
        )
    }

    /// What `Reloads.decide` would decide.
    private func decisionOutcome(
        _ widget: WidgetID,
        as record: WidgetRecord,
        for work: ExplainWork
    ) -> Outcome {
        let device = state.reloads.delivery.devices[record.device]
        let hasSession = state.reloads.delivery.isAttached(device)
        if !state.reloads.isReached(widget, of: device) {
            return pendingOutcome(widget, name: "held", reason: .offline)
        }
        let (time, reason) = state.reloads.earliest(widget, as: record)
        if time > state.reloads.clock.now.monotonic {
            return pendingOutcome(widget, name: "deferred", reason: reason, until: time)
        }
        let rules = state.reloads.rules(of: widget)
        let isBrought =
            rules.inlines
            && state.reloads.fields.widgets.wouldHaveAllInlined(
                widget,
                by: work.push,
                of: work.fields,
                kind: record.kind,
                catalog: state.reloads.fields.catalog,
                trial: &work.trial
            )
        if rules.isPaced && !isBrought {
            let permits = state.reloads.schedules.origins[rules.origin].ledger.permits(
                at: state.reloads.clock.schedule.now
            )
            let demand = max(1, work.explanation.foundCount ?? 1)
            if !state.reloads.schedules.origins[rules.origin].queue.isEmpty || permits < demand {
                let wait = state.reloads.schedules.origins[rules.origin].expectedWait(
                    at: state.reloads.clock.schedule.now,
                    of: demand
                )
                return pendingOutcome(
                    widget,
                    name: "queued",
                    reason: .spread,
                    until: state.reloads.clock.now.monotonic + wait
                )
            }
        }
        return hasSession
            ? Outcome(
                name: "sent",
                until: state.reloads.clock.now.monotonic,
                text: "Reloads at once."
            )
            : pushedOutcome(widget, of: device)
    }

    /// What would happen to a widget whose device APNs reaches.
    private func pushedOutcome(_ widget: WidgetID, of device: DeviceRecord) -> Outcome {
        let text = "Would go by APNs: " + pushText(widget, of: device)
        if device.has(DeviceRecord.pushing) {
            return Outcome(name: "pushed", text: text + " It follows the one that is under way.")
        }
        return Outcome(name: "pushed", until: state.reloads.clock.now.monotonic, text: text)
    }

    /// What a push for a widget would reload, and what it would cost.
    private func pushText(_ widget: WidgetID, of device: DeviceRecord) -> String {
        let kind = quotation(kindName(state.reloads.delivery.widgets[widget].kind))
        let channel = state.reloads.apns.channel(
            of: widget,
            in: state.reloads.delivery,
            by: state.reloads.catalog
        )
        switch channel {
        case .controls: return "WidgetKit reloads this control alone."
        case .background:
            return "a background push names kind \(kind), and debits each of its widgets on the "
                + "device."
        case .widgets:
            let count = widgetCount(of: device)
            let all = count == 1 ? "which is the only one" : "all \(count), and debits each of them"
            return "asked for kind \(kind), WidgetKit reloads all of the app's widgets on the "
                + "device, \(all)."
        }
    }

    /// The number of a device's widgets without its controls.
    private func widgetCount(of device: DeviceRecord) -> Int {
        var count = 0
        var widget = device.firstWidget
        while !widget.isNone {
            let isControl = state.reloads.apns.isControl(
                widget,
                in: state.reloads.delivery,
                by: state.reloads.catalog
            )
            if !isControl { count += 1 }
            widget = state.reloads.delivery.widgets[widget].nextOfDevice
        }
        return count
    }

    private func pendingOutcome(
        _ widget: WidgetID,
        name: String,
        reason: DecisionReason,
        until: MonotonicTime? = nil
    ) -> Outcome {
        var spent: String?
        if reason == .budget, let budget = budget(of: widget) {
            spent = DecisionSentence.spent(
                used: budget.used,
                allowance: budget.allowance,
                reserve: budget.reserve
            )
        }
        let sentence = sentences(of: state.reloads.delivery.widgets[widget].kind).text(
            reason,
            spent: spent
        )
        return Outcome(
            name: name,
            until: until,
            text: sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
        )
    }
}
