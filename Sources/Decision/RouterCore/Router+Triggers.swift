internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import StrictJSON
internal import WidgetMatching

/// What makes widgets reload, other than pushes and dates: STATE, REQUEST, and a session's begin.
extension Router {
    // MARK: - STATE

    mutating func update(
        _ connection: UInt32,
        _ message: StateMessage
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        // All are checked before any is changed.
        if let visible = message.visible { try list(device, visible) }
        takeOver(device, connection)
        let wasExempt = delivery.devices[device].isExempt
        if let media = message.media { delivery.devices[device].media = media }
        if let foreground = message.foreground {
            delivery.devices[device].flags &= ~DeviceRecord.foreground
            if foreground { delivery.devices[device].flags |= DeviceRecord.foreground }
        }
        if message.visible != nil { showListed(of: device) }
        if !wasExempt && delivery.devices[device].isExempt { releaseDeferred(device) }
        if wasExempt && !delivery.devices[device].isExempt { recall(device) }
        if message.movedSignificantly { moved(device) }
    }

    /// Takes note of which widgets are in sight now; those that come into sight are brought up to
    /// date, if they are behind.
    private mutating func showListed(of device: DeviceID) {
        forEachWidget(of: device) { router, widget in
            router.delivery.widgets[widget].isMarked =
                router.delivery.widgets[widget].has(WidgetRecord.visible)
            router.delivery.widgets[widget].flags &= ~WidgetRecord.visible
        }
        for index in listedWidgets.indices {
            let widget = listedWidgets[index]
            delivery.widgets[widget].flags |= WidgetRecord.visible
            if !delivery.widgets[widget].isMarked { cameIntoSight(widget) }
        }
        forEachWidget(of: device) { router, widget in
            router.delivery.widgets[widget].isMarked = false
        }
    }

    private mutating func cameIntoSight(_ widget: WidgetID) {
        delivery.schedules[widget].budget.seen(at: now.monotonic, phase: phase(widget))
        if delivery.widgets[widget].stage == .deferred
            && voidAt(widget) <= now.wall
        {
            expire(widget)
        }
        let record = delivery.widgets[widget]
        if record.stage == .deferred {
            // Not `voidAt(widget)`: a date is never void, and what joins it later may be.
            let voidAt = delivery.schedules[widget].voidAt
            want(widget, ReloadWish(cause: .visible, voidAt: voidAt))
        } else if record.stage == .idle && record.has(WidgetRecord.stale) {
            want(widget, ReloadWish(cause: .visible))
        }
    }

    /// Lets go what only the budget has held back: nothing is counted now.
    private mutating func releaseDeferred(_ device: DeviceID) {
        forEachWidget(of: device) { router, widget in
            if router.delivery.widgets[widget].stage == .deferred { router.decide(widget, 0) }
        }
    }

    /// Decides again on what is to be sent and was let go because nothing was counted.
    private mutating func recall(_ device: DeviceID) {
        var isRecalled = false
        forEachWidget(of: device) { router, widget in
            let isReady = router.delivery.widgets[widget].stage == .ready
            guard isReady, !router.rules(of: widget).isPlain,
                router.earliest(widget).time > router.now.monotonic
            else { return }
            router.decide(widget, 0)
            isRecalled = true
        }
        if isRecalled { restorePending(device) }
    }

    private mutating func moved(_ device: DeviceID) {
        forEachWidget(of: device) { router, widget in
            if router.rules(of: widget).usesLocation {
                router.want(widget, ReloadWish(cause: .location))
            }
        }
    }

    /// Finds the widgets that a STATE lists, each once, in the order of the list: as many records are
    /// walked as the device has widgets and the list has ids.
    private mutating func list(_ device: DeviceID, _ ids: ByteView) throws(ProtocolError) {
        listedWidgets.removeAll(keepingCapacity: true)
        widgetNames.insertAll(of: device, in: delivery)
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
            let name = try identifiers.identifier(reader.readString(), "widget")
            guard let entry = widgetNames.find(name, in: delivery) else {
                throw unknownWidget(device, name)
            }
            index += 1
            if widgetNames.entries[entry].isMarked { continue }
            widgetNames.mark(entry)
            listedWidgets.append(widgetNames.entries[entry].widget)
        }
    }

    mutating func forEachWidget(
        of device: DeviceID,
        _ body: (inout Router, WidgetID) -> Void
    ) {
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            work.charge(WorkCost.record)
            let next = delivery.widgets[widget].nextOfDevice
            body(&self, widget)
            widget = next
        }
    }

    // MARK: - REQUEST

    mutating func request(
        _ connection: UInt32,
        _ message: RequestMessage
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        var wanted: KindID?
        if let kind = message.kind {
            let name = try identifiers.identifier(kind, "kind")
            wanted = try declaredKind(delivery.devices[device].app, name)
        }
        takeOver(device, connection)
        var cause = ReloadCause.request
        if message.isDownload && !delivery.devices[device].has(DeviceRecord.downloaded) {
            // One for each reload: a further one is a request like any other.
            delivery.devices[device].flags |= DeviceRecord.downloaded
            cause = .download
        } else {
            countEcho(device)
        }
        forEachWidget(of: device) { router, widget in
            if wanted == nil || router.delivery.widgets[widget].kind == wanted {
                router.want(widget, ReloadWish(cause: cause))
            }
        }
    }

    // MARK: - Sessions

    /// Lets a connection speak for a device, and takes up what has waited for one.
    mutating func attach(_ device: DeviceID, to connection: UInt32) {
        if !delivery.attach(device, to: connection) { return }
        forEachWidget(of: device) { router, widget in router.takeUp(widget) }
        if delivery.devices[device].firstPending != WidgetRecord.none {
            delivery.enqueue(device, &agenda)
        }
    }

    private mutating func takeUp(_ widget: WidgetID) {
        let record = delivery.widgets[widget]
        if record.has(WidgetRecord.unanswered) && record.stage != .ready {
            // Sent and perhaps lost: sent once more, whatever else it waits for, and not paid again.
            delivery.widgets[widget].flags |= WidgetRecord.resent
            if record.stage == .idle {
                counters.wishes &+= 1
                delivery.schedules[widget].voidAt = .max
                delivery.widgets[widget].rights = []
            }
            decide(widget, 0)
        } else if record.stage == .held {
            decide(widget, 0)
        }
    }
}
