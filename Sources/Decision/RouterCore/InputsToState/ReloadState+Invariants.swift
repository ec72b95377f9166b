internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

extension ReloadState {
    /// Checks each table of the state, and the tables against each other: each widget is stored in
    /// the matcher, and its kind belongs to its device's app; each slot in use belongs to a widget;
    /// each reload that waits for a permit is in its origin's queue; each publisher speaks for its
    /// producer.
    ///
    /// - Complexity: proportional to everything that is stored.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("ReloadState", by: reloads.delivery.checkInvariants())
        try checkPart("ReloadState", by: reloads.apns.checkInvariants(in: reloads.delivery))
        try checkPart(
            "ReloadState",
            by: publishers.checkInvariants(
                fanningOut: Set(fanOuts.fanOuts.map(\.producer)),
                running: reloads.clock.running.total
            )
        )
        try checkPart("ReloadState", by: revocations.checkInvariants())
        try checkPart(
            "ReloadState",
            by: reloads.schedules.checkInvariants(widgets: reloads.delivery.widgets.end)
        )
        try checkPart("ReloadState", by: reloads.catalog.checkInvariants())
        try checkPart("ReloadState", by: fanOuts.checkInvariants())
        try checkPart("ReloadState.checkpoint", by: checkpoint.devices.checkInvariants())
        try checkInvariant(
            reloads.catalog.originKeys.count == reloads.schedules.origins.count,
            otherwise:
                "\(reloads.catalog.originKeys.count) origins have names, of \(reloads.schedules.origins.count)"
        )
        try checkClocks()
        try checkWidgets()
        try checkStoredBytes()
        try checkSpeakers()
    }

    private func checkClocks() throws(InvariantViolation) {
        for origin in reloads.schedules.origins.ids {
            try checkInvariant(
                reloads.schedules.origins[origin].ledger.time
                    <= max(.zero, reloads.clock.schedule.now),
                otherwise: "origin \(origin) is in a second that has not come"
            )
        }
        let past = MonotonicTime.zero...max(MonotonicTime(rawValue: 1), reloads.clock.now.monotonic)
        for device in reloads.delivery.devices.ids where reloads.delivery.devices.isInUse(device) {
            let record = reloads.delivery.devices[device]
            try checkInvariant(
                record.session <= reloads.numbers.session && past.contains(record.lastReloadAt),
                otherwise: "device \(device) had session \(record.session) and was reloaded at "
                    + "\(record.lastReloadAt), of which one has not come"
            )
        }
    }

    // MARK: - Widgets

    private func checkWidgets() throws(InvariantViolation) {
        var (widgetCount, slotCount) = (0, 0)
        for device in reloads.delivery.devices.ids where reloads.delivery.devices.isInUse(device) {
            var widget = reloads.delivery.devices[device].firstWidget
            while !widget.isNone {
                widgetCount += 1
                try check(widget)
                if !reloads.schedules.widgets[widget].slot.isNone { slotCount += 1 }
                widget = reloads.delivery.widgets[widget].nextOfDevice
            }
        }
        try checkInvariant(
            widgetCount == matcher.index.widgetCount,
            otherwise: "the devices have \(widgetCount) widgets, the matcher "
                + "\(matcher.index.widgetCount)"
        )
        let unqueued = reloads.schedules.unqueuedWidget(in: reloads.delivery, by: reloads.catalog)
        try checkInvariant(
            unqueued == nil,
            otherwise: "widget \(unqueued ?? .none) waits for a permit, and is in no queue"
        )
        try checkInvariant(
            slotCount == reloads.schedules.slotCounters.pending,
            otherwise:
                "\(slotCount) widgets have slots, and \(reloads.schedules.slotCounters.pending) are assigned"
        )
    }

    private func check(_ widget: WidgetID) throws(InvariantViolation) {
        let record = reloads.delivery.widgets[widget]
        let kind = record.kind
        try checkInvariant(
            matcher.index.isStored(widget) && matcher.index.kind(of: widget) == kind,
            otherwise: "widget \(widget) of kind \(kind) is not in the matcher, or of another kind"
        )
        try checkInvariant(
            reloads.catalog.kinds.has(kind)
                && reloads.catalog.kinds[kind].app == reloads.delivery.devices[record.device].app,
            otherwise: "widget \(widget) is of kind \(kind), which is another app's"
        )
        try checkSchedule(of: widget)
        try checkInvariant(
            record.stage != .idle || !record.has(WidgetRecord.resent),
            otherwise: "widget \(widget) has no pending RELOAD, and one that is sent again"
        )
    }

    /// Checks a widget's budget, date and slot.
    private func checkSchedule(of widget: WidgetID) throws(InvariantViolation) {
        let schedule = reloads.schedules.widgets[widget]
        do throws(InvariantViolation) {
            try schedule.budget.checkInvariants(
                at: reloads.clock.now.monotonic,
                phase: Schedules.phase(widget)
            )
        } catch {
            throw InvariantViolation(of: error.table, problem: "widget \(widget): \(error.problem)")
        }
        if schedule.slot.isNone {
            return try checkInvariant(
                !reloads.delivery.widgets[widget].has(WidgetRecord.displaced),
                otherwise: "widget \(widget) reloads at its slot, and has none"
            )
        }
        let origin = reloads.rules(of: widget).origin
        try checkInvariant(
            schedule.slot.isWithoutGroup
                || reloads.schedules.origins[origin].ledger.member(at: schedule.slot) == widget,
            otherwise: "widget \(widget) has a slot of origin \(origin) that is not its own"
        )
        try checkInvariant(
            schedule.timelineAt != .max,
            otherwise: "widget \(widget) has a slot and no date"
        )
    }

    // MARK: - Sums

    /// Checks that the stored bytes of each app are those of its devices, widgets and kinds.
    private func checkStoredBytes() throws(InvariantViolation) {
        var bytes: [AppID: Int] = [:]
        for device in reloads.delivery.devices.ids where reloads.delivery.devices.isInUse(device) {
            let record = reloads.delivery.devices[device]
            var sum = StoredCost.device + StoredCost.text(Int(record.nameCount))
            sum += reloads.apns.cost(of: device, in: reloads.delivery)
            var widget = record.firstWidget
            while !widget.isNone {
                sum += StoredCost.text(Int(reloads.delivery.widgets[widget].nameCount))
                widget = reloads.delivery.widgets[widget].nextOfDevice
            }
            bytes[record.app, default: 0] += sum
        }
        for kind in reloads.catalog.kinds.ids {
            bytes[reloads.catalog.kinds[kind].app, default: 0] +=
                matcher.index.storedCost(of: kind)
        }
        for app in reloads.catalog.apps.ids {
            let (counted, found) = (reloads.delivery.counts(of: app).bytes, bytes[app] ?? 0)
            try checkInvariant(
                counted == found,
                otherwise: "\(counted) stored bytes are counted for app \(app), which has \(found)"
            )
        }
    }

    /// Checks that each publisher's session and its producer refer to each other, and that no
    /// session's number is higher than the last one given.
    private func checkSpeakers() throws(InvariantViolation) {
        var publisherCount = 0
        for connection in reloads.delivery.sessions.ids {
            let record = reloads.delivery.sessions[connection]
            try checkInvariant(
                record.number <= reloads.numbers.session,
                otherwise: "connection \(connection) has session \(record.number), "
                    + "and the last one was \(reloads.numbers.session)"
            )
            if record.role != .publisher { continue }
            publisherCount += 1
            let producer = record.producer
            try checkInvariant(
                publishers.producers.isKnown(producer)
                    && publishers.producers[producer].app == record.app
                    && publishers.producers[producer].connection == connection
                    && publishers.producers[producer].session == record.number,
                otherwise: "the session on connection \(connection) speaks for producer "
                    + "\(producer), which has another one"
            )
        }
        var spokenFor = 0
        for producer in publishers.producers.slots.ids
        where publishers.producers.isKnown(producer) && publishers.producers[producer].hasSession {
            spokenFor += 1
        }
        try checkInvariant(
            publisherCount == spokenFor,
            otherwise:
                "\(publisherCount) sessions of publishers are open, and \(spokenFor) producers "
                + "have one"
        )
    }
}
