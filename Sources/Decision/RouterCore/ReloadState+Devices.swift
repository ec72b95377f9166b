internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// Frames of devices: whose they are, and what they name.
extension ReloadState {
    /// Does what a frame of a device says; if it throws, nothing has changed.
    mutating func apply(
        _ connection: UInt32,
        _ type: FrameType,
        _ body: ByteView,
        _ admission: Admission,
        _ out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        try validate(body, &out)
        scratch.identifiers.isStored = admission == .given
        switch type {
        case .widgets:
            out.work.charge(body.count &* WorkCost.storedByte)
            return try register(connection, WidgetsMessage(body), admission, &out)
        case .timeline:
            out.work.charge(WorkCost.slot)
            let limit = admission == .asked ? limits.timelineEntries : Int.max
            try show(connection, TimelineMessage(body, entryLimit: limit), &out)
        case .state: try update(connection, StateMessage(body), &out)
        case .request: try request(connection, RequestMessage(body), &out)
        default: preconditionFailure("\(type) does not change a device's state")
        }
        return .change
    }

    /// Checks a body that is not a payload with the strict scanner.
    mutating func validate(_ body: ByteView, _ out: inout Outbox) throws(ProtocolError) {
        out.work.charge(body.count &* WorkCost.scannedByte)
        do throws(JSONError) {
            try validateJSON(body, using: &scratch.scanner)
            scratch.scanner.resetScratch()
        } catch {
            scratch.scanner.resetScratch()
            throw ProtocolError(error)
        }
    }

    /// The device's id, if this session may speak for it.
    mutating func deviceName(
        _ connection: UInt32,
        _ text: JSONText
    ) throws(ProtocolError) -> ByteView {
        let name = try scratch.identifiers.identifier(text, "device")
        let record = delivery.sessions[connection]
        if record.role == .device {
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
        let app = delivery.sessions[connection].app
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
    mutating func takeOver(_ device: DeviceID, _ connection: UInt32, _ out: inout Outbox) {
        let record = delivery.devices[device]
        if record.connection != connection && delivery.isAttached(record)
            && delivery.sessions[record.connection].role == .device
        {
            evict(
                record.connection,
                ProtocolError(
                    .sessionReplaced,
                    "a newer session speaks for the same device"
                ),
                &out
            )
        }
        attach(device, to: connection, &out)
    }

    mutating func storedWidget(
        _ device: DeviceID,
        _ text: JSONText
    ) throws(ProtocolError) -> WidgetID {
        let name = try scratch.identifiers.identifier(text, "widget")
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
        guard let kind = catalog.apps[Int(app)].kindsByName[name.array],
            catalog.kinds[Int(kind)].isDeclared
        else {
            throw ProtocolError(
                .kindUnknown,
                "no kind \(quotation(text)) is declared for "
                    + quotation(catalog.apps[Int(app)].declaration.app)
            )
        }
        return kind
    }
}
