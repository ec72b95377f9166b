internal import Basics
internal import Credentials
internal import FrameCodec

/// Frames of devices: which device they are for, and what they name.
extension ReloadState {
    /// The session of a connection, as the sender of a frame.
    func sender(on connection: ConnectionSlot) -> FrameSender {
        FrameSender(connection: connection, app: delivery.sessions[connection].app)
    }

    /// Applies a device's frame; if it throws, nothing has changed.
    mutating func apply(
        _ frame: ReceivedFrame,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        let (sender, body) = (frame.sender, frame.body)
        try validate(body, charging: &out)
        scratch.identifiers.isStored = admission == .logged
        switch frame.type {
        case .widgets:
            out.work.charge(body.count &* WorkCost.storedByte)
            return try register(
                from: sender,
                message: WidgetsMessage(body),
                admission: admission,
                into: &out
            )
        case .timeline:
            out.work.charge(WorkCost.slot)
            let message = try TimelineMessage(
                body,
                entryLimit: admission == .new ? limits.timelineEntries : Int.max,
                isStored: admission == .logged
            )
            try show(from: sender, message: message, admission: admission, into: &out)
        case .state: try update(from: sender, message: StateMessage(body), into: &out)
        case .request: try request(from: sender, message: RequestMessage(body), into: &out)
        default: preconditionFailure("\(frame.type) does not change a device's state")
        }
        return .change
    }

    /// Checks with the strict scanner that bytes are a legal JSON object, and charges the work.
    mutating func validate(_ body: ByteView, charging out: inout Outbox) throws(ProtocolError) {
        out.work.charge(body.count &* WorkCost.scannedByte)
        do throws(JSONError) {
            try validateJSON(body, using: &scratch.scanner)
            scratch.scanner.resetScratch()
        } catch {
            scratch.scanner.resetScratch()
            throw ProtocolError(error)
        }
    }

    /// The id of the device that a frame names. Who sends one without a session was judged with
    /// its request.
    ///
    /// - Throws: `device-foreign` if the session may not speak for this device, `device-attached`
    ///   if it is a gateway's and the device has its own, or why the id is invalid.
    mutating func deviceName(
        from sender: FrameSender,
        named text: JSONText
    ) throws(ProtocolError) -> ByteView {
        let name = try scratch.identifiers.identifier(text, of: "device")
        if !sender.hasSession { return name }
        let connection = sender.connection
        let record = delivery.sessions[connection]
        if record.role == .device {
            let own = unsafe delivery.names.view(record.name, count: Int(record.nameCount))
            guard own == name else {
                throw ProtocolError(
                    .deviceForeign,
                    message: "this session speaks for \(quotation(own.string)) and "
                        + "not for \(quotation(name.string))"
                )
            }
        }
        // An accepted frame of a log is not judged again: no gateway is limited while one is read.
        if record.role == .gateway, !gatewayDevices.isEmpty,
            let allowed = gatewayDevices[connection], !allowed.matches(name)
        {
            throw ProtocolError(
                .deviceForeign,
                message: "this gateway's credential is not for \(quotation(name.string))"
            )
        }
        // Older versions have let gateways take over devices with sessions.
        if record.role == .gateway && !scratch.identifiers.isStored {
            try requireNoSession(of: record.app, device: name)
        }
        return name
    }

    /// Refuses a gateway's frame about a device that has a session of its own.
    ///
    /// - Throws: `device-attached`.
    func requireNoSession(of app: AppID, device name: ByteView) throws(ProtocolError) {
        if delivery.findDeviceSession(of: app, named: name) == nil { return }
        throw ProtocolError(
            .deviceAttached,
            message: "\(quotation(name.string)) has a session and speaks for itself"
        )
    }

    /// The stored device that a frame names.
    ///
    /// - Throws: `device-unknown`, or what `deviceName` throws.
    mutating func storedDevice(
        from sender: FrameSender,
        named text: JSONText
    ) throws(ProtocolError) -> DeviceID {
        let name = try deviceName(from: sender, named: text)
        guard let device = delivery.findDevice(of: sender.app, named: name) else {
            throw ProtocolError(
                .deviceUnknown,
                message: "no widgets are stored for \(quotation(name.string))"
            )
        }
        return device
    }

    /// Attaches a device to the connection that speaks for it now. A device session that spoke for
    /// it before is ended; that happens only in logs of older versions, where gateways may take
    /// over such devices. Without a connection, the device stays with the session that it has.
    mutating func takeOver(
        _ device: DeviceID,
        by connection: ConnectionSlot,
        into out: inout Outbox
    ) {
        if connection.isNone { return }
        heard(of: device)
        let record = delivery.devices[device]
        if record.connection != connection && delivery.isAttached(record)
            && delivery.sessions[record.connection].role == .device
        {
            evict(
                record.connection,
                with: ProtocolError(
                    .sessionReplaced,
                    message: "a newer session speaks for the same device"
                ),
                into: &out
            )
        }
        attach(device, to: connection, into: &out)
    }

    /// The widget of a device that a frame names.
    ///
    /// - Throws: `widget-unknown`, or why the id is invalid.
    mutating func storedWidget(
        of device: DeviceID,
        named text: JSONText
    ) throws(ProtocolError) -> WidgetID {
        let name = try scratch.identifiers.identifier(text, of: "widget")
        guard let widget = delivery.findWidget(of: device, named: name) else {
            throw unknownWidget(of: device, named: name)
        }
        return widget
    }

    /// The error for a widget that is not stored for a device.
    func unknownWidget(of device: DeviceID, named name: ByteView) -> ProtocolError {
        ProtocolError(
            .widgetUnknown,
            message: "\(quotation(delivery.deviceName(device).string)) has no widget "
                + quotation(name.string)
        )
    }

    /// The number of a kind by its name.
    ///
    /// - Throws: `kind-unknown` if the app file does not declare it.
    func declaredKind(of app: AppID, named name: ByteView) throws(ProtocolError) -> KindID {
        let text = name.string
        guard let kind = catalog.apps[app].kindsByName[name.array],
            catalog.kinds[kind].isDeclared
        else {
            let declaration = catalog.apps[app].declaration
            throw ProtocolError(
                .kindUnknown,
                message: "no kind \(quotation(text)) is declared for \(quotation(declaration.app))"
                    + Spelling.hint(for: text, among: declaration.kinds.lazy.map(\.kind))
            )
        }
        return kind
    }
}
