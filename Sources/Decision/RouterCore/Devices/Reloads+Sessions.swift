internal import Basics
internal import FrameCodec

/// Sessions of devices and gateways: what begins and ends with them for the reloads of devices.
extension Reloads {
    /// Ends a session, which is no publisher's any more; the time is nil if it ended with its
    /// process.
    mutating func endSession(
        _ connection: ConnectionSlot,
        at time: Instant?,
        into out: inout Outbox
    ) {
        let device = delivery.ownDevice(of: connection)
        delivery.forgetDeviceSession(connection)
        delivery.endSession(connection)
        if let device {
            delivery.heard(of: device, clock: &clock, hasEnded: time == nil)
            detached(device, into: &out)
        }
    }

    /// Ends a session because of an input that is not its own; its peer gets `error`.
    mutating func evict(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        into out: inout Outbox
    ) {
        if delivery.sessions[connection].role == nil { return }
        endSession(connection, at: clock.now, into: &out)
        out.toFront.evicted.append(.init(connection: connection, error: error))
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
        delivery.heard(of: device, clock: &clock)
        let record = delivery.devices[device]
        if record.connection != connection && delivery.isAttached(record)
            && delivery.sessions[record.connection].role == .device
        {
            let message = "a newer session speaks for the same device"
            let error = ProtocolError(.sessionReplaced, message: message)
            evict(record.connection, with: error, into: &out)
        }
        attach(device, to: connection, into: &out)
    }

    /// Attaches a device that is new to its own session, which has begun before its widgets came
    /// over HTTP.
    mutating func attachOwnSession(of device: DeviceID, into out: inout Outbox) {
        let app = delivery.devices[device].app
        let name = delivery.deviceName(device)
        guard let connection = delivery.findDeviceSession(of: app, named: name) else { return }
        attach(device, to: connection, into: &out)
    }

    /// Makes a connection the device's session, and continues the reloads that waited for one. A
    /// gateway that spoke for the device is informed.
    mutating func attach(_ device: DeviceID, to connection: ConnectionSlot, into out: inout Outbox)
    {
        let isOwn = delivery.sessions[connection].role == .device
        delivery.reportDetached(
            device,
            from: connection,
            because: isOwn ? .session : .gateway,
            into: &out
        )
        if !delivery.attach(device, to: connection) { return }
        // Nothing of its pushes waits any more.
        if apns.sessionBegan(for: device) {
            updateTimer(delivery.devices[device].firstWidget, into: &out)
        }
        // An entry that is left in the queue of an earlier connection is skipped there.
        out.agenda.removeQueued(device)
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            reloads.resumeReload(widget, into: &out)
        }
        delivery.enqueuePending(device, apns: apns, in: &out.agenda)
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
