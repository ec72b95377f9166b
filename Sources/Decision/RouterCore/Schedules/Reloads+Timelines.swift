internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Handles TIMELINE: the dates at which widgets ask to be reloaded, and the slots assigned to them.
extension Reloads {
    /// Applies a TIMELINE of a sender: its date replaces the widget's former one, and gets a slot.
    /// The answer repeats the number of its frame.
    mutating func show(
        _ message: TimelineMessage,
        of widget: WidgetID,
        from sender: FrameSender,
        seq: UInt64,
        into out: inout Outbox
    ) {
        let device = delivery.widgets[widget].device
        let isAnswer = apns.isAnswered(delivery.widgets[widget], by: message.reload)
        if isAnswer { delivery.widgets[widget].flags &= ~WidgetRecord.unanswered }
        // After the flag is cleared, because taking over a device sends its unanswered RELOADs
        // again.
        takeOver(device, by: sender.connection, into: &out)
        delivery.heard(of: device, clock: &clock)
        if let because = message.because { reloadedItself(widget, because: because, into: &out) }
        delivery.widgets[widget].flags &= ~WidgetRecord.stale
        if message.hasCloseEntries { out.observer.counters.closeEntries += 1 }
        dropDate(of: widget, reason: .superseded, into: &out)
        if isAnswer { endRepetition(of: widget, into: &out) }
        supersede(widget, into: &out)
        if let date = wantedDate(widget, in: message) {
            let loopEnd = loopEnd(widget, wanted: date, of: message, into: &out)
            plan(widget, at: loopEnd ?? date, of: message, into: &out)
            let flaw: ScheduledMessage.Warning? = message.hasCloseEntries ? .entriesClose : nil
            let warning = loopEnd != nil ? .loop : flaw
            answer(sender, seq: seq, widget: widget, date: date, warning: warning, into: &out)
        }
        updateTimer(widget, into: &out)
    }

    /// The date that a timeline asks for; nil for none.
    private func wantedDate(_ widget: WidgetID, in message: TimelineMessage) -> WallTime? {
        switch message.policy {
        case .never: nil
        case .after(let date): min(date, .lastDate)
        case .atEnd:
            min(
                max(
                    message.lastEntry?.date ?? clock.now.wall,
                    clock.now.wall + rules(of: widget).atEndFloor
                ),
                .lastDate
            )
        }
    }

    /// The date until which a widget has to wait whose device asks to be reloaded at once after
    /// each RELOAD; nil if the date that its timeline asks for holds.
    private mutating func loopEnd(
        _ widget: WidgetID,
        wanted date: WallTime,
        of message: TimelineMessage,
        into out: inout Outbox
    ) -> WallTime? {
        // A device's own timer asks for nothing.
        if message.ownTimer || date > clock.now.wall + DeviceRecord.echoTime { return nil }
        let device = delivery.widgets[widget].device
        guard delivery.countEcho(device, now: clock.now.monotonic),
            let end = delivery.devices[device].loopEnd(spacing: rules(of: widget).budget.spacing),
            end > clock.now.monotonic
        else { return nil }
        log(widget, reason: .loop, cause: .after, until: end, into: &out)
        return min(clock.now.wall + (end - clock.now.monotonic), .lastDate)
    }

    /// Assigns a slot to a widget's date.
    private mutating func plan(
        _ widget: WidgetID,
        at date: WallTime,
        of message: TimelineMessage,
        into out: inout Outbox
    ) {
        let (isEnd, isFixed) = (message.policy == .atEnd, message.ownTimer)
        delivery.widgets[widget].flags &= ~Self.dateFlags
        if isEnd { delivery.widgets[widget].flags |= WidgetRecord.dueAtEnd }
        if isFixed { delivery.widgets[widget].flags |= WidgetRecord.ownTimer }
        if let wanted = passedDate(widget, at: date, of: message) {
            schedules.displace(
                widget,
                wanted: wanted,
                to: max(date, clock.now.wall),
                in: &delivery,
                by: catalog,
                clock: clock,
                into: &out
            )
        } else {
            schedules.takeSlot(
                for: widget,
                at: max(date, clock.now.wall),
                isFixed: isFixed,
                in: delivery,
                by: catalog,
                clock: clock,
                into: &out
            )
        }
        logDate(of: widget, isEnd: isEnd, into: &out)
    }

    private static var dateFlags: UInt8 {
        WidgetRecord.dueAtEnd | WidgetRecord.ownTimer | WidgetRecord.displaced
    }

    /// Finds the earliest time at which the widget reloads if the clock, by which its date has
    /// passed, is set back; nil if the date has not passed, or if it has passed by a clock that is
    /// right.
    private func passedDate(
        _ widget: WidgetID,
        at date: WallTime,
        of message: TimelineMessage
    ) -> WallTime? {
        // A device's own timer goes by the device's clock, which may be right.
        if message.ownTimer { return nil }
        if message.policy == .atEnd {
            // Without entries, the end is the time at which the timeline comes. An end that has
            // only just passed shows that the clock is right.
            guard let end = message.lastEntry?.date else { return min(.zero, clock.now.wall) }
            return clock.now.wall - end > ScheduleClock.tolerance ? end : nil
        }
        if clock.now.wall - date <= ScheduleClock.tolerance { return nil }
        let rules = rules(of: widget)
        if rules.mode != .uniform { return date }
        let window = max(.milliseconds(1), rules.window)
        return date
            + Milliseconds(delivery.spreadHash(of: widget, at: date) % UInt64(window.rawValue))
    }

    /// Answers a TIMELINE with SCHEDULED: when the widget will reload.
    private mutating func answer(
        _ sender: FrameSender,
        seq: UInt64,
        widget: WidgetID,
        date: WallTime,
        warning: ScheduledMessage.Warning?,
        into out: inout Outbox
    ) {
        let reloadAt =
            clock.now.wall + schedules.dateWait(of: widget, in: delivery, by: catalog, clock: clock)
        let body = ScheduledMessage.encode(
            device: delivery.deviceName(delivery.widgets[widget].device),
            widget: delivery.widgetName(widget),
            reloadAt: reloadAt,
            slotDelay: reloadAt - date,
            warning: warning
        )
        out.writeScheduled(body, to: sender, seq: seq)
    }

    /// Forgets a widget's date, and releases its slot.
    mutating func dropDate(of widget: WidgetID, reason: DecisionReason, into out: inout Outbox) {
        if schedules.widgets[widget].timelineAt == .max { return }
        let isEnd = delivery.widgets[widget].has(WidgetRecord.dueAtEnd)
        schedules.widgets[widget].timelineAt = .max
        delivery.widgets[widget].flags &= ~Self.dateFlags
        releaseSlot(widget, into: &out)
        log(widget, reason: reason, cause: isEnd ? .atEnd : .after, into: &out)
    }

    /// Releases a widget's slot at an origin (nil for that of its kind), if it has one; the ledger
    /// may move another widget to it.
    mutating func releaseSlot(
        _ widget: WidgetID,
        of origin: OriginID? = nil,
        into out: inout Outbox
    ) {
        let origin = origin ?? rules(of: widget).origin
        guard let moved = schedules.releaseSlot(of: widget, at: origin, now: clock.schedule.now)
        else { return }
        if !delivery.widgets[moved.widget].has(WidgetRecord.displaced) {
            schedules.widgets[moved.widget].timelineAt += moved.slot.at - moved.formerAt
        }
        updateTimer(moved.widget, into: &out)
    }

    /// Spreads a widget's date again, because the rules by which its kind's reloads are spread have
    /// changed.
    mutating func respread(_ widget: WidgetID, formerOrigin: OriginID, into out: inout Outbox) {
        let reported = schedules.widgets[widget].timelineAt
        if reported == .max { return }
        releaseSlot(widget, of: formerOrigin, into: &out)
        if delivery.widgets[widget].has(WidgetRecord.ownTimer) {
            return schedules.takeReportedSlot(for: widget, by: rules(of: widget), clock: clock)
        }
        if delivery.widgets[widget].has(WidgetRecord.displaced) && reported <= clock.now.wall {
            return schedules.displace(
                widget,
                wanted: reported,
                to: clock.now.wall,
                in: &delivery,
                by: catalog,
                clock: clock,
                into: &out
            )
        }
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        schedules.takeSlot(
            for: widget,
            at: max(reported, clock.now.wall),
            isFixed: false,
            in: delivery,
            by: catalog,
            clock: clock,
            into: &out
        )
    }

    /// Assigns a slot to a widget's date again, because it had passed only by a wrong clock.
    mutating func restoreDate(of widget: WidgetID, into out: inout Outbox) {
        let date = schedules.widgets[widget].timelineAt
        releaseSlot(widget, into: &out)
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        if rules(of: widget).mode == .uniform {
            // The date includes its delay already, which depends only on a hash.
            schedules.takeReportedSlot(for: widget, by: rules(of: widget), clock: clock)
        } else {
            schedules.takeSlot(
                for: widget,
                at: date,
                isFixed: false,
                in: delivery,
                by: catalog,
                clock: clock,
                into: &out
            )
        }
        logDate(
            of: widget,
            isEnd: delivery.widgets[widget].has(WidgetRecord.dueAtEnd),
            into: &out
        )
    }

    // MARK: - The date has come

    /// How late a date may be handled; one that is handled later has lost its slot, because the
    /// router did not run or a clock was set.
    private static var lateness: Milliseconds { .seconds(10) }

    /// Handles a widget's date that has come: requests the reload, or spreads it again if it is
    /// late.
    mutating func dateHasCome(of widget: WidgetID, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        assert(
            schedules.isDateDue(of: widget, in: delivery, by: catalog, clock: clock),
            "the date has not come"
        )
        let isLate =
            -schedules.dateWait(of: widget, in: delivery, by: catalog, clock: clock) > Self.lateness
        let cause: ReloadCause = record.has(WidgetRecord.dueAtEnd) ? .atEnd : .after
        let hasSlot = !schedules.widgets[widget].slot.isNone
        if isLate && hasSlot && !record.has(WidgetRecord.ownTimer) {
            // Overdue reloads are spread again instead of being sent at once.
            let wanted = schedules.wantedDate(of: widget, in: delivery, by: catalog)
            releaseSlot(widget, into: &out)
            schedules.displace(
                widget,
                wanted: wanted,
                to: clock.now.wall,
                in: &delivery,
                by: catalog,
                clock: clock,
                into: &out
            )
            let wait = schedules.dateWait(of: widget, in: delivery, by: catalog, clock: clock)
            if wait > .zero {
                return log(
                    widget,
                    reason: .spread,
                    cause: cause,
                    until: clock.now.monotonic + wait,
                    into: &out
                )
            }
        }
        schedules.widgets[widget].timelineAt = .max
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        if record.has(WidgetRecord.ownTimer) {
            schedules.finishSlot(of: widget, at: rules(of: widget).origin, now: clock.schedule.now)
            // Whether the widget has reloaded is not known before its next TIMELINE.
            delivery.widgets[widget].flags |= WidgetRecord.stale
            log(widget, reason: .done, cause: cause, into: &out)
            return
        }
        requestScheduled(widget, cause: cause, hasSlot: consumeSlot(widget, into: &out), into: &out)
    }

    /// Consumes a widget's slot when its date has come, unless the origin's second is overdrawn.
    /// Widgets that reload along with another one of their device need no slots, but count at the
    /// origin. Once they have used up a second, its remaining slots are invalid: their widgets wait
    /// for permits instead. Returns whether the reload may use the slot; otherwise the slot was
    /// released.
    private mutating func consumeSlot(_ widget: WidgetID, into out: inout Outbox) -> Bool {
        let rules = rules(of: widget)
        if rules.isPaced
            && schedules.origins[rules.origin].ledger.isOverdrawn(at: clock.schedule.now)
        {
            releaseSlot(widget, into: &out)
            return false
        }
        schedules.finishSlot(of: widget, at: rules.origin, now: clock.schedule.now)
        return true
    }

    /// Requests the reload of a widget whose date has come; `hasSlot` says whether its slot at the
    /// origin is still valid.
    private mutating func requestScheduled(
        _ widget: WidgetID,
        cause: ReloadCause,
        hasSlot: Bool,
        into out: inout Outbox
    ) {
        let stage = delivery.widgets[widget].stage
        let privileges = stage == .idle ? [] : delivery.widgets[widget].privileges
        // A newer timeline ends only the date: a reload with another cause keeps that cause's name.
        if !privileges.contains(.isRequested) { delivery.widgets[widget].cause = cause }
        if stage == .idle { schedules.widgets[widget].expiresAt = .min }
        delivery.widgets[widget].privileges = privileges.union(
            ReloadRequest(cause: cause).privileges
        )
        out.observer.counters.reloadRequests &+= 1
        if stage != .idle { out.observer.counters.endings[.coalesced] &+= 1 }
        switch stage {
        case .idle:
            let isVisible = delivery.widgets[widget].has(WidgetRecord.visible)
            delivery.widgets[widget].rank = isVisible ? .visible : .other
            decide(widget, fanOut: 0, hasSlot: hasSlot, into: &out)
        case .debounced, .deferred, .queued:
            log(widget, reason: .coalesced, into: &out)
            decide(widget, fanOut: 0, hasSlot: hasSlot, into: &out)
        case .awaitingSession: log(widget, reason: .coalesced, into: &out)
        case .ready:
            log(widget, reason: .coalesced, into: &out)
            makeReady(widget, into: &out)
        }
    }

    // MARK: - Reloads that the router did not ask for

    /// Records that the device has reloaded a widget by itself.
    private mutating func reloadedItself(
        _ widget: WidgetID,
        because: TimelineReason,
        into out: inout Outbox
    ) {
        log(widget, reason: .done, cause: because == .date ? .after : .request, into: &out)
        schedules.chargeUnrequested(
            widget,
            by: rules(of: widget).budget,
            isCounted: !because.isFree,
            in: delivery,
            now: clock.now.monotonic
        )
    }

    /// Records the date for which a widget's reload is put off; `isEnd` if that is the end of its
    /// timeline.
    private mutating func logDate(of widget: WidgetID, isEnd: Bool, into out: inout Outbox) {
        log(
            widget,
            reason: .scheduled,
            cause: isEnd ? .atEnd : .after,
            until: clock.now.monotonic
                + schedules.dateWait(of: widget, in: delivery, by: catalog, clock: clock),
            into: &out
        )
    }
}
