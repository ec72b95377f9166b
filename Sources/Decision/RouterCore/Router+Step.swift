internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
package import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
internal import WidgetMatching

extension Router {
    /// Decides what this loop turn's input and the time that has passed lead to: RELOADs, then
    /// acknowledgements.
    ///
    /// As many RELOADs as cost no more than `RouterLimits.reloadsPerStep` of one widget each, for what
    /// at most `matchesPerStep` widgets more have led to; while `needsStep`, a further step goes on
    /// with the rest.
    package mutating func step(now: Instant) {
        tick(now)
        goOnFanningOut()
        expireTimers()
        letTurnsGo()
        if paused.hasReleased { releasePaused() }
        let end = work.spent + RouterLimits.reloadsPerStep * WorkCost.reload
        while work.spent < end, output.hasReloadRoom, let device = agenda.urgent.popFirst() {
            deliver(device, agenda.urgent.arrival)
        }
        while work.spent < end, output.hasReloadRoom, let device = agenda.ready.popFirst() {
            prefetchReady()
            deliver(device, agenda.ready.arrival)
        }
        for connection in acknowledging { acknowledge(connection) }
        acknowledging.removeAll(keepingCapacity: true)
        work.beginRound(at: now.monotonic)
        if scheduleClock.now >= nextPass && (!log.isOn || !log.isEmpty) { commit(.originsPassed) }
    }

    /// When the router has something to do next if nothing comes in, in ms of the monotonic clock;
    /// nil if it has nothing.
    ///
    /// Never later than a minute if a date is waited for: the wall clock may jump.
    package func nextWakeUp(after now: Instant) -> Int64? {
        var time = Int64.max
        if let due = agenda.nextTimer {
            time = min(scheduleClock.monotonic(due), now.monotonic + Self.longestSleep)
        }
        var next = origins.nextWaiting(from: 0)
        while let origin = next {
            if !paused.has(origin: origin) {
                let turn = origins[origin].ledger.nextPermit(after: scheduleClock.now)
                time = min(time, scheduleClock.monotonic(turn))
            }
            next = origins.nextWaiting(from: origin + 1)
        }
        return time == .max ? nil : max(time, now.monotonic)
    }

    private static var longestSleep: Int64 { 60_000 }

    // MARK: - Delivery

    /// Brings what the next deliveries read close: records of devices first, then what these name.
    @inline(__always)
    private func prefetchReady() {
        if let device = agenda.ready.peek(2 * Self.prefetchDistance) {
            delivery.devices.prefetch(device)
            decisions.prefetchCursor(device)
        }
        if let device = agenda.ready.peek(Self.prefetchDistance) {
            delivery.prefetchPending(of: device)
            decisions.prefetch(device)
        }
    }

    /// Turns a device's pending widgets into RELOADs, if its connection takes output.
    ///
    /// - Parameters:
    ///   - device: whose.
    ///   - arrival: when the push came that has made it ready; 0 if none has.
    private mutating func deliver(_ device: DeviceID, _ arrival: Int64) {
        // One that has nothing left to send costs something all the same.
        work.charge(WorkCost.reload)
        let record = delivery.devices[device]
        guard record.has(DeviceRecord.queued), record.firstPending != WidgetRecord.none,
            delivery.isAttached(record)
        else {
            delivery.devices[device].flags &= ~DeviceRecord.queued
            return
        }
        if !delivery.connections[record.connection].isWritable {
            return agenda.wait(device, for: record.connection)
        }
        if paused.has(record.app) { return paused.wait(device, of: record.app) }
        let firstWidget = reloadWidgets.count
        let firstAction = actions.count
        commit(.delivered(device: device))
        let count = actions.count - firstAction
        chargeReloads(count, ofWidgets: reloadWidgets.count - firstWidget)
        if record.cause == .push { reloadArrivals.add(UInt32(count), arrival: arrival) }
    }

    /// Charges what RELOADs cost beyond the first one of its first widget.
    @inline(__always)
    private mutating func chargeReloads(_ count: Int, ofWidgets widgetCount: Int) {
        if widgetCount <= 1 { return }
        work.charge(
            (count - 1) &* WorkCost.reload &+ (widgetCount - count) &* WorkCost.reloadedWidget
        )
    }

    /// Makes RELOADs of what is pending for a device.
    mutating func hand(_ device: DeviceID) {
        let record = delivery.devices[device]
        let first = reloadWidgets.count
        takePending(device)
        delivery.devices[device].flags &= ~(DeviceRecord.queued | DeviceRecord.urgent)
        delivery.devices[device].voidAt = .min
        if record.voidAt <= now.wall {
            for index in first..<reloadWidgets.count { expire(reloadWidgets[index]) }
            return reloadWidgets.removeSubrange(first...)
        }
        payFor(device, record, from: first)
        order(device, record, from: first)
    }

    /// Moves a device's pending chain to the end of `reloadWidgets`, in the order it came.
    private mutating func takePending(_ device: DeviceID) {
        let first = reloadWidgets.count
        var widget = delivery.devices[device].firstPending
        while widget != WidgetRecord.none {
            reloadWidgets.append(widget)
            delivery.setStage(widget, .idle)
            widget = delivery.widgets[widget].nextPending
        }
        delivery.devices[device].firstPending = WidgetRecord.none
        // In place: reversing a slice of the array would copy it.
        var left = first
        var right = reloadWidgets.count - 1
        while left < right {
            reloadWidgets.swapAt(left, right)
            left += 1
            right -= 1
        }
    }

    /// Pays for the reloads from `first` on, and for those of their siblings.
    ///
    /// `reloadTimelines(ofKind:)` reloads every instance of the kind on the device, so all of them
    /// pay; what waits for one of them has happened with it, and joins the RELOAD. Where none of
    /// those that the RELOAD is for is counted, siblings are not either, unless something waits.
    private mutating func payFor(_ device: DeviceID, _ record: DeviceRecord, from first: Int) {
        deliveryNumber &+= 1
        var hasSiblings = false
        for index in first..<reloadWidgets.count {
            let widget = reloadWidgets[index]
            let kind = Int(delivery.widgets[widget].kind)
            if kinds[kind].rules.isPlain { continue }
            if pay(widget) { kinds[kind].paidIn = deliveryNumber }
            kinds[kind].reloadedIn = deliveryNumber
            hasSiblings = true
        }
        let count = reloadWidgets.count - first
        if !hasSiblings || count == Int(record.widgetCount) { return }
        work.charge(Int(record.widgetCount) &* WorkCost.record)
        for index in first..<reloadWidgets.count {
            delivery.widgets[reloadWidgets[index]].isMarked = true
        }
        var widget = record.firstWidget
        while widget != WidgetRecord.none {
            let sibling = delivery.widgets[widget]
            if kinds[Int(sibling.kind)].reloadedIn == deliveryNumber && !sibling.isMarked {
                reloadAlong(widget)
            }
            widget = sibling.nextOfDevice
        }
        for index in first..<reloadWidgets.count {
            delivery.widgets[reloadWidgets[index]].isMarked = false
        }
    }

    /// A widget reloads because another of its kind does.
    private mutating func reloadAlong(_ widget: WidgetID) {
        let stage = delivery.widgets[widget].stage
        let rules = rules(of: widget)
        // The next portion of a push may have values for it.
        if isFanningOut && rules.carries && stage != .idle { return }
        let kind = Int(delivery.widgets[widget].kind)
        // What waits for it is counted as if it came alone.
        let isCounted =
            stage == .idle ? kinds[kind].paidIn == deliveryNumber : !isExempt(widget)
        if !payAside(widget, isCounted: isCounted) { return }
        if rules.isPaced { origins[rules.origin].ledger.spend(1, at: scheduleClock.now) }
        if stage == .idle { return }
        delivery.setStage(widget, .idle)
        if stage == .debounced || stage == .deferred { arm(widget) }
        note(widget, .coalesced)
        reloadWidgets.append(widget)
    }

    /// Makes RELOADs of the widgets from `first` on.
    private mutating func order(
        _ device: DeviceID,
        _ record: DeviceRecord,
        from first: Int
    ) {
        var start = first
        var orders = 0
        while start < reloadWidgets.count {
            let count = portion(from: start)
            reloadSeq += 1
            for index in start..<start + count { sent(reloadWidgets[index]) }
            delivery.connections[record.connection].lastReload = reloadSeq
            actions.append(
                .reload(
                    ReloadOrder(
                        connection: record.connection,
                        device: device,
                        seq: reloadSeq,
                        firstWidget: start,
                        widgetCount: count,
                        cause: record.cause
                    )
                )
            )
            output.addReload(Self.reloadBound(widgets: count))
            start += count
            orders += 1
        }
        if !record.has(DeviceRecord.asked) { endLoop(device) }
        delivery.devices[device].lastReloadAt = max(1, now.monotonic)
        delivery.devices[device].flags &= ~DeviceRecord.asked
        if record.cause != .download {
            delivery.devices[device].flags &= ~DeviceRecord.downloaded
        }
        counters.reloadsSent += UInt64(orders)
        counters.reloadsByCause[record.cause] &+= UInt64(orders)
        appMetrics[Int(record.app)].reloads &+= UInt64(orders)
    }

    private mutating func sent(_ widget: WidgetID) {
        delivery.widgets[widget].lastReload = reloadSeq
        delivery.widgets[widget].flags |= WidgetRecord.unanswered
        delivery.widgets[widget].flags &= ~(WidgetRecord.resent | WidgetRecord.stale)
        counters.endings[.sent] &+= 1
        note(widget, .sent)
    }

    /// How many of the widgets from `start` on one RELOAD names: their number and the values that it
    /// brings are limited.
    private func portion(from start: Int) -> Int {
        let most = min(reloadWidgets.count - start, RouterLimits.widgetsPerReload)
        var bytes = 0
        for count in 0..<most {
            bytes += carriedByteCount(reloadWidgets[start + count])
            if bytes > RouterLimits.carriedBytesPerReload && count > 0 { return count }
        }
        return most
    }

    /// Bytes of the values that a RELOAD brings for a widget; 0 if it brings none.
    func carriedByteCount(_ widget: WidgetID) -> Int {
        let kind = delivery.widgets[widget].kind
        if !kinds[Int(kind)].rules.carries { return 0 }
        if !widgetFields.hasAllCarried(widget, kind: kind, catalog: fieldCatalog) { return 0 }
        return widgetFields.carriedByteCount(widget, kind: kind, catalog: fieldCatalog)
    }

    // MARK: - Origins

    /// Lets the origins forget seconds that are over.
    ///
    /// About once in each; but if there is a journal, only when there is something else to write: a
    /// router that nobody talks to leaves the disk alone.
    mutating func passOrigins() {
        nextPass = scheduleClock.now + 1_000
        producers.timePasses(now: now)
        for origin in 0..<UInt32(origins.count) { passOrigin(origin) }
    }

    private mutating func passOrigin(_ origin: UInt32) {
        origins[origin].ledger.pass(scheduleClock.now)
        if origins[origin].queue.count <= 2 * matcher.widgetCount + 64 { return }
        // Entries whose reload has gone another way are left in the queue until there are many.
        Self.compact(&origins[origin].queue, delivery)
    }

    private static func compact(_ queue: inout PacedQueue, _ delivery: borrowing DeliveryTable) {
        queue.compact(idEnd: delivery.widgets.end) { delivery.widgets[$0].stage == .queued }
    }
}
