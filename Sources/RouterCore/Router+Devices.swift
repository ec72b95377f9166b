internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON
internal import WidgetMatching

extension Router {
    /// A frame that changes a device's state: done whole or refused whole, and acknowledged.
    mutating func receivedFromDevice(
        _ connection: UInt32,
        _ input: SessionInput,
        _ seq: UInt64,
        _ body: ByteView
    ) {
        do throws(ProtocolError) {
            try validate(body)
            switch input {
            case .widgets: try register(connection, WidgetsMessage(body))
            case .timeline:
                try show(
                    connection,
                    seq,
                    TimelineMessage(body, entryLimit: limits.timelineEntries)
                )
            case .state: try update(connection, StateMessage(body))
            case .request: try request(connection, RequestMessage(body))
            case .hello, .ping, .pong, .push, .duplicatePush, .acknowledgement:
                preconditionFailure("\(input) does not change a device's state")
            }
        } catch {
            reject(connection, seq: seq, error)
            return
        }
        accepted(connection, seq)
    }

    /// A device or gateway has received the RELOADs up to `seq`.
    mutating func receivedAcknowledgement(_ connection: UInt32, _ seq: UInt64) -> Bool {
        let last = delivery.connections[connection].lastReload
        if seq <= last { return true }
        fail(
            connection,
            ProtocolError(
                .seqNotRising,
                "ACK \(seq) is above \(last), the last RELOAD of this session"
            )
        )
        return false
    }

    // MARK: - Whose frame it is

    /// The device's id, if this session may speak for it.
    mutating func deviceName(
        _ connection: UInt32,
        _ text: JSONText
    ) throws(ProtocolError) -> ByteView {
        let name = try identifiers.identifier(text, "device")
        let record = delivery.connections[connection]
        if record.session.phase == .device {
            let own = delivery.names.view(record.name, Int(record.nameCount))
            guard own == name else {
                throw ProtocolError(
                    .deviceForeign,
                    "this session speaks for \(own.string) and not for \(name.string)"
                )
            }
        }
        return name
    }

    /// The stored device; attached to this connection from now on, unless told otherwise.
    private mutating func storedDevice(
        _ connection: UInt32,
        _ text: JSONText,
        isTakenOver: Bool = true
    ) throws(ProtocolError) -> DeviceID {
        let name = try deviceName(connection, text)
        let app = delivery.connections[connection].app
        guard let device = delivery.findDevice(app, name) else {
            throw ProtocolError(.deviceUnknown, "no widgets are stored for \(name.string)")
        }
        if isTakenOver { takeOver(device, connection) }
        return device
    }

    /// Attaches a device to the connection that speaks for it now; a device session that spoke for
    /// it before is ended.
    mutating func takeOver(_ device: DeviceID, _ connection: UInt32) {
        let record = delivery.devices[device]
        if record.connection != connection && delivery.isAttached(record)
            && delivery.connections[record.connection].session.phase == .device
        {
            fail(
                record.connection,
                ProtocolError(
                    .sessionReplaced,
                    "a newer session speaks for the same device"
                )
            )
        }
        delivery.attach(device, to: connection)
    }

    private mutating func storedWidget(
        _ device: DeviceID,
        _ text: JSONText
    ) throws(ProtocolError) -> WidgetID {
        let name = try identifiers.identifier(text, "widget")
        guard let widget = delivery.findWidget(device, name) else {
            throw ProtocolError(
                .widgetUnknown,
                "\(delivery.deviceName(device).string) has no widget \(name.string)"
            )
        }
        return widget
    }

    func declaredKind(_ app: AppID, _ name: ByteView) throws(ProtocolError) -> KindID {
        let text = name.string
        guard let kind = apps[Int(app)].kindsByName[name.array], kinds[Int(kind)].isDeclared else {
            throw ProtocolError(
                .kindUnknown,
                "no kind \(text) is declared for \(apps[Int(app)].declaration.app)"
            )
        }
        return kind
    }

    // MARK: - TIMELINE

    private mutating func show(
        _ connection: UInt32,
        _ seq: UInt64,
        _ message: TimelineMessage
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device, isTakenOver: false)
        let widget = try storedWidget(device, message.widget)
        if let reload = message.reload, reload == delivery.widgets[widget].lastReload {
            delivery.widgets[widget].flags &= ~WidgetRecord.unanswered
        }
        // Only now: a session that takes a device over is sent what is still unanswered.
        takeOver(device, connection)
        var dueAt = Int64.max
        delivery.widgets[widget].flags &= ~WidgetRecord.dueAtEnd
        switch message.policy {
        case .never:
            break
        case .after(let date):
            dueAt = date
            let answer = ScheduledMessage(
                device: delivery.deviceName(device).string,
                widget: delivery.widgetName(widget).string,
                reloadAt: date,
                slotDelay: 0
            )
            write(connection, .scheduled, seq: seq, answer.encoded)
        case .atEnd:
            dueAt = max(message.lastEntry ?? now.wall, now.wall + limits.atEndFloor)
            delivery.widgets[widget].flags |= WidgetRecord.dueAtEnd
        }
        // The same date again is in the heap already.
        if dueAt == delivery.widgets[widget].dueAt { return }
        delivery.widgets[widget].dueAt = dueAt
        if dueAt == .max { return }
        deadlines.insert(.init(at: dueAt, widget: widget))
        if deadlines.count > 2 * matcher.widgetCount + 64 { dropReplacedDeadlines() }
    }

    /// Rids the heap of dates that later timelines have replaced: they would stay until they come,
    /// and a device may replace its date as often as it likes.
    private mutating func dropReplacedDeadlines() {
        var kept = DeadlineHeap()
        while deadlines.count > 0 {
            let entry = deadlines.removeFirst()
            let isLive = delivery.widgets[entry.widget].dueAt == entry.at
            if isLive && entry != kept.last { kept.insert(entry) }
        }
        deadlines = kept
    }

    // MARK: - STATE

    private mutating func update(
        _ connection: UInt32,
        _ message: StateMessage
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        if let visible = message.visible {
            // All are checked before any is changed.
            try forEachVisible(device, visible) { _, _ in }
            setFlag(WidgetRecord.visible, false, ofAll: device)
            try forEachVisible(device, visible) { delivery, widget in
                delivery.widgets[widget].flags |= WidgetRecord.visible
            }
        }
        if let media = message.media { delivery.devices[device].media = media }
        if let foreground = message.foreground {
            delivery.devices[device].flags &= ~DeviceRecord.foreground
            if foreground { delivery.devices[device].flags |= DeviceRecord.foreground }
        }
    }

    private mutating func forEachVisible(
        _ device: DeviceID,
        _ ids: ByteView,
        _ body: (inout DeliveryTable, WidgetID) -> Void
    ) throws(ProtocolError) {
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
            body(&delivery, try storedWidget(device, reader.readString()))
            index += 1
        }
    }

    private mutating func setFlag(_ flag: UInt8, _ isSet: Bool, ofAll device: DeviceID) {
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            delivery.widgets[widget].flags &= ~flag
            if isSet { delivery.widgets[widget].flags |= flag }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    // MARK: - REQUEST

    private mutating func request(
        _ connection: UInt32,
        _ message: RequestMessage
    ) throws(ProtocolError) {
        let device = try storedDevice(connection, message.device)
        var wanted: KindID?
        if let kind = message.kind {
            let name = try identifiers.identifier(kind, "kind")
            wanted = try declaredKind(delivery.devices[device].app, name)
        }
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            if wanted == nil || delivery.widgets[widget].kind == wanted {
                delivery.markPending(widget, .request)
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }
}
