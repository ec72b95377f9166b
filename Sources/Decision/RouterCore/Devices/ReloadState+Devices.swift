internal import Basics
internal import Credentials
internal import FrameCodec

/// Frames of devices: which device they are for, and what they name.
extension ReloadState {
    /// Applies a device's frame: WIDGETS, TIMELINE, STATE or REQUEST. If it throws, nothing has
    /// changed.
    mutating func apply(
        _ type: FrameType,
        body: ByteView,
        from sender: FrameSender,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        try scratch.validate(body, charging: &out)
        scratch.identifiers.isStored = admission == .logged
        switch type {
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
            try show(message, from: sender, admission: admission, into: &out)
        case .state: try update(by: StateMessage(body), from: sender, into: &out)
        case .request: try request(by: RequestMessage(body), from: sender, into: &out)
        default: preconditionFailure("\(type) does not change a device's state")
        }
        return .change
    }

    private mutating func show(
        _ message: TimelineMessage,
        from sender: FrameSender,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(from: sender, named: message.device)
        let widget = try scratch.widget(message.widget, of: device, in: reloads.delivery)
        if admission == .new { try reloads.clock.requireMilliseconds(message) }
        reloads.show(message, of: widget, from: sender, seq: scratch.frameSeq, into: &out)
    }

    private mutating func update(
        by message: StateMessage,
        from sender: FrameSender,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(from: sender, named: message.device)
        // All ids are checked before any widget is changed.
        if let visible = message.visible {
            try scratch.list(visible, of: device, in: reloads.delivery)
        }
        reloads.update(
            device,
            by: message,
            visible: scratch.listedWidgets,
            from: sender.connection,
            into: &out
        )
    }

    private mutating func request(
        by message: RequestMessage,
        from sender: FrameSender,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let device = try storedDevice(from: sender, named: message.device)
        var wanted: KindID?
        if let kind = message.kind {
            let name = try scratch.identifiers.identifier(kind, of: "kind")
            wanted = try reloads.catalog.declaredKind(
                of: reloads.delivery.devices[device].app,
                named: name
            )
        }
        reloads.request(
            of: device,
            kind: wanted,
            isDownload: message.isDownload,
            from: sender.connection,
            into: &out
        )
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
        let record = reloads.delivery.sessions[connection]
        if record.role == .device {
            let own = unsafe reloads.delivery.names.view(record.name, count: Int(record.nameCount))
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
            try reloads.delivery.requireNoSession(of: record.app, device: name)
        }
        return name
    }

    /// The stored device that a frame names.
    ///
    /// - Throws: `device-unknown`, or what `deviceName` throws.
    mutating func storedDevice(
        from sender: FrameSender,
        named text: JSONText
    ) throws(ProtocolError) -> DeviceID {
        let name = try deviceName(from: sender, named: text)
        guard let device = reloads.delivery.findDevice(of: sender.app, named: name) else {
            throw ProtocolError(
                .deviceUnknown,
                message: "no widgets are stored for \(quotation(name.string))"
            )
        }
        return device
    }
}
