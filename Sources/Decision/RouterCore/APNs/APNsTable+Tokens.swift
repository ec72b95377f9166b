internal import Basics
internal import FrameCodec

/// Push tokens, as devices have registered them.
extension APNsTable {
    /// The token of a device's app.
    @inline(__always)
    func appToken(_ device: DeviceID) -> StoredToken { appTokens[device, default: .none] }

    /// The token of a control; not present for a widget.
    @inline(__always)
    func controlToken(_ widget: WidgetID) -> StoredToken { controlTokens[widget, default: .none] }

    /// Whether the device, its app or one of its controls has a token.
    func hasToken(_ device: DeviceID, in delivery: borrowing DeliveryTable) -> Bool {
        delivery.devices[device].widgetsToken.isPresent || appToken(device).isPresent
            || hasControl(device, in: delivery)
    }

    /// Whether one of a device's controls has a token for which `condition` holds.
    func hasControl(
        _ device: DeviceID,
        in delivery: borrowing DeliveryTable,
        where condition: (StoredToken) -> Bool = { _ in true }
    ) -> Bool {
        if controlTokens.isEmpty { return false }
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let token = controlToken(widget)
            if token.isPresent && condition(token) { return true }
            widget = delivery.widgets[widget].nextOfDevice
        }
        return false
    }

    /// The text of a token; valid until a token changes.
    func text(of token: StoredToken) -> ByteView {
        unsafe texts.view(token.text, count: Int(token.count))
    }

    /// Whether a stored token equals `token`; nil stands for no token.
    @inline(__always)
    func isEqual(_ stored: StoredToken, to token: ByteView?) -> Bool {
        guard let token else { return !stored.isPresent }
        return stored.isPresent && text(of: stored) == token
    }

    /// Whether pushes can go to the token of an app or control.
    @inline(__always)
    func isUsable(_ token: StoredToken) -> Bool {
        token.isPresent && token.state == .good && StoredToken.isUsable(text(of: token))
    }

    /// Whether APNs has said of one of a device's tokens that it is of no use.
    @inline(__always)
    func hasDeadToken(_ device: DeviceID, in delivery: borrowing DeliveryTable) -> Bool {
        pushes[device].isTokenDead || appToken(device).state != .good
            || hasControl(device, in: delivery) { $0.state != .good }
    }

    /// Whether a device says that its tokens are for Apple's sandbox; APNs may have said otherwise.
    func reportsSandbox(_ device: DeviceID, in delivery: borrowing DeliveryTable) -> Bool {
        let isSandbox = delivery.devices[device].has(DeviceRecord.sandbox)
        let isCorrected = pushes.has(device) && pushes[device].trial & APNsRecord.corrected != 0
        return isSandbox != isCorrected
    }

    /// The memory of all tokens of a device in bytes, as `StoredCost` counts them.
    func cost(of device: DeviceID, in delivery: borrowing DeliveryTable) -> Int {
        var cost = delivery.devices[device].widgetsToken.costOfWidgets + appToken(device).ownCost
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            cost += controlToken(widget).ownCost
            widget = delivery.widgets[widget].nextOfDevice
        }
        return cost
    }

    // MARK: - Registration

    /// Replaces the tokens of a device and of its app by those of a list of widgets, whose controls
    /// have got theirs before (`hasNewControl`: one of them another). Returns whether the list says
    /// anything new of the tokens; then all of them are taken to be good again.
    mutating func replaceTokens(
        of device: DeviceID,
        by message: WidgetsMessage,
        hasNewControl: Bool,
        using identifiers: inout IdentifierScratch,
        in delivery: inout DeliveryTable,
        now: WallTime
    ) -> Bool {
        var isNew = hasNewControl
        let token = message.pushToken.map { identifiers.decode($0) }
        if !isEqual(delivery.devices[device].widgetsToken, to: token) {
            setPushToken(of: device, to: token, in: &delivery)
            isNew = true
        }
        let appToken = message.appPushToken.map { identifiers.decode($0) }
        if !isEqual(self.appToken(device), to: appToken) {
            setAppToken(of: device, to: appToken, in: &delivery)
            isNew = true
        }
        let isSandbox = message.environment == .sandbox
        if !hasToken(device, in: delivery) {
            if isNew {
                delivery.devices[device].flags &= ~DeviceRecord.sandbox
                if pushes.has(device) { pushes[device].trial = 0 }
            }
            return isNew
        }
        isNew =
            isNew || !pushes.has(device) || hasDeadToken(device, in: delivery)
            || reportsSandbox(device, in: delivery) != isSandbox
        if isNew {
            tokensRegistered(device, isSandbox: isSandbox, in: &delivery, now: now)
        }
        return isNew
    }

    /// Gives a control the token that its entry has; nil for none. Returns whether it had another
    /// one.
    mutating func replaceToken(
        of widget: WidgetID,
        by token: JSONText?,
        using identifiers: inout IdentifierScratch,
        in delivery: inout DeliveryTable
    ) -> Bool {
        let former = controlToken(widget)
        if token == nil && !former.isPresent { return false }
        let bytes = token.map { identifiers.decode($0) }
        if isEqual(former, to: bytes) { return false }
        setControlToken(of: widget, to: bytes, in: &delivery)
        return true
    }

    /// Replaces the token of a device's widgets; nil removes it.
    mutating func setPushToken(
        of device: DeviceID,
        to token: ByteView?,
        in delivery: inout DeliveryTable
    ) {
        let (app, former) = (delivery.devices[device].app, delivery.devices[device].widgetsToken)
        if former.isPresent {
            removeFromIndex(text(of: former), of: device, app: app)
            forgetTokenEnd(of: .widgets(of: device))
            unsafe texts.free(former.text, byteCount: Int(former.count))
            delivery.devices[device].pushToken = ByteArena.none
            delivery.countBytes(of: app, adding: -former.costOfWidgets)
        }
        if let token {
            enterIntoIndex(token, of: device, app: app)
            let stored = StoredToken(text: texts.store(token), count: UInt16(token.count))
            delivery.devices[device].pushToken = stored.text
            delivery.devices[device].pushTokenCount = stored.count
            delivery.countBytes(of: app, adding: stored.costOfWidgets)
        }
    }

    /// Replaces the token of a device's app; nil removes it.
    mutating func setAppToken(
        of device: DeviceID,
        to token: ByteView?,
        in delivery: inout DeliveryTable
    ) {
        let former = appToken(device)
        if !former.isPresent && token == nil { return }
        let app = delivery.devices[device].app
        if former.isPresent { removeFromIndex(text(of: former), of: device, app: app) }
        if let token { enterIntoIndex(token, of: device, app: app) }
        appTokens[device, default: .none] = replace(former, by: token)
        delivery.countBytes(of: app, adding: appTokens[device].ownCost - former.ownCost)
    }

    /// Replaces the token of a control; nil removes it.
    mutating func setControlToken(
        of widget: WidgetID,
        to token: ByteView?,
        in delivery: inout DeliveryTable
    ) {
        let former = controlToken(widget)
        if !former.isPresent && token == nil { return }
        let app = delivery.devices[delivery.widgets[widget].device].app
        controlTokens[widget, default: .none] = replace(former, by: token)
        delivery.countBytes(of: app, adding: controlTokens[widget].ownCost - former.ownCost)
    }

    private mutating func replace(_ former: StoredToken, by token: ByteView?) -> StoredToken {
        if former.isPresent {
            let end = end(of: former)
            if end.hasEnded { endedTokens.remove(number: end.number) }
            unsafe texts.free(former.text, byteCount: former.byteCount)
        }
        guard let token else { return .none }
        return StoredToken(text: texts.store(token), count: UInt16(token.count))
    }

    /// Removes the tokens of a device and its app, and the pushes to it, because the device is
    /// removed; its controls were removed before.
    mutating func remove(_ device: DeviceID, in delivery: inout DeliveryTable) {
        setPushToken(of: device, to: nil, in: &delivery)
        setAppToken(of: device, to: nil, in: &delivery)
        forgetPushes(to: device)
    }

    /// Records that a device has given tokens that are new, or has given them anew after APNs has
    /// said something against one: all of them are taken to be good.
    mutating func tokensRegistered(
        _ device: DeviceID,
        isSandbox: Bool,
        in delivery: inout DeliveryTable,
        now: WallTime
    ) {
        pushes.reserve(through: device, filling: .empty)
        pushes[device].registeredAt = now
        forgetTokenEnds(of: device, in: delivery)
        pushes[device].flags &= ~APNsRecord.doubted
        pushes[device].trial &= ~APNsRecord.tried
        // A device that reports what was wrong before is not asked anew.
        if reportsSandbox(device, in: delivery) == isSandbox { return }
        pushes[device].trial = 0
        if isSandbox {
            delivery.devices[device].flags |= DeviceRecord.sandbox
        } else {
            delivery.devices[device].flags &= ~DeviceRecord.sandbox
        }
    }

    /// A device has given the tokens again that it had. What APNs says of a time before is not
    /// believed at once (`isDoubtful`), as for tokens that are new. Returns whether the device has
    /// tokens.
    @discardableResult
    mutating func confirmTokens(
        of device: DeviceID,
        in delivery: inout DeliveryTable,
        clock: inout StateClock
    ) -> Bool {
        if !hasToken(device, in: delivery) { return false }
        delivery.heard(of: device, clock: &clock)
        pushes[device].registeredAt = clock.now.wall
        pushes[device].flags &= ~APNsRecord.doubted
        return true
    }

    // MARK: - Owners

    /// Another device of the same app that has this token of its widgets or its app; nil if none
    /// has, or if it cannot be a token.
    func otherOwner(
        of token: StoredToken,
        than device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) -> DeviceID? {
        let token = text(of: token)
        if !StoredToken.isUsable(token) { return nil }
        let app = delivery.devices[device].app
        return tokenIndex.find(hash(of: app, token: token)) { (other: DeviceID) in
            other != device && delivery.devices[other].app == app
                && (isEqual(delivery.devices[other].widgetsToken, to: token)
                    || isEqual(appToken(other), to: token))
        }
    }

    /// Removes a token, which is another device's, from a device's widgets and its app.
    mutating func removeToken(
        equalTo token: StoredToken,
        of device: DeviceID,
        in delivery: inout DeliveryTable
    ) {
        let token = text(of: token)
        let isOfApp = isEqual(appToken(device), to: token)
        if isEqual(delivery.devices[device].widgetsToken, to: token) {
            setPushToken(of: device, to: nil, in: &delivery)
        }
        if isOfApp { setAppToken(of: device, to: nil, in: &delivery) }
    }

    private mutating func enterIntoIndex(_ token: ByteView, of device: DeviceID, app: AppID) {
        if !StoredToken.isUsable(token) { return }
        tokenIndex.insert(hash(of: app, token: token), number: device)
    }

    private mutating func removeFromIndex(_ token: ByteView, of device: DeviceID, app: AppID) {
        if !StoredToken.isUsable(token) { return }
        tokenIndex.remove(hash(of: app, token: token), number: device)
    }

    private func hash(of app: AppID, token: ByteView) -> UInt64 {
        hashKey.hash(UInt64(app.rawValue), followedBy: token)
    }
}
