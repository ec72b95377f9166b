internal import Basics
internal import FrameCodec

/// Push tokens, and whom APNs reaches by them.
///
///     the widgets' token ──► widgets pushes ────┐ the first of them that can be used
///     the app's token    ──► background pushes ─┘
///     a control's token  ──► pushes to this control
extension Reloads {
    /// Which of a device's channels can be used.
    struct Reach: Equatable {
        /// The channel of its widgets; nil if there is none.
        var channel: APNsChannel?
        /// Whether one of its controls is reached.
        var hasControls = false

        var isReached: Bool { channel != nil || hasControls }
    }

    // MARK: - Registration

    mutating func tokensRegistered(_ device: DeviceID, isSandbox: Bool) {
        delivery.pushes.reserve(through: device, filling: .empty)
        delivery.pushes[device].registeredAt = clock.now.wall
        delivery.forgetTokenEnds(of: device)
        delivery.pushes[device].flags &= ~APNsRecord.doubted
        delivery.pushes[device].trial &= ~APNsRecord.tried
        // A device that reports what was wrong before is not asked anew.
        if delivery.reportsSandbox(device) == isSandbox { return }
        delivery.pushes[device].trial = 0
        if isSandbox {
            delivery.devices[device].flags |= DeviceRecord.sandbox
        } else {
            delivery.devices[device].flags &= ~DeviceRecord.sandbox
        }
    }

    /// A device has given the tokens again that it had. What APNs says of a time before is not
    /// believed at once (`DeliveryTable.isDoubtful`), as for tokens that are new. Returns whether
    /// the device has tokens.
    @discardableResult
    mutating func confirmTokens(of device: DeviceID) -> Bool {
        if !delivery.hasToken(device) { return false }
        heard(of: device)
        delivery.pushes[device].registeredAt = clock.now.wall
        delivery.pushes[device].flags &= ~APNsRecord.doubted
        return true
    }

    // MARK: - Reach

    /// Decides anew how APNs reaches a device. What has waited for a session goes by APNs then,
    /// unless the device has a session.
    mutating func updateReach(of device: DeviceID, into out: inout Outbox) {
        let reach = reach(of: device)
        if reach == recordedReach(of: device) { return }
        var flags = delivery.devices[device].flags
        flags &= ~(DeviceRecord.pushable | DeviceRecord.background)
        if reach.isReached { flags |= DeviceRecord.pushable }
        if reach.channel == .background { flags |= DeviceRecord.background }
        delivery.devices[device].flags = flags
        if delivery.pushes.has(device) {
            var flags = delivery.pushes[device].flags
            flags &= ~(APNsRecord.controls | APNsRecord.onlyControls)
            if reach.hasControls { flags |= APNsRecord.controls }
            if reach.hasControls && reach.channel == nil { flags |= APNsRecord.onlyControls }
            delivery.pushes[device].flags = flags
        }
        if reach.isReached { resumeByPush(device, into: &out) }
    }

    /// The channels that a device's tokens and its app's settings give it.
    func reach(of device: DeviceID) -> Reach {
        if !hasAPNsSettings(delivery.devices[device].app) || !delivery.pushes.has(device) {
            return Reach()
        }
        var reach = Reach()
        if delivery.isUsable(delivery.appToken(device)) { reach.channel = .background }
        if delivery.devices[device].pushToken != ByteArena.none
            && !delivery.pushes[device].isTokenDead
            && StoredToken.isUsable(delivery.pushToken(device))
        {
            reach.channel = .widgets
        }
        reach.hasControls = delivery.hasControl(device) { delivery.isUsable($0) }
        return reach
    }

    private func recordedReach(of device: DeviceID) -> Reach {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) { return Reach() }
        let push = delivery.pushes[device]
        return Reach(
            channel: push.has(APNsRecord.onlyControls) ? nil : record.channel,
            hasControls: push.has(APNsRecord.controls)
        )
    }

    /// Whether a widget is a control: WidgetKit does not reload it with the others.
    func isControl(_ widget: WidgetID) -> Bool {
        rules(of: widget).isControl || delivery.controlToken(widget).isPresent
    }

    /// The channel by which a widget is reloaded while its device has no session, if there is one.
    func channel(of widget: WidgetID) -> APNsChannel {
        isControl(widget)
            ? .controls : delivery.devices[delivery.widgets[widget].device].channel
    }

    /// Whether a reload of a widget can be sent: to a session, or by APNs.
    @inline(__always)
    func isReached(_ widget: WidgetID, of device: DeviceRecord) -> Bool {
        delivery.isAttached(device) || device.has(DeviceRecord.pushable) && isReachedByAPNs(widget)
    }

    /// Whether a reload of a widget has to wait for a session.
    @inline(__always)
    func isUnreached(_ widget: WidgetID) -> Bool {
        let device = delivery.devices[delivery.widgets[widget].device]
        return !delivery.isAttached(device) && !isReached(widget, of: device)
    }

    /// Whether APNs reaches a widget of a device that it reaches.
    func isReachedByAPNs(_ widget: WidgetID) -> Bool {
        let device = delivery.widgets[widget].device
        if !hasAPNsSettings(delivery.devices[device].app) { return false }
        if isControl(widget) { return delivery.isUsable(delivery.controlToken(widget)) }
        return !delivery.pushes[device].has(APNsRecord.onlyControls)
    }
}
