internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Reloads whose cause is neither a push nor a date: STATE, REQUEST, and the beginning of a
/// session.
extension Reloads {
    // MARK: - STATE

    /// Applies a STATE: what is visible (the widgets that it lists, if it lists any), whether the
    /// app is in the foreground, media, and movement. The connection is that of the frame; `none`
    /// without a session.
    mutating func update(
        _ device: DeviceID,
        by message: StateMessage,
        visible: ContiguousArray<WidgetID>,
        from connection: ConnectionSlot,
        into out: inout Outbox
    ) {
        takeOver(device, by: connection, into: &out)
        delivery.heard(of: device, clock: &clock)
        let wasExempt = delivery.devices[device].isExempt
        if let media = message.media { delivery.devices[device].media = media }
        if let foreground = message.foreground {
            delivery.devices[device].flags &= ~DeviceRecord.foreground
            if foreground { delivery.devices[device].flags |= DeviceRecord.foreground }
        }
        if message.visible != nil { show(visible, of: device, into: &out) }
        if !wasExempt && delivery.devices[device].isExempt {
            releaseDeferred(of: device, into: &out)
        }
        if wasExempt && !delivery.devices[device].isExempt { recall(device, into: &out) }
        if message.hasMovedSignificantly { moved(device, into: &out) }
    }

    /// Stores which widgets are in sight now; those that have come into sight are reloaded if
    /// they are stale or deferred.
    private mutating func show(
        _ visible: ContiguousArray<WidgetID>,
        of device: DeviceID,
        into out: inout Outbox
    ) {
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            reloads.delivery.widgets[widget].isMarked =
                reloads.delivery.widgets[widget].has(WidgetRecord.visible)
            reloads.delivery.widgets[widget].flags &= ~WidgetRecord.visible
        }
        for widget in visible {
            delivery.widgets[widget].flags |= WidgetRecord.visible
            if !delivery.widgets[widget].isMarked { cameIntoSight(widget, into: &out) }
        }
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            reloads.delivery.widgets[widget].isMarked = false
        }
    }

    /// Reloads a widget that has come into sight, if it is stale or its reload is deferred.
    private mutating func cameIntoSight(_ widget: WidgetID, into out: inout Outbox) {
        schedules.widgets[widget].budget.recordView(
            at: clock.now.monotonic,
            phase: Schedules.phase(widget)
        )
        if delivery.widgets[widget].stage == .deferred
            && schedules.expiresAt(widget, in: delivery) <= clock.now.wall
        {
            expire(widget, into: &out)
        }
        let record = delivery.widgets[widget]
        if record.stage == .deferred {
            // Not `Schedules.expiresAt`, which is `.max` for a reload with a date, while a push
            // that joined that reload may still expire.
            let expiresAt = schedules.widgets[widget].expiresAt
            requestItself(widget, because: .visible, expiresAt: expiresAt, into: &out)
        } else if record.stage == .idle && record.has(WidgetRecord.stale) {
            requestItself(widget, because: .visible, into: &out)
        }
    }

    /// Decides again on deferred reloads, because the device's reloads are not counted any more:
    /// budget and spacing do not delay them now.
    private mutating func releaseDeferred(of device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            if reloads.delivery.widgets[widget].stage == .deferred {
                reloads.decide(widget, fanOut: 0, wasDeferred: true, into: &out)
            }
        }
    }

    /// Decides again on reloads that are ready, because the device's reloads are counted again:
    /// budget and spacing may delay them now.
    mutating func recall(_ device: DeviceID, into out: inout Outbox) {
        var isRecalled = false
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            let isReady = reloads.delivery.widgets[widget].stage == .ready
            guard isReady, !reloads.rules(of: widget).reloadsImmediately,
                reloads.earliest(widget).time > reloads.clock.now.monotonic
            else { return }
            reloads.decide(widget, fanOut: 0, into: &out)
            isRecalled = true
        }
        if isRecalled { delivery.restorePending(device) }
    }

    /// Requests reloads of the widgets that depend on the device's location.
    private mutating func moved(_ device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            if reloads.rules(of: widget).usesLocation {
                reloads.requestItself(widget, because: .location, into: &out)
            }
        }
    }

    /// Requests a reload that the device has caused, which waits if the device loops.
    private mutating func requestItself(
        _ widget: WidgetID,
        because cause: ReloadCause,
        expiresAt: WallTime = .max,
        into out: inout Outbox
    ) {
        var request = ReloadRequest(cause: cause, expiresAt: expiresAt)
        request.isEcho = delivery.countEcho(
            delivery.widgets[widget].device,
            now: clock.now.monotonic
        )
        requestReload(widget, request: request, into: &out)
    }

    /// Calls `body` for each widget of a device, in the order of its list.
    mutating func forEachWidget(
        of device: DeviceID,
        into out: inout Outbox,
        body: (inout Reloads, inout Outbox, WidgetID) -> Void
    ) {
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            out.work.charge(WorkCost.record)
            let next = delivery.widgets[widget].nextOfDevice
            body(&self, &out, widget)
            widget = next
        }
    }

    // MARK: - REQUEST

    /// Applies a REQUEST: requests reloads of a device's widgets of a kind, or of all kinds (nil).
    /// `isDownload` says that a download of the app has ended; the connection is that of the frame,
    /// `none` without a session.
    mutating func request(
        of device: DeviceID,
        kind wanted: KindID?,
        isDownload: Bool,
        from connection: ConnectionSlot,
        into out: inout Outbox
    ) {
        takeOver(device, by: connection, into: &out)
        delivery.heard(of: device, clock: &clock)
        var cause = ReloadCause.request
        if isDownload && !delivery.devices[device].has(DeviceRecord.downloaded) {
            // A download counts once for each reload: a further one is an ordinary request.
            delivery.devices[device].flags |= DeviceRecord.downloaded
            cause = .download
        } else {
            _ = delivery.countEcho(device, now: clock.now.monotonic)
        }
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            if wanted == nil || reloads.delivery.widgets[widget].kind == wanted {
                reloads.requestReload(widget, request: ReloadRequest(cause: cause), into: &out)
            }
        }
    }
}
