internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
internal import WidgetMatching

/// Delivering: what is pending for a device becomes RELOADs.
extension ReloadState {
    /// Makes RELOADs of what is pending for a device.
    mutating func hand(_ device: DeviceID, _ out: inout Outbox) {
        let record = delivery.devices[device]
        let first = out.reloadWidgets.count
        takePending(device, &out)
        delivery.devices[device].flags &= ~DeviceRecord.urgent
        delivery.devices[device].voidAt = .min
        if record.voidAt <= clock.now.wall {
            for index in first..<out.reloadWidgets.count { expire(out.reloadWidgets[index], &out) }
            return out.reloadWidgets.removeSubrange(first...)
        }
        payFor(device, record, from: first, &out)
        order(device, record, from: first, &out)
    }

    /// Moves a device's pending chain to the end of `reloadWidgets`, in the order it came.
    private mutating func takePending(_ device: DeviceID, _ out: inout Outbox) {
        let first = out.reloadWidgets.count
        var widget = delivery.devices[device].firstPending
        while widget != WidgetRecord.none {
            out.reloadWidgets.append(widget)
            delivery.setStage(widget, .idle)
            widget = delivery.widgets[widget].nextPending
        }
        delivery.devices[device].firstPending = WidgetRecord.none
        // In place: reversing a slice of the array would copy it.
        var left = first
        var right = out.reloadWidgets.count - 1
        while left < right {
            out.reloadWidgets.swapAt(left, right)
            left += 1
            right -= 1
        }
    }

    /// Pays for the reloads from `first` on, and for those of their siblings.
    ///
    /// `reloadTimelines(ofKind:)` reloads every instance of the kind on the device, so all of them
    /// pay; what waits for one of them has happened with it, and joins the RELOAD. Where none of
    /// those that the RELOAD is for is counted, siblings are not either, unless something waits.
    private mutating func payFor(
        _ device: DeviceID,
        _ record: DeviceRecord,
        from first: Int,
        _ out: inout Outbox
    ) {
        numbers.delivery &+= 1
        var hasSiblings = false
        for index in first..<out.reloadWidgets.count {
            let widget = out.reloadWidgets[index]
            let kind = Int(delivery.widgets[widget].kind)
            if catalog.kinds[kind].rules.isPlain { continue }
            if pay(widget) { catalog.kinds[kind].paidIn = numbers.delivery }
            catalog.kinds[kind].reloadedIn = numbers.delivery
            hasSiblings = true
        }
        let count = out.reloadWidgets.count - first
        if !hasSiblings || count == Int(record.widgetCount) { return }
        out.work.charge(Int(record.widgetCount) &* WorkCost.record)
        for index in first..<out.reloadWidgets.count {
            delivery.widgets[out.reloadWidgets[index]].isMarked = true
        }
        var widget = record.firstWidget
        while widget != WidgetRecord.none {
            let sibling = delivery.widgets[widget]
            if catalog.kinds[Int(sibling.kind)].reloadedIn == numbers.delivery && !sibling.isMarked
            {
                reloadAlong(widget, &out)
            }
            widget = sibling.nextOfDevice
        }
        for index in first..<out.reloadWidgets.count {
            delivery.widgets[out.reloadWidgets[index]].isMarked = false
        }
    }

    /// A widget reloads because another of its kind does.
    private mutating func reloadAlong(_ widget: WidgetID, _ out: inout Outbox) {
        let stage = delivery.widgets[widget].stage
        let rules = rules(of: widget)
        // The next portion of a push may have values for it.
        if !fanOuts.isEmpty && rules.carries && stage != .idle { return }
        let kind = Int(delivery.widgets[widget].kind)
        // What waits for it is counted as if it came alone.
        let isCounted =
            stage == .idle ? catalog.kinds[kind].paidIn == numbers.delivery : !isExempt(widget)
        if !payAside(widget, isCounted: isCounted) { return }
        if rules.isPaced { origins[rules.origin].ledger.spend(1, at: clock.schedule.now) }
        if stage == .idle { return }
        delivery.setStage(widget, .idle)
        if stage == .debounced || stage == .deferred { arm(widget, &out) }
        note(widget, .coalesced, &out)
        out.reloadWidgets.append(widget)
    }

    /// Makes RELOADs of the widgets from `first` on.
    private mutating func order(
        _ device: DeviceID,
        _ record: DeviceRecord,
        from first: Int,
        _ out: inout Outbox
    ) {
        var start = first
        var orders = 0
        while start < out.reloadWidgets.count {
            let count = portion(out.reloadWidgets.span.extracting(droppingFirst: start))
            numbers.reload += 1
            for index in start..<start + count { sent(out.reloadWidgets[index], &out) }
            delivery.sessions[record.connection].lastReload = numbers.reload
            makeReload(device, record, start..<start + count, &out)
            start += count
            orders += 1
        }
        if !record.has(DeviceRecord.asked) { endLoop(device) }
        delivery.devices[device].lastReloadAt = max(1, clock.now.monotonic)
        delivery.devices[device].flags &= ~DeviceRecord.asked
        if record.cause != .download {
            delivery.devices[device].flags &= ~DeviceRecord.downloaded
        }
        out.observer.counters.reloadsSent += UInt64(orders)
        out.observer.counters.reloadsByCause[record.cause] &+= UInt64(orders)
        out.observer.appMetrics[Int(record.app)].reloads &+= UInt64(orders)
    }

    private mutating func sent(_ widget: WidgetID, _ out: inout Outbox) {
        delivery.widgets[widget].lastReload = numbers.reload
        delivery.widgets[widget].flags |= WidgetRecord.unanswered
        delivery.widgets[widget].flags &= ~(WidgetRecord.resent | WidgetRecord.stale)
        out.observer.counters.endings[.sent] &+= 1
        note(widget, .sent, &out)
    }

    /// How many of these widgets, the first ones, one RELOAD names: their number and the values that it
    /// brings are limited.
    private func portion(_ widgets: Span<WidgetID>) -> Int {
        let most = min(widgets.count, RouterLimits.widgetsPerReload)
        var bytes = 0
        for count in 0..<most {
            bytes += carriedByteCount(widgets[count])
            if bytes > RouterLimits.carriedBytesPerReload && count > 0 { return count }
        }
        return most
    }

    /// Bytes of the values that a RELOAD brings for a widget; 0 if it brings none.
    func carriedByteCount(_ widget: WidgetID) -> Int {
        let kind = delivery.widgets[widget].kind
        if !catalog.kinds[Int(kind)].rules.carries { return 0 }
        if !fields.widgets.hasAllCarried(widget, kind: kind, catalog: fields.catalog) { return 0 }
        return fields.widgets.carriedByteCount(widget, kind: kind, catalog: fields.catalog)
    }

    /// Lets the origins forget seconds that are over.
    ///
    /// About once in each; but if there is a journal, only when there is something else to write: a
    /// router that nobody talks to leaves the disk alone.
    mutating func passOrigins() {
        clock.nextPass = clock.schedule.now + 1_000
        producers.timePasses(now: clock.now)
        for origin in 0..<UInt32(origins.count) { passOrigin(origin) }
    }

    private mutating func passOrigin(_ origin: UInt32) {
        origins[origin].ledger.pass(clock.schedule.now)
        if origins[origin].queue.count <= 2 * matcher.index.widgetCount + 64 { return }
        // Entries whose reload has gone another way are left in the queue until there are many.
        Self.compact(&origins[origin].queue, delivery)
    }

    private static func compact(_ queue: inout PacedQueue, _ delivery: borrowing DeliveryTable) {
        queue.compact(idEnd: delivery.widgets.end) { delivery.widgets[$0].stage == .queued }
    }
}
