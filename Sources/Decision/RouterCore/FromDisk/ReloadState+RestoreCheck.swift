internal import Basics
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Checks that the records of a checkpoint agree with each other, so that none of them can cause a
/// trap later.
extension ReloadState {
    /// Ends restoring: checks that the records agree, and throws `corrupt` if they do not.
    mutating func endRestore() throws(StoreError) {
        try restoring.widgets?.finish(&matcher)
        if let device = delivery.finishRestoring() {
            throw StoreError(.corrupt, message: "device \(device) has the name of another one")
        }
        for kind in catalog.kinds.ids {
            delivery.countBytes(
                of: catalog.kinds[kind].app,
                adding: matcher.index.storedCost(of: kind)
            )
        }
        try checkCounts()
        try publishers.finishRestoring()
        try checkRevocations()
        try checkClocks()
        var usedSlots = 0
        for device in delivery.devices.ids where delivery.isStored(device) {
            try checkRecord(of: device)
            try checkPending(of: device)
            try checkSchedules(of: device, counting: &usedSlots)
        }
        try checkPushes()
        try restoreEndedTokens()
        try checkFreeWidgets()
        try checkSlots(usedSlots)
        try checkQueued()
        updatePatternLoads()
        restoring = RestoreState()
    }

    /// Checks that each slot in the origins' ledgers belongs to a widget.
    private func checkSlots(_ counted: Int) throws(StoreError) {
        let assigned = slotCounters.pending
        if counted != assigned {
            throw StoreError(
                .corrupt,
                message: "\(assigned) slots are assigned, and widgets have \(counted)"
            )
        }
        for origin in origins.ids where origins[origin].ledger.unnamedCount > 0 {
            let count = origins[origin].ledger.unnamedCount
            throw StoreError(
                .corrupt,
                message: "\(count) slots of origin \(origin) are no widget's"
            )
        }
    }

    private func checkCounts() throws(StoreError) {
        let counts = restoring.counts
        func check(_ what: String, found: UInt32, wanted: UInt32) throws(StoreError) {
            if found == wanted { return }
            throw StoreError(.corrupt, message: "\(found) \(what) are there, and not \(wanted)")
        }
        try checkPages()
        try check("devices", found: UInt32(delivery.devices.count), wanted: counts.devices)
        try check("widgets", found: UInt32(matcher.index.widgetCount), wanted: counts.widgets)
        try check("producers", found: UInt32(publishers.producers.count), wanted: counts.producers)
    }

    /// Checks that no origin's ledger is ahead of the clock.
    private func checkClocks() throws(StoreError) {
        for origin in origins.ids
        where origins[origin].ledger.time > max(.zero, clock.schedule.now) {
            throw StoreError(.corrupt, message: "origin \(origin) is in a second that has not come")
        }
    }

    /// Checks that no page of the tables is missing.
    func checkPages() throws(StoreError) {
        let counts = restoring.counts
        if delivery.widgets.end == counts.widgetEnd && delivery.schedules.end == counts.widgetEnd
            && delivery.devices.end == counts.deviceEnd
        {
            return
        }
        throw StoreError(
            .corrupt,
            message:
                "there are pages for \(delivery.widgets.end) widgets, \(delivery.schedules.end) schedules "
                + "and \(delivery.devices.end) devices, and not for \(counts.widgetEnd) and \(counts.deviceEnd)"
        )
    }

    /// Checks that numbers without a widget have no pending reload.
    private func checkFreeWidgets() throws(StoreError) {
        for widget in delivery.widgets.ids
        where delivery.widgets[widget].device.isNone
            && delivery.widgets[widget].stage != .idle
        {
            throw StoreError(
                .corrupt,
                message: "something waits for widget \(widget), which is not there"
            )
        }
    }

    /// Checks that each reload that waits for a permit is in its origin's queue, without which it
    /// would never get one.
    private func checkQueued() throws(StoreError) {
        var isQueued = ContiguousArray(repeating: false, count: Int(delivery.widgets.end))
        for origin in origins.ids {
            origins[origin].queue.visit { widget in
                if delivery.widgets[widget].stage == .queued && rules(of: widget).origin == origin {
                    isQueued[widget.index] = true
                }
            }
        }
        for widget in delivery.widgets.ids
        where delivery.widgets[widget].stage == .queued && !isQueued[widget.index] {
            throw StoreError(
                .corrupt,
                message: "widget \(widget) waits for a permit and is in no queue"
            )
        }
    }

    /// Checks the pushes to devices. A device with a token and without a record has had none.
    private mutating func checkPushes() throws(StoreError) {
        if delivery.pushes.end > delivery.devices.end {
            throw StoreError(.corrupt, message: "there are pushes to devices that are not there")
        }
        for device in delivery.devices.ids where delivery.isStored(device) {
            let record = delivery.devices[device]
            if delivery.hasToken(device) {
                delivery.pushes.reserve(through: device, filling: .empty)
            }
            let mustHavePushes = record.has(DeviceRecord.pushable | DeviceRecord.pushing)
            if !delivery.pushes.has(device) {
                if !mustHavePushes { continue }
                throw StoreError(.corrupt, message: "the pushes to device \(device) are missing")
            }
            let push = delivery.pushes[device]
            let past = MonotonicTime.zero...clock.now.monotonic
            let pauses = MonotonicTime.zero...(.zero + Self.farthestDate)
            if !push.budget.isPossible(at: clock.now.monotonic, phase: Self.phase(ofDevice: device))
                || !past.contains(push.detachedAt) || !pauses.contains(push.pausedUntil)
                || max(push.number, push.settled) > numbers.reload
                || !isPossible(push, of: device)
            {
                throw StoreError(.corrupt, message: "device \(device) has pushes that cannot be")
            }
        }
    }

    /// Whether a device has the tokens that its pushes need, and none of its background pushes is
    /// yet to come.
    private func isPossible(_ push: APNsRecord, of device: DeviceID) -> Bool {
        let now = max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        for index in push.backgroundTimes.indices where push.backgroundTimes[index] > now {
            return false
        }
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) { return true }
        let hasControls = delivery.hasControl(device) { $0.state == .good }
        if push.has(APNsRecord.controls) && !hasControls { return false }
        if push.has(APNsRecord.onlyControls) { return push.has(APNsRecord.controls) }
        if record.has(DeviceRecord.background) { return delivery.appToken(device).isPresent }
        return record.pushToken != ByteArena.none
    }

    private func checkRecord(of device: DeviceID) throws(StoreError) {
        let record = delivery.devices[device]
        if record.session > numbers.session {
            throw StoreError(.corrupt, message: "device \(device) had a session that never existed")
        }
        let past = MonotonicTime.zero...max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        if !past.contains(record.lastReloadAt) {
            throw StoreError(
                .corrupt,
                message: "device \(device) was reloaded at a time that has not come"
            )
        }
    }

    /// Checks that a device's pending chain contains exactly its widgets that are ready, each once.
    private func checkPending(of device: DeviceID) throws(StoreError) {
        var ready = 0
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            if delivery.widgets[widget].stage == .ready { ready += 1 }
            widget = delivery.widgets[widget].nextOfDevice
        }
        var pending = delivery.devices[device].firstPending
        while !pending.isNone, ready >= 0 {
            guard matcher.index.isStored(pending), delivery.widgets[pending].device == device,
                delivery.widgets[pending].stage == .ready
            else {
                throw StoreError(.corrupt, message: "device \(device) has a wrong widget pending")
            }
            ready -= 1
            pending = delivery.widgets[pending].nextPending
        }
        if ready != 0 {
            throw StoreError(
                .corrupt,
                message: "the widgets that device \(device) has pending are others"
            )
        }
    }

    /// The largest distance from 1970 that the date of a widget may have in a checkpoint:
    /// calculations with it cannot overflow.
    private static var farthestDate: Milliseconds { Milliseconds(rawValue: 1 << 60) }

    /// Checks the schedules of a device's widgets, and gives those that hold slots their places in
    /// the ledgers again.
    private mutating func checkSchedules(
        of device: DeviceID,
        counting usedSlots: inout Int
    ) throws(StoreError) {
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let schedule = delivery.schedules[widget]
            if !schedule.budget.isPossible(at: clock.now.monotonic, phase: phase(widget)) {
                throw StoreError(.corrupt, message: "widget \(widget) has a budget that cannot be")
            }
            let date = schedule.timelineAt
            let dates = WallTime.zero - Self.farthestDate ... .zero + Self.farthestDate
            if date != .max && !dates.contains(date) {
                throw StoreError(.corrupt, message: "widget \(widget) has a date that cannot be")
            }
            if !schedule.slot.isNone {
                if date == .max {
                    throw StoreError(
                        .corrupt,
                        message: "widget \(widget) has a slot and no date"
                    )
                }
                if !nameMember(widget, at: schedule.slot) {
                    throw StoreError(
                        .corrupt,
                        message: "widget \(widget) holds a slot that is another's"
                    )
                }
                usedSlots += 1
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    /// Gives a widget its place in its origin's ledger again; false if it cannot have that slot.
    private mutating func nameMember(_ widget: WidgetID, at slot: SlotPosition) -> Bool {
        // The slot must not move if the device's own timer fires at its time.
        let isFixed = delivery.widgets[widget].has(WidgetRecord.ownTimer)
        return origins[rules(of: widget).origin].ledger.nameMember(
            widget,
            isFixed: isFixed,
            at: slot
        )
    }
}
