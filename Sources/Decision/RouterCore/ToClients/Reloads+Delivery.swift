internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// Delivery: making RELOADs of the reloads that are pending for a device.
extension Reloads {
    /// Makes RELOADs of the reloads that are pending for a device, or a push if it has no session.
    /// `isFanningOut` says that matches wait that may bring values for its widgets.
    mutating func deliver(to device: DeviceID, isFanningOut: Bool, into out: inout Outbox) {
        if delivery.isAttached(delivery.devices[device]) {
            encodeReloads(of: device, isFanningOut: isFanningOut, into: &out)
        } else {
            makePush(to: device, isFanningOut: isFanningOut, into: &out)
        }
    }

    /// Makes RELOADs of the reloads that are pending for a device, or drops them if they have
    /// expired.
    private mutating func encodeReloads(
        of device: DeviceID,
        isFanningOut: Bool,
        into out: inout Outbox
    ) {
        let record = delivery.devices[device]
        let first = out.reloadWidgets.count
        if !takeUnexpired(of: device, into: &out) { return }
        chargeDelivery(device, record: record, from: first, isFanningOut: isFanningOut, into: &out)
        makeReloads(device, record: record, from: first, into: &out)
    }

    /// Moves a device's pending chain to the end of `reloadWidgets`, or drops its reloads if they
    /// have expired. Returns false if they have.
    mutating func takeUnexpired(of device: DeviceID, into out: inout Outbox) -> Bool {
        let end = delivery.devices[device].expiresAt
        let first = out.reloadWidgets.count
        delivery.takePending(of: device, to: &out.reloadWidgets)
        delivery.devices[device].flags &= ~DeviceRecord.urgent
        delivery.devices[device].expiresAt = .min
        if end > clock.now.wall { return true }
        for index in first..<out.reloadWidgets.count {
            expire(out.reloadWidgets[index], into: &out)
        }
        out.reloadWidgets.removeSubrange(first...)
        return false
    }

    /// Charges the budgets of the widgets in `reloadWidgets` from `first` on, and of their
    /// siblings: the other widgets of the same kinds on the device.
    ///
    /// `reloadTimelines(ofKind:)` reloads every widget of the kind on the device, so all of them
    /// are charged. A sibling's pending reload joins the RELOAD. A sibling without one is charged
    /// only if the RELOAD charges a widget of the same kind.
    mutating func chargeDelivery(
        _ device: DeviceID,
        record: DeviceRecord,
        from first: Int,
        isFanningOut: Bool,
        into out: inout Outbox
    ) {
        numbers.delivery &+= 1
        var hasSiblings = false
        for index in first..<out.reloadWidgets.count {
            let widget = out.reloadWidgets[index]
            let kind = delivery.widgets[widget].kind
            if catalog.kinds[kind].rules.reloadsImmediately { continue }
            let isCounted = schedules.chargeBudget(
                widget,
                by: rules(of: widget).budget,
                in: delivery,
                now: clock.now.monotonic
            )
            if isCounted { catalog.kinds[kind].paidInDelivery = numbers.delivery }
            catalog.kinds[kind].reloadedInDelivery = numbers.delivery
            hasSiblings = true
        }
        let count = out.reloadWidgets.count - first
        if !hasSiblings || count == Int(record.widgetCount) { return }
        out.work.charge(Int(record.widgetCount) &* WorkCost.record)
        for index in first..<out.reloadWidgets.count {
            delivery.widgets[out.reloadWidgets[index]].isMarked = true
        }
        var widget = record.firstWidget
        while !widget.isNone {
            let sibling = delivery.widgets[widget]
            if catalog.kinds[sibling.kind].reloadedInDelivery == numbers.delivery
                && !sibling.isMarked
            {
                reloadAlong(widget, isFanningOut: isFanningOut, into: &out)
            }
            widget = sibling.nextOfDevice
        }
        for index in first..<out.reloadWidgets.count {
            delivery.widgets[out.reloadWidgets[index]].isMarked = false
        }
    }

    /// Charges a widget that reloads because another widget of its kind does, and adds its pending
    /// reload to the RELOAD.
    private mutating func reloadAlong(
        _ widget: WidgetID,
        isFanningOut: Bool,
        into out: inout Outbox
    ) {
        let stage = delivery.widgets[widget].stage
        let rules = rules(of: widget)
        // A fan-out is running: its next portion may bring values for this widget.
        if isFanningOut && rules.inlines && stage != .idle { return }
        let kind = delivery.widgets[widget].kind
        // A pending reload is charged as if it were sent alone.
        let isCounted =
            stage == .idle
            ? catalog.kinds[kind].paidInDelivery == numbers.delivery
            : !delivery.isExempt(delivery.widgets[widget])
        joinDelivery(widget, isCounted: isCounted, into: &out)
    }

    /// Charges a widget that reloads along with others, unless its budget allows no reload, and
    /// adds its pending reload to `reloadWidgets`.
    mutating func joinDelivery(_ widget: WidgetID, isCounted: Bool, into out: inout Outbox) {
        let rules = rules(of: widget)
        let isPaid = schedules.chargeUnrequested(
            widget,
            by: rules.budget,
            isCounted: isCounted,
            in: delivery,
            now: clock.now.monotonic
        )
        if !isPaid { return }
        if rules.isPaced { schedules.origins[rules.origin].ledger.spend(1, at: clock.schedule.now) }
        let stage = delivery.widgets[widget].stage
        if stage == .idle { return }
        delivery.setStage(of: widget, to: .idle)
        if stage == .debounced || stage == .deferred { updateTimer(widget, into: &out) }
        log(widget, reason: .coalesced, into: &out)
        out.reloadWidgets.append(widget)
    }

    /// Makes RELOADs of the widgets in `reloadWidgets` from `first` on.
    private mutating func makeReloads(
        _ device: DeviceID,
        record: DeviceRecord,
        from first: Int,
        into out: inout Outbox
    ) {
        var start = first
        var orders = 0
        while start < out.reloadWidgets.count {
            let count = fields.portion(
                of: out.reloadWidgets.span.extracting(droppingFirst: start),
                in: delivery,
                by: catalog
            )
            numbers.nextReload()
            for index in start..<start + count {
                sent(out.reloadWidgets[index], as: .sent, into: &out)
            }
            makeReload(for: device, record: record, widgets: start..<start + count, into: &out)
            start += count
            orders += 1
        }
        if !record.has(DeviceRecord.asked) {
            delivery.endLoop(device, now: clock.now.monotonic)
        }
        delivery.devices[device].lastReloadAt = max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        delivery.devices[device].flags &= ~DeviceRecord.asked
        if record.cause != .download { delivery.devices[device].flags &= ~DeviceRecord.downloaded }
        out.observer.counters.reloadsSent += UInt64(orders)
        out.observer.counters.reloadsByCause[record.cause] &+= UInt64(orders)
        out.observer.appMetrics[record.app].reloads &+= UInt64(orders)
    }

    /// Records that the present RELOAD (`sent`) or push (`apns`) reloads a widget, whose answer is
    /// outstanding.
    mutating func sent(_ widget: WidgetID, as reason: DecisionReason, into out: inout Outbox) {
        delivery.widgets[widget].lastReload = numbers.reload
        delivery.widgets[widget].flags |= WidgetRecord.unanswered
        delivery.widgets[widget].flags &= ~(WidgetRecord.resent | WidgetRecord.stale)
        out.observer.counters.endings[reason] &+= 1
        log(widget, reason: reason, into: &out)
    }
}
