internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import StrictJSON

/// Reloads whose cause is neither a push nor a date: STATE, REQUEST, and the begin of a session.
extension ReloadState {
    // MARK: - STATE

    mutating func update(
        _ connection: UInt32,
        _ message: StateMessage,
        _ out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        // All are checked before any is changed.
        if let visible = message.visible { try list(device, visible) }
        takeOver(device, connection, &out)
        let wasExempt = delivery.devices[device].isExempt
        if let media = message.media { delivery.devices[device].media = media }
        if let foreground = message.foreground {
            delivery.devices[device].flags &= ~DeviceRecord.foreground
            if foreground { delivery.devices[device].flags |= DeviceRecord.foreground }
        }
        if message.visible != nil { showListed(of: device, &out) }
        if !wasExempt && delivery.devices[device].isExempt { releaseDeferred(device, &out) }
        if wasExempt && !delivery.devices[device].isExempt { recall(device, &out) }
        if message.movedSignificantly { moved(device, &out) }
    }

    /// Takes note of which widgets are in sight now; those that come into sight are brought up to
    /// date, if they are behind.
    private mutating func showListed(of device: DeviceID, _ out: inout Outbox) {
        forEachWidget(of: device, &out) { state, out, widget in
            state.delivery.widgets[widget].isMarked =
                state.delivery.widgets[widget].has(WidgetRecord.visible)
            state.delivery.widgets[widget].flags &= ~WidgetRecord.visible
        }
        for index in scratch.listedWidgets.indices {
            let widget = scratch.listedWidgets[index]
            delivery.widgets[widget].flags |= WidgetRecord.visible
            if !delivery.widgets[widget].isMarked { cameIntoSight(widget, &out) }
        }
        forEachWidget(of: device, &out) { state, out, widget in
            state.delivery.widgets[widget].isMarked = false
        }
    }

    private mutating func cameIntoSight(_ widget: WidgetID, _ out: inout Outbox) {
        delivery.schedules[widget].budget.seen(at: clock.now.monotonic, phase: phase(widget))
        if delivery.widgets[widget].stage == .deferred
            && voidAt(widget) <= clock.now.wall
        {
            expire(widget, &out)
        }
        let record = delivery.widgets[widget]
        if record.stage == .deferred {
            // Not `voidAt(widget)`, which is `.max` for a reload with a date, while a push that joined that
            // reload may still expire.
            let voidAt = delivery.schedules[widget].voidAt
            want(widget, ReloadWish(cause: .visible, voidAt: voidAt), &out)
        } else if record.stage == .idle && record.has(WidgetRecord.stale) {
            want(widget, ReloadWish(cause: .visible), &out)
        }
    }

    /// Decides again on deferred reloads, because the device's reloads are not counted any more: budget and
    /// spacing do not delay them now.
    private mutating func releaseDeferred(_ device: DeviceID, _ out: inout Outbox) {
        forEachWidget(of: device, &out) { state, out, widget in
            if state.delivery.widgets[widget].stage == .deferred { state.decide(widget, 0, &out) }
        }
    }

    /// Decides again on reloads that are ready, because the device's reloads are counted again: budget and
    /// spacing may delay them now.
    private mutating func recall(_ device: DeviceID, _ out: inout Outbox) {
        var isRecalled = false
        forEachWidget(of: device, &out) { state, out, widget in
            let isReady = state.delivery.widgets[widget].stage == .ready
            guard isReady, !state.rules(of: widget).isPlain,
                state.earliest(widget).time > state.clock.now.monotonic
            else { return }
            state.decide(widget, 0, &out)
            isRecalled = true
        }
        if isRecalled { restorePending(device) }
    }

    private mutating func moved(_ device: DeviceID, _ out: inout Outbox) {
        forEachWidget(of: device, &out) { state, out, widget in
            if state.rules(of: widget).usesLocation {
                state.want(widget, ReloadWish(cause: .location), &out)
            }
        }
    }

    /// Finds the widgets that a STATE lists, each once, in the order of the list: as many records are
    /// walked as the device has widgets and the list has ids.
    private mutating func list(_ device: DeviceID, _ ids: ByteView) throws(ProtocolError) {
        scratch.listedWidgets.removeAll(keepingCapacity: true)
        scratch.widgetNames.insertAll(of: device, in: delivery)
        var reader = JSONReader(ids)
        reader.enterArray()
        var index = 0
        while reader.nextElement() {
            guard reader.peek() == .string else {
                throw ProtocolError(
                    .bodyInvalid,
                    "visible[\(index)] of STATE must be a string, and is \(reader.peek())"
                )
            }
            let name = try scratch.identifiers.identifier(reader.readString(), "widget")
            guard let entry = scratch.widgetNames.find(name, in: delivery) else {
                throw unknownWidget(device, name)
            }
            index += 1
            if scratch.widgetNames.entries[entry].isMarked { continue }
            scratch.widgetNames.mark(entry)
            scratch.listedWidgets.append(scratch.widgetNames.entries[entry].widget)
        }
    }

    mutating func forEachWidget(
        of device: DeviceID,
        _ out: inout Outbox,
        _ body: (inout ReloadState, inout Outbox, WidgetID) -> Void
    ) {
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            out.work.charge(WorkCost.record)
            let next = delivery.widgets[widget].nextOfDevice
            body(&self, &out, widget)
            widget = next
        }
    }

    // MARK: - REQUEST

    mutating func request(
        _ connection: UInt32,
        _ message: RequestMessage,
        _ out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        var wanted: KindID?
        if let kind = message.kind {
            let name = try scratch.identifiers.identifier(kind, "kind")
            wanted = try declaredKind(delivery.devices[device].app, name)
        }
        takeOver(device, connection, &out)
        var cause = ReloadCause.request
        if message.isDownload && !delivery.devices[device].has(DeviceRecord.downloaded) {
            // One for each reload: a further one is a request like any other.
            delivery.devices[device].flags |= DeviceRecord.downloaded
            cause = .download
        } else {
            countEcho(device)
        }
        forEachWidget(of: device, &out) { state, out, widget in
            if wanted == nil || state.delivery.widgets[widget].kind == wanted {
                state.want(widget, ReloadWish(cause: cause), &out)
            }
        }
    }

    // MARK: - Sessions

    /// Makes a connection the device's session, and continues the reloads that waited for one.
    mutating func attach(_ device: DeviceID, to connection: UInt32, _ out: inout Outbox) {
        if !delivery.attach(device, to: connection) { return }
        // An entry that is left in the queue of an earlier connection is skipped there.
        out.agenda.removeQueued(device)
        forEachWidget(of: device, &out) { state, out, widget in state.takeUp(widget, &out) }
        if delivery.devices[device].firstPending != WidgetRecord.none {
            delivery.enqueue(device, &out.agenda)
        }
    }

    private mutating func takeUp(_ widget: WidgetID, _ out: inout Outbox) {
        let record = delivery.widgets[widget]
        if record.has(WidgetRecord.unanswered) && record.stage != .ready {
            // The RELOAD was sent and perhaps lost: it is sent again without a further charge, even if the
            // widget's next reload waits for something.
            delivery.widgets[widget].flags |= WidgetRecord.resent
            if record.stage == .idle {
                out.observer.counters.wishes &+= 1
                delivery.schedules[widget].voidAt = .max
                delivery.widgets[widget].rights = []
            }
            decide(widget, 0, &out)
        } else if record.stage == .held {
            decide(widget, 0, &out)
        }
    }
}
