internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling

/// TIMELINE: the dates at which widgets ask to be reloaded, and the slots that they are given.
extension ReloadState {
    mutating func show(
        _ connection: UInt32,
        _ message: TimelineMessage,
        _ out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        let widget = try storedWidget(device, message.widget)
        if let reload = message.reload, reload == delivery.widgets[widget].lastReload {
            delivery.widgets[widget].flags &= ~WidgetRecord.unanswered
        }
        // After the flag has been cleared: taking a device over sends its unanswered RELOADs again.
        takeOver(device, connection, &out)
        if let because = message.because { reloadedItself(widget, because, &out) }
        delivery.widgets[widget].flags &= ~WidgetRecord.stale
        if message.hasCloseEntries { out.observer.counters.closeEntries += 1 }
        dropDate(widget, .superseded, &out)
        supersede(widget, &out)
        if let date = wantedDate(widget, message) {
            plan(widget, date, message, &out)
            answer(connection, widget, date, message.hasCloseEntries, &out)
        }
        arm(widget, &out)
    }

    /// Removes an older timeline's date from the causes of the pending reload, and ends the reload if it has
    /// no other cause.
    private mutating func supersede(_ widget: WidgetID, _ out: inout Outbox) {
        let record = delivery.widgets[widget]
        let isDate = record.stage == .deferred || record.stage == .queued
        if !isDate || record.has(WidgetRecord.resent) { return }
        delivery.widgets[widget].rights.remove(.hasDate)
        if record.rights.contains(.isNoDate) { return }
        delivery.setStage(widget, .idle)
        out.observer.counters.endings[.superseded] &+= 1
        note(widget, .superseded, &out)
    }

    /// The date that a timeline asks for, in ms of wall time.
    private func wantedDate(_ widget: WidgetID, _ message: TimelineMessage) -> Int64? {
        switch message.policy {
        case .never: nil
        case .after(let date): min(date, Self.lastDate)
        case .atEnd:
            min(
                max(
                    message.lastEntry ?? clock.now.wall,
                    clock.now.wall + rules(of: widget).atEndFloor
                ),
                Self.lastDate
            )
        }
    }

    /// The end of the year 9999, in ms since 1970: later dates are taken for this one.
    static var lastDate: Int64 { 253_402_300_799_999 }

    /// Gives a widget's date its slot.
    private mutating func plan(
        _ widget: WidgetID,
        _ date: Int64,
        _ message: TimelineMessage,
        _ out: inout Outbox
    ) {
        let (isEnd, isFixed) = (message.policy == .atEnd, message.ownTimer)
        delivery.widgets[widget].flags &= ~Self.dateFlags
        if isEnd { delivery.widgets[widget].flags |= WidgetRecord.dueAtEnd }
        if isFixed { delivery.widgets[widget].flags |= WidgetRecord.ownTimer }
        if let wanted = passedDate(widget, date, message) {
            displace(widget, wanted: wanted, to: max(date, clock.now.wall), &out)
        } else {
            takeSlot(widget, max(date, clock.now.wall), isFixed: isFixed, &out)
        }
        note(
            widget,
            .scheduled,
            isEnd ? .atEnd : .after,
            until: clock.now.monotonic + dateWait(widget),
            &out
        )
    }

    private static var dateFlags: UInt8 {
        WidgetRecord.dueAtEnd | WidgetRecord.ownTimer | WidgetRecord.displaced
    }

    /// The date that a timeline would have, if the wall clock now is not where it should be and the
    /// date depends on that; nil if it does not.
    private func passedDate(
        _ widget: WidgetID,
        _ date: Int64,
        _ message: TimelineMessage
    ) -> Int64? {
        // A device's own timer goes by the device's clock, which may be right.
        if message.ownTimer { return nil }
        if message.policy == .atEnd {
            // Without entries, the end is whenever the timeline comes; and one that has only just
            // passed says that the clock is right.
            guard let end = message.lastEntry else { return min(0, clock.now.wall) }
            return clock.now.wall - end > ScheduleClock.tolerance ? end : nil
        }
        if clock.now.wall - date <= ScheduleClock.tolerance { return nil }
        let rules = rules(of: widget)
        if rules.mode != .uniform { return date }
        return date + Int64(spreadHash(widget, date) % UInt64(max(1, rules.window)))
    }

    /// Sets `timelineAt` to a date not before `date`, as the kind's reloads are spread.
    mutating func takeSlot(_ widget: WidgetID, _ date: Int64, isFixed: Bool, _ out: inout Outbox) {
        let rules = rules(of: widget)
        let earliest = clock.schedule.schedule(wall: date)
        if earliest >= SlotLedger.latest {
            // So far ahead nothing is spread, and the ledger's last second would come before it.
            delivery.schedules[widget].timelineAt = date
            return
        }
        let slot: Slot
        switch rules.mode {
        case .none:
            delivery.schedules[widget].timelineAt = date
            return
        case .uniform:
            slot = origins[rules.origin].ledger.takeUniform(
                widget,
                earliest: earliest,
                window: rules.window,
                hash: spreadHash(widget, date)
            )
        case .ledger:
            let before = origins[rules.origin].ledger.statistics.windowsGrown
            slot = origins[rules.origin].ledger.take(
                widget,
                earliest: earliest,
                window: rules.window,
                isFixed: isFixed,
                now: clock.schedule.now
            )
            let grown = origins[rules.origin].ledger.statistics.windowsGrown - before
            out.observer.counters.windowsGrown &+= UInt64(grown)
        }
        delivery.schedules[widget].slot = slot.position
        // Of dates that the ledger cannot tell apart only the order of years is kept.
        delivery.schedules[widget].timelineAt = date + max(0, slot.at - earliest)
    }

    /// The same for the same widget and date, also after a restart.
    private func spreadHash(_ widget: WidgetID, _ date: Int64) -> UInt64 {
        let device = stableHash(
            delivery.deviceName(delivery.widgets[widget].device),
            seed: UInt64(bitPattern: date)
        )
        return stableHash(delivery.widgetName(widget), seed: device)
    }

    private mutating func answer(
        _ connection: UInt32,
        _ widget: WidgetID,
        _ date: Int64,
        _ hasCloseEntries: Bool,
        _ out: inout Outbox
    ) {
        let reloadAt = clock.now.wall + dateWait(widget)
        let body = ScheduledMessage.encode(
            device: delivery.deviceName(delivery.widgets[widget].device),
            widget: delivery.widgetName(widget),
            reloadAt: reloadAt,
            slotDelay: reloadAt - date,
            warning: hasCloseEntries ? .entriesClose : nil
        )
        out.write(connection, .scheduled, seq: scratch.frameSeq, body)
    }

    /// Forgets a widget's date, and gives its slot back.
    mutating func dropDate(_ widget: WidgetID, _ reason: DecisionReason, _ out: inout Outbox) {
        if delivery.schedules[widget].timelineAt == .max { return }
        let isEnd = delivery.widgets[widget].has(WidgetRecord.dueAtEnd)
        delivery.schedules[widget].timelineAt = .max
        delivery.widgets[widget].flags &= ~Self.dateFlags
        giveBackSlot(widget, &out)
        note(widget, reason, isEnd ? .atEnd : .after, &out)
    }

    /// Gives a widget's slot back; another widget may be moved to it.
    ///
    /// - Parameters:
    ///   - widget: whose.
    ///   - origin: whose slot it is, if not that of the widget's kind.
    ///   - out: collects frames, timers and counts that result.
    mutating func giveBackSlot(_ widget: WidgetID, of origin: UInt32? = nil, _ out: inout Outbox) {
        let slot = delivery.schedules[widget].slot
        if slot.isNone { return }
        delivery.schedules[widget].slot = .none
        let origin = origin ?? rules(of: widget).origin
        guard
            let moved = origins[origin].ledger.giveBack(slot, now: clock.schedule.now)
        else { return }
        delivery.schedules[moved.id].slot = moved.slot.position
        if !delivery.widgets[moved.id].has(WidgetRecord.displaced) {
            delivery.schedules[moved.id].timelineAt += moved.slot.at - moved.formerAt
        }
        arm(moved.id, &out)
    }

    /// Spreads a widget's date anew, because its kind's reloads are spread otherwise from now on.
    mutating func respread(_ widget: WidgetID, formerOrigin: UInt32, _ out: inout Outbox) {
        let told = delivery.schedules[widget].timelineAt
        if told == .max { return }
        giveBackSlot(widget, of: formerOrigin, &out)
        if delivery.widgets[widget].has(WidgetRecord.ownTimer) { return countAsTold(widget) }
        if delivery.widgets[widget].has(WidgetRecord.displaced) && told <= clock.now.wall {
            return displace(widget, wanted: told, to: clock.now.wall, &out)
        }
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        takeSlot(widget, max(told, clock.now.wall), isFixed: false, &out)
    }

    /// Takes the very slot at which the device's own timer will fire, however full that is.
    mutating func countAsTold(_ widget: WidgetID) {
        let rules = rules(of: widget)
        if rules.mode == .none { return }
        let earliest = clock.schedule.schedule(wall: delivery.schedules[widget].timelineAt)
        if earliest >= SlotLedger.latest { return }
        let slot = origins[rules.origin].ledger.takeUniform(
            widget,
            earliest: earliest,
            window: 1,
            hash: 0
        )
        delivery.schedules[widget].slot = slot.position
    }

    /// Has used a widget's slot.
    private mutating func finishSlot(_ widget: WidgetID) {
        let slot = delivery.schedules[widget].slot
        if slot.isNone { return }
        delivery.schedules[widget].slot = .none
        origins[rules(of: widget).origin].ledger.finish(slot, now: clock.schedule.now)
    }

    // MARK: - The date has come

    /// A date that is met this late, in ms, has lost its slot: the router or its clock was away.
    private static var lateness: Int64 { 10_000 }

    mutating func dateHasCome(_ widget: WidgetID, _ out: inout Outbox) {
        let record = delivery.widgets[widget]
        let isLate = -dateWait(widget) > Self.lateness
        let cause: ReloadCause = record.has(WidgetRecord.dueAtEnd) ? .atEnd : .after
        let hasSlot = !delivery.schedules[widget].slot.isNone
        if isLate && hasSlot && !record.has(WidgetRecord.ownTimer) {
            // Overdue reloads are spread again, and do not go at once.
            let wanted = wantedDate(widget)
            giveBackSlot(widget, &out)
            displace(widget, wanted: wanted, to: clock.now.wall, &out)
            let wait = dateWait(widget)
            if wait > 0 {
                return note(widget, .spread, cause, until: clock.now.monotonic + wait, &out)
            }
        }
        delivery.schedules[widget].timelineAt = .max
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        if record.has(WidgetRecord.ownTimer) {
            finishSlot(widget)
            // Whether it has reloaded is not known before its next TIMELINE.
            delivery.widgets[widget].flags |= WidgetRecord.stale
            note(widget, .done, cause, &out)
            return
        }
        dated(widget, cause, hasSlot: keepsSlot(widget, &out), &out)
    }

    /// Uses a widget's slot, if it still stands.
    ///
    /// Widgets that are reloaded together with another one of their device have no slots of their own. If
    /// they have used up a second, the slots of others in it do not hold: these wait for a turn instead.
    private mutating func keepsSlot(_ widget: WidgetID, _ out: inout Outbox) -> Bool {
        let rules = rules(of: widget)
        if rules.isPaced && origins[rules.origin].ledger.isOverdrawn(at: clock.schedule.now) {
            giveBackSlot(widget, &out)
            return false
        }
        finishSlot(widget)
        return true
    }

    /// A widget's date has come, and with it its slot at the origin, if that still stands.
    private mutating func dated(
        _ widget: WidgetID,
        _ cause: ReloadCause,
        hasSlot: Bool,
        _ out: inout Outbox
    ) {
        let stage = delivery.widgets[widget].stage
        let rights = stage == .idle ? [] : delivery.widgets[widget].rights
        // A newer timeline ends the date only: a reload that has another cause keeps that one's name.
        if !rights.contains(.isNoDate) { delivery.widgets[widget].cause = cause }
        if stage == .idle { delivery.schedules[widget].voidAt = .min }
        delivery.widgets[widget].rights = rights.union(ReloadWish(cause: cause).rights)
        out.observer.counters.wishes &+= 1
        if stage != .idle { out.observer.counters.endings[.coalesced] &+= 1 }
        switch stage {
        case .idle:
            let isVisible = delivery.widgets[widget].has(WidgetRecord.visible)
            delivery.widgets[widget].rank = isVisible ? .visible : .other
            decide(widget, 0, hasSlot: hasSlot, &out)
        case .debounced, .deferred, .queued:
            note(widget, .coalesced, &out)
            decide(widget, 0, hasSlot: hasSlot, &out)
        case .held:
            note(widget, .coalesced, &out)
        case .ready:
            note(widget, .coalesced, &out)
            makeReady(widget, &out)
        }
    }

    // MARK: - Reloads that the router did not ask for

    /// The device has reloaded a widget by itself.
    private mutating func reloadedItself(
        _ widget: WidgetID,
        _ because: TimelineReason,
        _ out: inout Outbox
    ) {
        note(widget, .done, because == .date ? .after : .request, &out)
        payAside(widget, isCounted: !because.isFree)
    }

    /// Pays for a reload that happens anyway, as far as the budget goes: beyond it WidgetKit does
    /// not reload.
    ///
    /// - Returns: whether the widget was reloaded.
    @discardableResult
    mutating func payAside(_ widget: WidgetID, isCounted: Bool = true) -> Bool {
        let policy = rules(of: widget).budget
        let device = delivery.devices[delivery.widgets[widget].device]
        if policy.isLimited && isCounted && !device.isExempt {
            let time = delivery.schedules[widget].budget.earliest(
                policy,
                mayUseReserve: true,
                at: clock.now.monotonic,
                phase: phase(widget)
            )
            if time > clock.now.monotonic { return false }
            delivery.schedules[widget].budget.charge(at: clock.now.monotonic, phase: phase(widget))
        }
        if policy.isLimited || policy.spacing > 0 {
            delivery.schedules[widget].setLastReload(clock.now.monotonic)
        }
        return true
    }
}
