internal import Basics
internal import FrameCodec

/// Whom APNs reaches by push tokens.
///
///     the widgets' token ──► widgets pushes ────┐ the first of them that can be used
///     the app's token    ──► background pushes ─┘
///     a control's token  ──► pushes to this control
extension APNsTable {
    /// Which of a device's channels can be used.
    struct Reach: Equatable {
        /// The channel of its widgets; nil if there is none.
        var channel: APNsChannel?
        /// Whether one of its controls is reached.
        var hasControls = false

        var isReached: Bool { channel != nil || hasControls }
    }

    // MARK: - Devices

    /// Decides anew how APNs reaches a device. Returns whether it is reached in another way now.
    mutating func updateReach(
        of device: DeviceID,
        in delivery: inout DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Bool {
        let reach = reach(of: device, in: delivery, by: catalog)
        if reach == recordedReach(of: device, in: delivery) { return false }
        var flags = delivery.devices[device].flags
        flags &= ~(DeviceRecord.pushable | DeviceRecord.background)
        if reach.isReached { flags |= DeviceRecord.pushable }
        if reach.channel == .background { flags |= DeviceRecord.background }
        delivery.devices[device].flags = flags
        if pushes.has(device) {
            var flags = pushes[device].flags
            flags &= ~(APNsRecord.controls | APNsRecord.onlyControls)
            if reach.hasControls { flags |= APNsRecord.controls }
            if reach.hasControls && reach.channel == nil { flags |= APNsRecord.onlyControls }
            pushes[device].flags = flags
        }
        return reach.isReached
    }

    /// The channels that a device's tokens and its app's settings give it.
    func reach(
        of device: DeviceID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Reach {
        let record = delivery.devices[device]
        if !catalog.hasAPNsSettings(record.app) || !pushes.has(device) { return Reach() }
        var reach = Reach()
        if isUsable(appToken(device)) { reach.channel = .background }
        // The state of the widgets' token is in the record of the pushes.
        if !pushes[device].isTokenDead && isUsable(record.widgetsToken) {
            reach.channel = .widgets
        }
        reach.hasControls = hasControl(device, in: delivery) { isUsable($0) }
        return reach
    }

    private func recordedReach(of device: DeviceID, in delivery: borrowing DeliveryTable) -> Reach {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) { return Reach() }
        let push = pushes[device]
        return Reach(
            channel: push.has(APNsRecord.onlyControls) ? nil : record.channel,
            hasControls: push.has(APNsRecord.controls)
        )
    }

    // MARK: - Widgets

    /// Whether a widget is a control: WidgetKit does not reload it with the others.
    func isControl(
        _ widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Bool {
        catalog.kinds[delivery.widgets[widget].kind].rules.isControl
            || controlToken(widget).isPresent
    }

    /// The channel by which a widget is reloaded while its device has no session, if there is one.
    func channel(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> APNsChannel {
        isControl(widget, in: delivery, by: catalog)
            ? .controls : delivery.devices[delivery.widgets[widget].device].channel
    }

    /// Whether APNs reaches a widget of a device that it reaches.
    func isReached(
        _ widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Bool {
        let device = delivery.widgets[widget].device
        if !catalog.hasAPNsSettings(delivery.devices[device].app) { return false }
        if isControl(widget, in: delivery, by: catalog) { return isUsable(controlToken(widget)) }
        return !pushes[device].has(APNsRecord.onlyControls)
    }
}
