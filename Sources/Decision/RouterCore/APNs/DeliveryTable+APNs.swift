internal import Basics

/// Push tokens, and the queues of devices that APNs reaches.
extension DeliveryTable {
    /// Queues a device without a session for a push by APNs, unless one is under way, or the device
    /// may still begin a session.
    @inline(never)
    func enqueuePush(_ device: DeviceID, record: DeviceRecord, in agenda: inout Agenda) {
        if !record.has(DeviceRecord.pushable) || record.has(DeviceRecord.pushing)
            || pushes[device].has(APNsRecord.grace)
        {
            return
        }
        assert(agenda.isKept, "a router that follows a log queues no devices")
        let isUrgent = record.has(DeviceRecord.urgent)
        agenda.lanes.append(device, in: lane(of: device), isUrgent: isUrgent)
    }

    /// The lane of a device's next push: that of its controls if nothing else can be reached, or is
    /// pending.
    func lane(of device: DeviceID) -> APNsLaneID {
        let record = devices[device]
        let push = pushes[device]
        if !push.has(APNsRecord.controls) || record.firstPending.isNone { return record.lane }
        var widget = push.has(APNsRecord.onlyControls) ? .none : record.firstPending
        while !widget.isNone {
            if !controlToken(widget).isPresent { return record.lane }
            widget = widgets[widget].nextPending
        }
        return APNsLaneID(app: record.app, environment: record.environment, channel: .controls)
    }

    /// Puts a reload back into its device's pending chain, from which it was taken for a push that
    /// is for others.
    mutating func keepReady(_ widget: WidgetID, of device: DeviceID, former: DeviceRecord) {
        setStage(of: widget, to: .ready)
        widgets[widget].nextPending = devices[device].firstPending
        devices[device].firstPending = widget
        devices[device].expiresAt = former.expiresAt
        if former.has(DeviceRecord.urgent) { devices[device].flags |= DeviceRecord.urgent }
    }

    // MARK: - Tokens

    /// Whether a device says that its tokens are for Apple's sandbox; APNs may have said otherwise.
    func reportsSandbox(_ device: DeviceID) -> Bool {
        let isSandbox = devices[device].has(DeviceRecord.sandbox)
        let isCorrected = pushes.has(device) && pushes[device].trial & APNsRecord.corrected != 0
        return isSandbox != isCorrected
    }

    /// The token of a device's app.
    @inline(__always)
    func appToken(_ device: DeviceID) -> StoredToken { appTokens[device, default: .none] }

    /// The token of a control; not present for a widget.
    @inline(__always)
    func controlToken(_ widget: WidgetID) -> StoredToken { controlTokens[widget, default: .none] }

    /// Whether the device, its app or one of its controls has a token.
    func hasToken(_ device: DeviceID) -> Bool {
        devices[device].pushToken != ByteArena.none || appToken(device).isPresent
            || contains(device) { controlToken($0).isPresent }
    }

    /// Whether one of a device's controls has a token for which `condition` holds.
    func hasControl(_ device: DeviceID, where condition: (StoredToken) -> Bool) -> Bool {
        contains(device) { controlToken($0).isPresent && condition(controlToken($0)) }
    }

    /// Whether a condition holds for one of a device's widgets; false if no control has a token at
    /// all.
    private func contains(_ device: DeviceID, where condition: (WidgetID) -> Bool) -> Bool {
        if controlTokens.isEmpty { return false }
        var widget = devices[device].firstWidget
        while !widget.isNone {
            if condition(widget) { return true }
            widget = widgets[widget].nextOfDevice
        }
        return false
    }

    /// The text of a token; valid until the names change.
    func text(of token: StoredToken) -> ByteView {
        unsafe names.view(token.text, count: Int(token.count))
    }

    /// The text of the token of a device's widgets, which must have one; valid until the names
    /// change.
    func pushToken(_ device: DeviceID) -> ByteView {
        let record = devices[device]
        return unsafe names.view(record.pushToken, count: Int(record.pushTokenCount))
    }

    /// Whether the device's push token equals `token`; nil stands for no token.
    @inline(__always)
    func hasPushToken(_ device: DeviceID, equalTo token: ByteView?) -> Bool {
        guard let token else { return devices[device].pushToken == ByteArena.none }
        return devices[device].pushToken != ByteArena.none && pushToken(device) == token
    }

    /// Whether a stored token equals `token`; nil stands for no token.
    func isEqual(_ stored: StoredToken, to token: ByteView?) -> Bool {
        guard let token else { return !stored.isPresent }
        return stored.isPresent && text(of: stored) == token
    }

    /// Replaces the device's push token; nil removes it.
    mutating func setPushToken(of device: DeviceID, to token: ByteView?) {
        let record = devices[device]
        if record.pushToken != ByteArena.none {
            removeFromIndex(pushToken(device), of: device)
            forgetTokenEnd(of: .widgets(of: device))
            unsafe names.free(record.pushToken, byteCount: Int(record.pushTokenCount))
            devices[device].pushToken = ByteArena.none
            countBytes(
                of: record.app,
                adding: -StoredCost.pushToken - StoredCost.text(Int(record.pushTokenCount))
            )
        }
        if let token {
            enterIntoIndex(token, of: device)
            devices[device].pushToken = names.store(token)
            devices[device].pushTokenCount = UInt16(token.count)
            countBytes(of: record.app, adding: StoredCost.pushToken + StoredCost.text(token.count))
        }
    }

    /// Replaces the token of a device's app; nil removes it.
    mutating func setAppToken(of device: DeviceID, to token: ByteView?) {
        let former = appToken(device)
        if !former.isPresent && token == nil { return }
        let app = devices[device].app
        if former.isPresent { removeFromIndex(text(of: former), of: device) }
        if let token { enterIntoIndex(token, of: device) }
        appTokens[device, default: .none] = replace(former, by: token, of: app)
    }

    /// Replaces the token of a control; nil removes it.
    mutating func setControlToken(of widget: WidgetID, to token: ByteView?) {
        let former = controlToken(widget)
        if !former.isPresent && token == nil { return }
        let app = devices[widgets[widget].device].app
        controlTokens[widget, default: .none] = replace(former, by: token, of: app)
    }

    /// Another device of the same app that has this token of its widgets or its app; nil if none
    /// has, or if it cannot be a token.
    func otherOwner(of token: ByteView, than device: DeviceID) -> DeviceID? {
        if !StoredToken.isUsable(token) { return nil }
        let app = devices[device].app
        return tokenIndex.find(hash(of: app, name: token)) { (other: DeviceID) in
            other != device && devices[other].app == app
                && (hasPushToken(other, equalTo: token) || isEqual(appToken(other), to: token))
        }
    }

    private mutating func enterIntoIndex(_ token: ByteView, of device: DeviceID) {
        if !StoredToken.isUsable(token) { return }
        tokenIndex.insert(hash(of: devices[device].app, name: token), number: device)
    }

    private mutating func removeFromIndex(_ token: ByteView, of device: DeviceID) {
        if !StoredToken.isUsable(token) { return }
        tokenIndex.remove(hash(of: devices[device].app, name: token), number: device)
    }

    private mutating func replace(
        _ former: StoredToken,
        by token: ByteView?,
        of app: AppID
    ) -> StoredToken {
        if former.isPresent {
            let end = end(of: former)
            if end.hasEnded { endedTokens.remove(number: end.number) }
            unsafe names.free(former.text, byteCount: former.byteCount)
            countBytes(of: app, adding: -StoredCost.ownToken(Int(former.count)))
        }
        guard let token else { return .none }
        countBytes(of: app, adding: StoredCost.ownToken(token.count))
        return StoredToken(text: names.store(token), count: UInt16(token.count))
    }
}
