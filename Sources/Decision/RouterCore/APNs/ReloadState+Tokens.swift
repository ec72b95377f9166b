internal import Basics
internal import FrameCodec

/// Push tokens, and whom APNs reaches by them.
///
///     the widgets' token ──► widgets pushes ────┐ the first of them that can be used
///     the app's token    ──► background pushes ─┘
///     a control's token  ──► pushes to this control
extension ReloadState {
    /// Which of a device's channels can be used.
    private struct Reach: Equatable {
        /// The channel of its widgets; nil if there is none.
        var channel: APNsChannel?
        /// Whether one of its controls is reached.
        var hasControls = false

        var isReached: Bool { channel != nil || hasControls }
    }

    // MARK: - Registration

    /// Checks that a push token is not too long, and that APNs could know it. What was stored
    /// before that was checked stays, and is never used (`StoredToken.isUsable`).
    ///
    /// - Returns: its length in bytes.
    mutating func checkToken(_ token: JSONText, at path: String) throws(ProtocolError) -> Int {
        let bytes = scratch.identifiers.decode(token)
        guard bytes.count < RouterLimits.pushTokenBytes else {
            throw ProtocolError(
                .identifierInvalid,
                message: "\(path) must be shorter than \(RouterLimits.pushTokenBytes) bytes"
            )
        }
        if !scratch.identifiers.isStored, let flaw = PushTokenFlaw.sentence(bytes) {
            throw ProtocolError(.identifierInvalid, message: "\(path) \(flaw)")
        }
        return bytes.count
    }

    /// Replaces the tokens of a device and of its app by those of a list of widgets, whose controls
    /// have got theirs before.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - message: the list.
    ///   - hasNewControl: whether a control has got another token.
    /// - Returns: whether the list says anything new of the tokens. All of them are taken to be
    ///   good again then.
    mutating func replaceTokens(
        of device: DeviceID,
        by message: WidgetsMessage,
        hasNewControl: Bool
    ) -> Bool {
        var isNew = hasNewControl
        let token = message.pushToken.map { scratch.identifiers.decode($0) }
        if !delivery.hasPushToken(device, equalTo: token) {
            delivery.setPushToken(of: device, to: token)
            isNew = true
        }
        let appToken = message.appPushToken.map { scratch.identifiers.decode($0) }
        if !delivery.isEqual(delivery.appToken(device), to: appToken) {
            delivery.setAppToken(of: device, to: appToken)
            isNew = true
        }
        let isSandbox = message.environment == .sandbox
        if !delivery.hasToken(device) {
            if isNew {
                delivery.devices[device].flags &= ~DeviceRecord.sandbox
                if delivery.pushes.has(device) { delivery.pushes[device].trial = 0 }
            }
            return isNew
        }
        isNew =
            isNew || !delivery.pushes.has(device) || hasDeadToken(device)
            || delivery.reportsSandbox(device) != isSandbox
        if isNew { tokensRegistered(device, isSandbox: isSandbox) }
        return isNew
    }

    /// Takes a device's tokens from other devices of the app that have them: the app was installed
    /// anew and has another device id, and two devices would make two pushes to one phone.
    mutating func takeTokens(of device: DeviceID, into out: inout Outbox) {
        if delivery.devices[device].pushToken != ByteArena.none {
            takeToken(of: device, into: &out) { $0.pushToken(device) }
        }
        if delivery.appToken(device).isPresent {
            takeToken(of: device, into: &out) { $0.text(of: $0.appToken(device)) }
        }
    }

    private mutating func takeToken(
        of device: DeviceID,
        into out: inout Outbox,
        text: (borrowing DeliveryTable) -> ByteView
    ) {
        while let other = delivery.otherOwner(of: text(delivery), than: device) {
            let token = text(delivery)
            let isOfWidgets = delivery.hasPushToken(other, equalTo: token)
            let isOfApp = delivery.isEqual(delivery.appToken(other), to: token)
            copyBeforeWrite(of: other)
            if isOfWidgets { delivery.setPushToken(of: other, to: nil) }
            if isOfApp { delivery.setAppToken(of: other, to: nil) }
            recordChanged(of: other)
            out.agenda.lanes.remove(other)
            let hasUnheardPush = abandonPush(to: other)
            updateReach(of: other, into: &out)
            if hasUnheardPush { repeatPush(to: other, into: &out) }
            enqueuePending(other, into: &out)
        }
    }

    private mutating func tokensRegistered(_ device: DeviceID, isSandbox: Bool) {
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

    /// Whether APNs has said of one of a device's tokens that it is of no use.
    private func hasDeadToken(_ device: DeviceID) -> Bool {
        delivery.pushes[device].isTokenDead || delivery.appToken(device).state != .good
            || delivery.hasControl(device) { $0.state != .good }
    }

    /// A device has given the tokens again that it had. What APNs says of a time before is not
    /// believed at once (`tokenDied`), as for tokens that are new.
    ///
    /// - Returns: whether the device has tokens.
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
    private func reach(of device: DeviceID) -> Reach {
        if !hasAPNsSettings(delivery.devices[device].app) || !delivery.pushes.has(device) {
            return Reach()
        }
        var reach = Reach()
        if isUsable(delivery.appToken(device)) { reach.channel = .background }
        if delivery.devices[device].pushToken != ByteArena.none
            && !delivery.pushes[device].isTokenDead
            && StoredToken.isUsable(delivery.pushToken(device))
        {
            reach.channel = .widgets
        }
        reach.hasControls = delivery.hasControl(device) { isUsable($0) }
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

    private func isUsable(_ token: StoredToken) -> Bool {
        token.isPresent && token.state == .good && StoredToken.isUsable(delivery.text(of: token))
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
        if isControl(widget) { return isUsable(delivery.controlToken(widget)) }
        return !delivery.pushes[device].has(APNsRecord.onlyControls)
    }

    // MARK: - Tokens that are of no use

    /// Gives up the token of a device's last push, which APNs has refused for good: its channel is
    /// not used until the device registers again. What the push was for goes by the device's other
    /// channel, if it has one.
    mutating func giveUpToken(
        of device: DeviceID,
        as state: StoredToken.State,
        since: WallTime? = nil,
        because fault: TokenFault,
        into out: inout Outbox
    ) {
        let push = delivery.pushes[device]
        let owner = TokenOwner(device: device, control: push.control, channel: push.channel)
        // A control may have been removed meanwhile.
        if delivery.hasToken(owner) { endToken(of: owner, as: state, because: fault, since: since) }
        if push.channel == .controls || reach(of: device).channel == nil { settle(device) }
        updateReach(of: device, into: &out)
    }

    /// Takes tokens of a device's controls that APNs has refused to be good again.
    mutating func reviveControls(of device: DeviceID, into out: inout Outbox) {
        copyBeforeWrite(of: device)
        forEachWidget(of: device, into: &out) { state, _, widget in
            state.delivery.forgetTokenEnd(of: .control(widget, of: device), onlyRefused: true)
        }
        recordChanged(of: device)
        updateReach(of: device, into: &out)
    }

    /// Takes tokens that APNs has refused to be good again.
    mutating func reviveRefusedTokens(of device: DeviceID) {
        if !delivery.hasToken(device) || !delivery.pushes.has(device) { return }
        delivery.pushes[device].trial &= ~APNsRecord.tried
        if delivery.appToken(device).state == .refused
            || delivery.hasControl(device, where: { $0.state == .refused })
        {
            copyBeforeWrite(of: device)
            delivery.forgetTokenEnds(of: device, onlyRefused: true)
            recordChanged(of: device)
        } else {
            delivery.forgetTokenEnds(of: device, onlyRefused: true)
        }
    }
}
