internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Reloads whose cause is neither a push nor a date: STATE, REQUEST, and the beginning of a
/// session.
extension ReloadState {
    // MARK: - STATE

    /// Applies a STATE: what is visible, whether the app is in the foreground, media, and movement.
    mutating func update(
        from sender: FrameSender,
        message: StateMessage,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(from: sender, named: message.device)
        // All ids are checked before any widget is changed.
        if let visible = message.visible { try list(of: device, ids: visible) }
        takeOver(device, by: sender.connection, into: &out)
        heard(of: device)
        let wasExempt = delivery.devices[device].isExempt
        if let media = message.media { delivery.devices[device].media = media }
        if let foreground = message.foreground {
            delivery.devices[device].flags &= ~DeviceRecord.foreground
            if foreground { delivery.devices[device].flags |= DeviceRecord.foreground }
        }
        if message.visible != nil { showListed(of: device, into: &out) }
        if !wasExempt && delivery.devices[device].isExempt {
            releaseDeferred(of: device, into: &out)
        }
        if wasExempt && !delivery.devices[device].isExempt { recall(device, into: &out) }
        if message.hasMovedSignificantly { moved(device, into: &out) }
    }

    /// Stores which widgets are in sight now; those that have come into sight are reloaded if
    /// they are stale or deferred.
    private mutating func showListed(of device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { state, out, widget in
            state.delivery.widgets[widget].isMarked =
                state.delivery.widgets[widget].has(WidgetRecord.visible)
            state.delivery.widgets[widget].flags &= ~WidgetRecord.visible
        }
        for index in scratch.listedWidgets.indices {
            let widget = scratch.listedWidgets[index]
            delivery.widgets[widget].flags |= WidgetRecord.visible
            if !delivery.widgets[widget].isMarked { cameIntoSight(widget, into: &out) }
        }
        forEachWidget(of: device, into: &out) { state, out, widget in
            state.delivery.widgets[widget].isMarked = false
        }
    }

    /// Reloads a widget that has come into sight, if it is stale or its reload is deferred.
    private mutating func cameIntoSight(_ widget: WidgetID, into out: inout Outbox) {
        delivery.schedules[widget].budget.recordView(at: clock.now.monotonic, phase: phase(widget))
        if delivery.widgets[widget].stage == .deferred
            && expiresAt(widget) <= clock.now.wall
        {
            expire(widget, into: &out)
        }
        let record = delivery.widgets[widget]
        if record.stage == .deferred {
            // Not `expiresAt(widget)`, which is `.max` for a reload with a date, while a push that
            // joined that reload may still expire.
            let expiresAt = delivery.schedules[widget].expiresAt
            requestItself(widget, because: .visible, expiresAt: expiresAt, into: &out)
        } else if record.stage == .idle && record.has(WidgetRecord.stale) {
            requestItself(widget, because: .visible, into: &out)
        }
    }

    /// Decides again on deferred reloads, because the device's reloads are not counted any more:
    /// budget and spacing do not delay them now.
    private mutating func releaseDeferred(of device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { state, out, widget in
            if state.delivery.widgets[widget].stage == .deferred {
                state.decide(widget, fanOut: 0, wasDeferred: true, into: &out)
            }
        }
    }

    /// Decides again on reloads that are ready, because the device's reloads are counted again:
    /// budget and spacing may delay them now.
    mutating func recall(_ device: DeviceID, into out: inout Outbox) {
        var isRecalled = false
        forEachWidget(of: device, into: &out) { state, out, widget in
            let isReady = state.delivery.widgets[widget].stage == .ready
            guard isReady, !state.rules(of: widget).reloadsImmediately,
                state.earliest(widget).time > state.clock.now.monotonic
            else { return }
            state.decide(widget, fanOut: 0, into: &out)
            isRecalled = true
        }
        if isRecalled { restorePending(device) }
    }

    /// Requests reloads of the widgets that depend on the device's location.
    private mutating func moved(_ device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { state, out, widget in
            if state.rules(of: widget).usesLocation {
                state.requestItself(widget, because: .location, into: &out)
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
        request.isEcho = countEcho(delivery.widgets[widget].device)
        requestReload(widget, request: request, into: &out)
    }

    /// Sets `scratch.listedWidgets` to the widgets that a STATE lists, each once, in the order of
    /// the list.
    ///
    /// Visits about as many records as the device has widgets and the list has ids, together.
    private mutating func list(of device: DeviceID, ids: ByteView) throws(ProtocolError) {
        scratch.listedWidgets.removeAll(keepingCapacity: true)
        scratch.widgetNames.insertAll(of: device, in: delivery)
        var reader = JSONReader(ids)
        reader.enterArray()
        var index = 0
        while reader.nextElement() {
            guard reader.peek() == .string else {
                throw ProtocolError(
                    .bodyInvalid,
                    message: "visible[\(index)] of STATE must be a string, and is \(reader.peek())"
                )
            }
            let name = try scratch.identifiers.identifier(reader.readString(), of: "widget")
            guard let entry = scratch.widgetNames.find(name, in: delivery) else {
                throw unknownWidget(of: device, named: name)
            }
            index += 1
            if scratch.widgetNames.entries[entry].isMarked { continue }
            scratch.widgetNames.mark(entry)
            scratch.listedWidgets.append(scratch.widgetNames.entries[entry].widget)
        }
    }

    /// Calls `body` for each widget of a device, in the order of its list.
    mutating func forEachWidget(
        of device: DeviceID,
        into out: inout Outbox,
        body: (inout ReloadState, inout Outbox, WidgetID) -> Void
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

    /// Applies a REQUEST: requests reloads of a device's widgets, of all kinds or of one.
    mutating func request(
        from sender: FrameSender,
        message: RequestMessage,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(from: sender, named: message.device)
        var wanted: KindID?
        if let kind = message.kind {
            let name = try scratch.identifiers.identifier(kind, of: "kind")
            wanted = try declaredKind(of: delivery.devices[device].app, named: name)
        }
        takeOver(device, by: sender.connection, into: &out)
        heard(of: device)
        var cause = ReloadCause.request
        if message.isDownload && !delivery.devices[device].has(DeviceRecord.downloaded) {
            // A download counts once for each reload: a further one is an ordinary request.
            delivery.devices[device].flags |= DeviceRecord.downloaded
            cause = .download
        } else {
            _ = countEcho(device)
        }
        forEachWidget(of: device, into: &out) { state, out, widget in
            if wanted == nil || state.delivery.widgets[widget].kind == wanted {
                state.requestReload(widget, request: ReloadRequest(cause: cause), into: &out)
            }
        }
    }

    // MARK: - Sessions

    /// Makes a connection the device's session, and continues the reloads that waited for one. A
    /// gateway that spoke for the device is informed.
    mutating func attach(_ device: DeviceID, to connection: ConnectionSlot, into out: inout Outbox)
    {
        let isOwn = delivery.sessions[connection].role == .device
        reportDetached(device, from: connection, because: isOwn ? .session : .gateway, into: &out)
        if !delivery.attach(device, to: connection) { return }
        sessionBegan(for: device, into: &out)
        // An entry that is left in the queue of an earlier connection is skipped there.
        out.agenda.removeQueued(device)
        forEachWidget(of: device, into: &out) { state, out, widget in
            state.resumeReload(widget, into: &out)
        }
        if !delivery.devices[device].firstPending.isNone {
            delivery.enqueue(device, in: &out.agenda)
        }
    }

    /// Informs the gateway that speaks for a device that it does so no longer, unless it is the one
    /// on `connection`.
    mutating func reportDetached(
        _ device: DeviceID,
        from connection: ConnectionSlot,
        because reason: DetachedMessage.Reason,
        into out: inout Outbox
    ) {
        let record = delivery.devices[device]
        guard record.connection != connection, delivery.isAttached(record),
            delivery.sessions[record.connection].role == .gateway
        else { return }
        let body = DetachedMessage.encode(device: delivery.deviceName(device), reason: reason)
        out.write(to: record.connection, type: .detached, seq: 0, body: body)
    }

    /// Continues a widget's reload when a session of its device begins.
    private mutating func resumeReload(_ widget: WidgetID, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        if record.has(WidgetRecord.unanswered) && record.stage != .ready {
            repeatReload(widget, into: &out)
        } else if record.stage == .awaitingSession {
            decide(widget, fanOut: 0, into: &out)
        } else if record.stage == .deferred,
            delivery.devices[record.device].has(DeviceRecord.pushable)
        {
            // It may have waited for a push.
            decide(widget, fanOut: 0, into: &out)
        }
    }
}
