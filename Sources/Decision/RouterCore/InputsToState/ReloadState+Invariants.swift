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
                fanningOut: Set(fanOuts.fanOuts.compactMap(\.source.producer)),
                running: reloads.clock.running.total
            )
        )
        try checkPart("ReloadState", by: revocations.checkInvariants())
        try checkPart(
            "ReloadState",
            by: reloads.schedules.checkInvariants(
                widgets: reloads.delivery.widgets.end,
                now: reloads.clock.schedule.now
            )
        )
        try checkPart("ReloadState", by: reloads.catalog.checkInvariants())
        try checkPart("ReloadState", by: fanOuts.checkInvariants())
        try checkPart("ReloadState.checkpoint", by: checkpoint.devices.checkInvariants())
        try checkInvariant(
            reloads.catalog.originKeys.count == reloads.schedules.origins.count,
            otherwise:
                "\(reloads.catalog.originKeys.count) origins have names, of \(reloads.schedules.origins.count)"
        )
        try checkPart(
            "ReloadState",
            by: reloads.delivery.checkPast(
                lastSession: reloads.numbers.session,
                now: reloads.clock.now.monotonic
            )
        )
        try checkWidgets()
        try checkStoredBytes()
        try checkPart(
            "ReloadState",
            by: publishers.checkSpeakers(
                of: reloads.delivery,
                lastSession: reloads.numbers.session
            )
        )
    }

    // MARK: - Widgets

    private func checkWidgets() throws(InvariantViolation) {
        var (widgetCount, slotCount) = (0, 0)
        for device in reloads.delivery.devices.ids where reloads.delivery.devices.isInUse(device) {
            try checkInvariant(
                isOwn(device),
                otherwise: "device \(device) is another partition's than \(partition.id)"
            )
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
        try checkPart(
            "ReloadState",
            by: reloads.schedules.check(
                widget,
                in: reloads.delivery,
                by: reloads.catalog,
                now: reloads.clock.now.monotonic
            )
        )
        try checkInvariant(
            record.stage != .idle || !record.has(WidgetRecord.resent),
            otherwise: "widget \(widget) has no pending RELOAD, and one that is sent again"
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
}
