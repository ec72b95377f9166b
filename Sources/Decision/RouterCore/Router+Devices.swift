internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON
internal import WidgetMatching

extension Router {
    /// A frame that changes a device's state: done whole or refused whole, and acknowledged.
    mutating func receivedFromDevice(
        _ connection: UInt32,
        _ type: FrameType,
        _ seq: UInt64,
        _ body: ByteView
    ) {
        frameSeq = seq
        do throws(ProtocolError) {
            try perform(.deviceFrame(connection: connection, type: type, body: body))
        } catch {
            return reject(connection, seq: seq, error)
        }
        capture.record(connection, type, seq, body)
        accepted(connection, seq, arrival: 0)
    }

    /// Does what a frame of a device says; if it throws, nothing has changed.
    mutating func apply(
        _ connection: UInt32,
        _ type: FrameType,
        _ body: ByteView,
        _ admission: Admission
    ) throws(ProtocolError) -> InputEffect {
        try validate(body)
        identifiers.isStored = admission == .given
        switch type {
        case .widgets:
            work.charge(body.count &* WorkCost.storedByte)
            return try register(connection, WidgetsMessage(body), admission)
        case .timeline:
            work.charge(WorkCost.slot)
            let limit = admission == .asked ? limits.timelineEntries : Int.max
            try show(connection, TimelineMessage(body, entryLimit: limit))
        case .state: try update(connection, StateMessage(body))
        case .request: try request(connection, RequestMessage(body))
        default: preconditionFailure("\(type) does not change a device's state")
        }
        return .change
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
                    "this session speaks for \(quotation(own.string)) and "
                        + "not for \(quotation(name.string))"
                )
            }
        }
        return name
    }

    /// The stored device that a frame names.
    mutating func storedDevice(
        _ connection: UInt32,
        _ text: JSONText
    ) throws(ProtocolError) -> DeviceID {
        let name = try deviceName(connection, text)
        let app = delivery.connections[connection].app
        guard let device = delivery.findDevice(app, name) else {
            throw ProtocolError(
                .deviceUnknown,
                "no widgets are stored for \(quotation(name.string))"
            )
        }
        return device
    }

    /// Attaches a device to the connection that speaks for it now; a device session that spoke for
    /// it before is ended.
    mutating func takeOver(_ device: DeviceID, _ connection: UInt32) {
        let record = delivery.devices[device]
        if record.connection != connection && delivery.isAttached(record)
            && delivery.connections[record.connection].session.phase == .device
        {
            evict(
                record.connection,
                ProtocolError(
                    .sessionReplaced,
                    "a newer session speaks for the same device"
                )
            )
        }
        attach(device, to: connection)
    }

    mutating func storedWidget(
        _ device: DeviceID,
        _ text: JSONText
    ) throws(ProtocolError) -> WidgetID {
        let name = try identifiers.identifier(text, "widget")
        guard let widget = delivery.findWidget(device, name) else {
            throw unknownWidget(device, name)
        }
        return widget
    }

    func unknownWidget(_ device: DeviceID, _ name: ByteView) -> ProtocolError {
        ProtocolError(
            .widgetUnknown,
            "\(quotation(delivery.deviceName(device).string)) has no widget "
                + quotation(name.string)
        )
    }

    func declaredKind(_ app: AppID, _ name: ByteView) throws(ProtocolError) -> KindID {
        let text = name.string
        guard let kind = apps[Int(app)].kindsByName[name.array], kinds[Int(kind)].isDeclared else {
            throw ProtocolError(
                .kindUnknown,
                "no kind \(quotation(text)) is declared for "
                    + quotation(apps[Int(app)].declaration.app)
            )
        }
        return kind
    }
}
