internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// Deciding when a reload request becomes a RELOAD.
///
///     request ─► debounce window ─► budget and spacing ─► permit of the origin ─► pending chain
///
/// Reloading twice has the effect of reloading once, so a widget has one pending reload at most
/// (`stage`). Further requests join it and never delay it; the latest but dates gives its cause.
extension Reloads {
    /// Takes a reload request for a widget: begins a reload, or joins the pending one.
    mutating func requestReload(_ widget: WidgetID, request: ReloadRequest, into out: inout Outbox)
    {
        let stage = delivery.widgets[widget].stage
        let rank = delivery.widgets[widget].rank
        let privileges = delivery.widgets[widget].privileges
        join(widget, request: request, isFirst: stage == .idle)
        out.observer.counters.reloadRequests &+= 1
        if stage != .idle { out.observer.counters.endings[.coalesced] &+= 1 }
        switch stage {
        case .idle:
            if debounces(widget, for: request) {
                beginDebounce(of: widget, into: &out)
            } else {
                decide(widget, fanOut: request.fanOut, into: &out)
            }
        case .debounced:
            if debounces(widget, for: request) {
                extendDebounce(of: widget, into: &out)
            } else if request.cause == .request,
                let end = delivery.devices[delivery.widgets[widget].device].loopEnd(
                    spacing: rules(of: widget).budget.spacing
                ), end > clock.now.monotonic
            {
                log(widget, reason: .coalesced, into: &out)
            } else {
                decide(widget, fanOut: request.fanOut, into: &out)
            }
        case .deferred:
            // A widget that comes into sight may have a larger allowance now.
            if privileges == delivery.widgets[widget].privileges && request.cause != .visible {
                log(widget, reason: .coalesced, into: &out)
            } else if !privileges.contains(.isFollowUp) && debounces(widget, for: request) {
                // So far only a loop of the app's requests has delayed it.
                beginDebounce(of: widget, into: &out)
            } else {
                decide(widget, fanOut: request.fanOut, into: &out)
            }
        case .queued:
            if request.isUrgent && rank != .urgent {
                enqueue(widget, fanOut: request.fanOut, into: &out)
            }
            log(widget, reason: .coalesced, into: &out)
        case .awaitingSession: log(widget, reason: .coalesced, into: &out)
        case .ready:
            log(widget, reason: .coalesced, into: &out)
            makeReady(widget, into: &out)
        }
    }

    /// Adds a reload request to the widget's pending reload, which it begins if `isFirst`.
    private mutating func join(_ widget: WidgetID, request: ReloadRequest, isFirst: Bool) {
        delivery.widgets[widget].cause = request.cause
        if isFirst {
            delivery.widgets[widget].privileges = request.privileges
            schedules.widgets[widget].expiresAt = request.expiresAt
        } else {
            delivery.widgets[widget].privileges.formUnion(request.joiningPrivileges)
        }
        if request.expiresAt > schedules.widgets[widget].expiresAt {
            schedules.widgets[widget].expiresAt = request.expiresAt
        }
        let isVisible = delivery.widgets[widget].has(WidgetRecord.visible)
        let rank: ReloadRank = request.isUrgent ? .urgent : isVisible ? .visible : .other
        if isFirst || rank.rawValue < delivery.widgets[widget].rank.rawValue {
            delivery.widgets[widget].rank = rank
        }
    }

    /// The rules of a widget's kind, as far as the widget has adopted them.
    @inline(__always)
    func rules(of widget: WidgetID) -> KindRules {
        catalog.rules(of: widget, in: delivery)
    }

    // MARK: - Debounce windows

    private func debounces(_ widget: WidgetID, for request: ReloadRequest) -> Bool {
        if case .push = request.cause {
            return !request.isUrgent && rules(of: widget).debounceWait > .zero
        }
        return false
    }

    private mutating func beginDebounce(of widget: WidgetID, into out: inout Outbox) {
        let limit = clock.now.monotonic + rules(of: widget).debounceLongest
        delivery.widgets[widget].debounceLimit = DebounceTime(limit)
        delivery.setStage(of: widget, to: .debounced)
        extendDebounce(of: widget, into: &out)
    }

    private mutating func extendDebounce(of widget: WidgetID, into out: inout Outbox) {
        let end = clock.now.monotonic + rules(of: widget).debounceWait
        schedules.widgets[widget].debounceEnd = DebounceTime(end)
        updateTimer(widget, into: &out)
        log(
            widget,
            reason: .debounced,
            until: clock.now.monotonic
                + schedules.debounceRemaining(
                    of: widget,
                    in: delivery,
                    now: clock.now.monotonic
                ),
            into: &out
        )
    }

    // MARK: - Budget and spacing

    /// Decides on a widget's pending reload, and moves it to the next stage at which it has to
    /// wait. `hasSlot` says that it has its slot or permit at the origin already, `wasDeferred`
    /// that it was deferred until now, by budget or spacing; see `ReloadRequest.fanOut` for the
    /// fan-out number of the push.
    mutating func decide(
        _ widget: WidgetID,
        fanOut: UInt64,
        hasSlot: Bool = false,
        wasDeferred: Bool = false,
        into out: inout Outbox
    ) {
        out.work.charge(WorkCost.decision)
        if schedules.expiresAt(widget, in: delivery) <= clock.now.wall {
            return expire(widget, into: &out)
        }
        let device = delivery.devices[delivery.widgets[widget].device]
        if !isReached(widget, of: device) { return awaitSession(widget, into: &out) }
        let (time, reason) = earliest(widget)
        if time > clock.now.monotonic {
            delivery.setStage(of: widget, to: .deferred)
            log(widget, reason: reason, until: time, into: &out)
            return updateTimer(widget, into: &out)
        }
        if wasDeferred { delivery.widgets[widget].cause = .budget }
        if !hasSlot && requiresPermit(widget)
            && !schedules.acquirePermit(of: rules(of: widget).origin, now: clock.schedule.now)
        {
            enqueue(widget, fanOut: fanOut, into: &out)
        } else {
            makeReady(widget, into: &out)
        }
    }

    /// The earliest time of the widget's reload, and why it waits; now and `sent` if it need not.
    func earliest(_ widget: WidgetID) -> (time: MonotonicTime, reason: DecisionReason) {
        earliest(widget, as: delivery.widgets[widget])
    }

    /// Like `earliest(_:)`, but as if `record` were the widget's record.
    @inline(__always)
    func earliest(
        _ widget: WidgetID,
        as record: WidgetRecord
    ) -> (time: MonotonicTime, reason: DecisionReason) {
        var time = clock.now.monotonic
        var reason = DecisionReason.sent
        let device = delivery.devices[record.device]
        if device.has(DeviceRecord.pushable) && !delivery.isAttached(device) {
            (time, reason) = apns.earliestPush(
                to: record.device,
                of: device.app,
                by: apns.channel(of: widget, in: delivery, by: catalog),
                in: catalog,
                now: clock.now.monotonic
            )
        }
        if record.has(WidgetRecord.resent) { return (time, reason) }
        let isRequest = !record.privileges.contains(.isFollowUp)
        if isRequest, let end = device.loopEnd(spacing: rules(of: widget).budget.spacing),
            end > time
        {
            (time, reason) = (end, .loop)
        }
        if delivery.isExempt(record) { return (time, reason) }
        let policy = rules(of: widget).budget
        if policy.spacing > .zero && !record.privileges.contains(.skipsSpacing),
            let last = schedules.widgets[widget].lastReload(asOf: clock.now.monotonic),
            last + policy.spacing > time
        {
            (time, reason) = (last + policy.spacing, .spacing)
        }
        if policy.isLimited {
            let paid = schedules.widgets[widget].budget.earliest(
                policy,
                mayUseReserve: record.privileges.contains(.mayUseReserve),
                at: clock.now.monotonic,
                phase: Schedules.phase(widget)
            )
            if paid > time { (time, reason) = (paid, .budget) }
        }
        return (time, reason)
    }

    // MARK: - Ends

    /// Puts the widget into its device's pending chain.
    mutating func makeReady(_ widget: WidgetID, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        delivery.markReady(
            widget,
            cause: record.cause,
            isUrgent: record.isUrgent,
            expiresAt: schedules.expiresAt(widget, in: delivery),
            apns: apns,
            in: &out.agenda
        )
        if record.stage == .debounced || record.stage == .deferred {
            updateTimer(widget, into: &out)
        }
    }

    /// Makes a reload wait until a session of its device begins.
    mutating func awaitSession(_ widget: WidgetID, into out: inout Outbox) {
        assert(!delivery.isAttached(delivery.devices[delivery.widgets[widget].device]))
        let stage = delivery.widgets[widget].stage
        delivery.setStage(of: widget, to: .awaitingSession)
        log(widget, reason: .offline, into: &out)
        if stage == .debounced || stage == .deferred { updateTimer(widget, into: &out) }
    }

    /// Drops a reload that has expired; the widget is stale from now on.
    mutating func expire(_ widget: WidgetID, into out: inout Outbox) {
        let stage = delivery.widgets[widget].stage
        delivery.setStage(of: widget, to: .idle)
        delivery.widgets[widget].flags |= WidgetRecord.stale
        delivery.widgets[widget].flags &= ~WidgetRecord.resent
        if rules(of: widget).hasFields {
            let kind = delivery.widgets[widget].kind
            fields.widgets.forgetObserved(widget, kind: kind, catalog: fields.catalog)
        }
        out.observer.counters.reloadsExpired += 1
        out.observer.counters.endings[.expired] &+= 1
        log(widget, reason: .expired, into: &out)
        if stage == .debounced || stage == .deferred { updateTimer(widget, into: &out) }
    }

    // MARK: - Timers

    /// Sets the widget's one timer to the earlier of its timeline's date and the time for which its
    /// pending reload waits.
    mutating func updateTimer(_ widget: WidgetID, into out: inout Outbox) {
        if !out.agenda.isKept { return }
        let schedule = schedules.widgets[widget]
        var time = ScheduleTime.max
        if schedule.timelineAt != .max {
            time = schedules.dateTime(of: widget, in: delivery, by: catalog, clock: clock)
        }
        if let end = apns.graceEnd(of: widget, in: delivery, by: catalog) {
            time = min(time, clock.schedule.schedule(monotonic: end))
        }
        switch delivery.widgets[widget].stage {
        case .debounced:
            let wait = schedules.debounceRemaining(
                of: widget,
                in: delivery,
                now: clock.now.monotonic
            )
            time = min(time, clock.schedule.now + wait)
        case .deferred: time = min(time, clock.schedule.schedule(monotonic: earliest(widget).time))
        case .idle, .queued, .awaitingSession, .ready: break
        }
        out.agenda.setTimer(of: widget, to: time)
    }

    /// Sets the timers of all widgets and counts the reloads in each stage, after the router was
    /// recovered from its store. Returns the number of pending reloads.
    mutating func updateAllTimers(_ out: inout Outbox) -> Int {
        var stages = StageCounts()
        for device in delivery.devices.ids where delivery.isStored(device) {
            delivery.enqueuePending(device, apns: apns, in: &out.agenda)
            var widget = delivery.devices[device].firstWidget
            while !widget.isNone {
                updateTimer(widget, into: &out)
                stages.move(from: .idle, to: delivery.widgets[widget].stage)
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
        delivery.setStages(stages)
        return stages.pending
    }

    /// Handles timers that have fired, in the order of the list.
    mutating func fireTimers(of widgets: Span<WidgetID>, into out: inout Outbox) {
        schedules.beginGrants(widgets.count)
        for index in widgets.indices {
            prefetchTimers(widgets, after: index)
            timerFired(of: widgets[index], into: &out)
        }
        schedules.endGrants()
    }

    /// Prefetches what the next timers need: widgets first, then their devices.
    @inline(__always)
    private func prefetchTimers(_ fired: Span<WidgetID>, after index: Int) {
        if index + 2 * Self.prefetchDistance < fired.count {
            let widget = fired[index + 2 * Self.prefetchDistance]
            delivery.widgets.prefetch(widget)
            schedules.widgets.prefetch(widget)
        }
        if index + Self.prefetchDistance < fired.count {
            let widget = fired[index + Self.prefetchDistance]
            delivery.devices.prefetch(delivery.widgets[widget].device)
        }
    }

    /// How far ahead, in elements, memory is prefetched, so that it has arrived when it is needed.
    static var prefetchDistance: Int { 8 }

    private mutating func timerFired(of widget: WidgetID, into out: inout Outbox) {
        if schedules.isRestored(widget, in: delivery, by: catalog, clock: clock) {
            restoreDate(of: widget, into: &out)
        }
        if let end = apns.graceEnd(of: widget, in: delivery, by: catalog),
            end <= clock.now.monotonic
        {
            graceIsOver(for: delivery.widgets[widget].device, into: &out)
        }
        if schedules.isDateDue(of: widget, in: delivery, by: catalog, clock: clock) {
            dateHasCome(of: widget, into: &out)
            return updateTimer(widget, into: &out)
        }
        switch delivery.widgets[widget].stage {
        // Decided again, because a clock may have jumped.
        case .deferred: decide(widget, fanOut: 0, wasDeferred: true, into: &out)
        case .debounced
        where
            schedules.debounceRemaining(
                of: widget,
                in: delivery,
                now: clock.now.monotonic
            ) == .zero:
            decide(widget, fanOut: 0, into: &out)
        case .idle, .debounced, .queued, .awaitingSession, .ready:
            return updateTimer(widget, into: &out)
        }
        if schedules.widgets[widget].timelineAt != .max
            || apns.graceEnd(of: widget, in: delivery, by: catalog) != nil
        {
            updateTimer(widget, into: &out)
        }
    }
}
