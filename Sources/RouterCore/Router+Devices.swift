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
        // What is stored must not change under pushes that are being matched.
        matchQueued()
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
    private mutating func deviceName(
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
    private mutating func takeOver(_ device: DeviceID, _ connection: UInt32) {
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

    private func declaredKind(_ app: AppID, _ name: ByteView) throws(ProtocolError) -> KindID {
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

    // MARK: - WIDGETS

    /// Replaces the widgets of a device.
    ///
    /// Everything is checked before anything is changed.
    ///
    /// A widget that is listed again as it was keeps its place in the index and what is pending or
    /// scheduled for it; so the cost is in proportion to what changed.
    private mutating func register(
        _ connection: UInt32,
        _ message: WidgetsMessage
    ) throws(ProtocolError) {
        let app = delivery.connections[connection].app
        var name = try deviceName(connection, message.device)
        let known = delivery.findDevice(app, name)
        let count = try check(message, app)
        // The names that were checked may have been decoded to where this one was.
        name = try deviceName(connection, message.device)
        if known == nil && delivery.devices.count >= limits.devices {
            throw ProtocolError(
                .tooManyDevices,
                "\(limits.devices) devices are stored; no more are taken"
            )
        }
        if known == nil && count == 0 { return }
        let device = known ?? delivery.insertDevice(app, name)
        try replaceWidgets(of: device, app, message)
        if count == 0 {
            delivery.removeDevice(device)
            return
        }
        delivery.devices[device].widgetCount = UInt16(count)
        delivery.setPushToken(device, message.pushToken.map { identifiers.decode($0) })
        takeOver(device, connection)
    }

    private mutating func check(
        _ message: WidgetsMessage,
        _ app: AppID
    ) throws(ProtocolError) -> Int {
        var list = message.makeWidgets()
        var seen: Set<[UInt8]> = []
        while let entry = try list.next() {
            if seen.count == limits.widgetsPerDevice {
                throw ProtocolError(
                    .tooManyWidgets,
                    "the list has more than \(limits.widgetsPerDevice) widgets"
                )
            }
            let place = "widgets[\(seen.count)]"
            let id = try identifiers.identifier(entry.id, place + ".id")
            guard seen.insert(id.array).inserted else {
                throw ProtocolError(
                    .widgetDuplicate,
                    "\(place).id is \(id.string), which was listed before"
                )
            }
            _ = try declaredKind(app, try identifiers.identifier(entry.kind, place + ".kind"))
            if let family = entry.family {
                _ = try identifiers.identifier(family, place + ".family")
            }
            guard let configuration = entry.configuration else { continue }
            do throws(ConfigurationError) {
                try WidgetMatcher.check(configuration: configuration)
            } catch {
                throw ProtocolError(
                    .configurationInvalid,
                    "\(place).configuration: \(error.message)"
                )
            }
        }
        if let token = message.pushToken {
            let bytes = identifiers.decode(token)
            if bytes.count >= RouterLimits.pushTokenBytes {
                throw ProtocolError(
                    .identifierInvalid,
                    "pushToken must be shorter than \(RouterLimits.pushTokenBytes) bytes"
                )
            }
        }
        return seen.count
    }

    private mutating func replaceWidgets(
        of device: DeviceID,
        _ app: AppID,
        _ message: WidgetsMessage
    ) throws(ProtocolError) {
        var old = detachWidgets(of: device)
        var list = message.makeWidgets()
        var last = WidgetRecord.none
        while let entry = try list.next() {
            let id = try identifiers.identifier(entry.id, "id")
            let kind = try declaredKind(app, try identifiers.identifier(entry.kind, "kind"))
            let configuration = entry.configuration ?? Self.noParameters
            let former = old.firstIndex { delivery.widgetName($0) == id }
            let widget: WidgetID
            if let former,
                matcher.hasConfiguration(old[former], kind: kind, equalTo: configuration)
            {
                widget = old.remove(at: former)
            } else {
                widget = insertWidget(device, id, kind, configuration)
                if let former { inherit(widget, from: old[former]) }
            }
            if last == WidgetRecord.none {
                delivery.devices[device].firstWidget = widget
            } else {
                delivery.widgets[last].nextOfDevice = widget
            }
            delivery.widgets[widget].nextOfDevice = WidgetRecord.none
            last = widget
        }
        for widget in old { removeWidget(widget) }
        restorePending(device)
    }

    /// A configuration without parameters, in memory that lives as long as the process.
    private static var noParameters: ByteView {
        let text: StaticString = "{}"
        return unsafe ByteView(base: text.utf8Start, count: 2)
    }

    /// Takes the widgets off a device, and empties its pending chain (the flags stay).
    private mutating func detachWidgets(of device: DeviceID) -> [WidgetID] {
        var widgets: [WidgetID] = []
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            widgets.append(widget)
            widget = delivery.widgets[widget].nextOfDevice
        }
        delivery.devices[device].firstWidget = WidgetRecord.none
        delivery.devices[device].firstPending = WidgetRecord.none
        return widgets
    }

    /// Builds the pending chain anew from the flags of the widgets that a device has now.
    private mutating func restorePending(_ device: DeviceID) {
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            if delivery.widgets[widget].has(WidgetRecord.pending) {
                delivery.widgets[widget].nextPending = delivery.devices[device].firstPending
                delivery.devices[device].firstPending = widget
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
        if delivery.devices[device].firstPending == WidgetRecord.none {
            // What was owed has gone with its widgets, and with it how long and how urgently.
            delivery.devices[device].voidAt = .min
            delivery.devices[device].flags &= ~DeviceRecord.urgent
        }
    }

    private mutating func insertWidget(
        _ device: DeviceID,
        _ id: ByteView,
        _ kind: KindID,
        _ configuration: ByteView
    ) -> WidgetID {
        let widget: WidgetID
        do throws(ConfigurationError) {
            widget = try matcher.insert(kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        let record = WidgetRecord(
            device: device,
            name: delivery.names.store(id),
            kind: kind,
            nameCount: UInt8(id.count)
        )
        delivery.widgets.reserve(through: widget, filling: record)
        delivery.widgets[widget] = record
        return widget
    }

    /// A widget whose configuration changed is the same widget to its user: a RELOAD that it was
    /// owed is still owed.
    private mutating func inherit(_ widget: WidgetID, from former: WidgetID) {
        let owed = WidgetRecord.pending | WidgetRecord.unanswered | WidgetRecord.visible
        delivery.widgets[widget].flags = delivery.widgets[former].flags & owed
        delivery.widgets[widget].lastReload = delivery.widgets[former].lastReload
    }

    private mutating func removeWidget(_ widget: WidgetID) {
        let record = delivery.widgets[widget]
        delivery.names.free(record.name, Int(record.nameCount))
        // An entry in the heap of deadlines finds that it is not meant any more.
        delivery.widgets[widget].dueAt = .max
        matcher.remove(widget)
    }
}
