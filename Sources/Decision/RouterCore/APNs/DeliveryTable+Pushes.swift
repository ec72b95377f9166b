internal import Basics

/// APNs pushes to a device: which is due or under way, and what has become of the last.
extension DeliveryTable {
    /// Whether a push to a device is due, apart from the time: it has pending reloads, no session,
    /// and no push under way.
    @inline(__always)
    func isAPNsPushDue(to device: DeviceID) -> Bool {
        if !isStored(device) { return false }
        let record = devices[device]
        return record.has(DeviceRecord.pushable) && !record.has(DeviceRecord.pushing)
            && !record.firstPending.isNone && !isAttached(record)
    }

    /// Whether a push of this number is under way for a device.
    @inline(__always)
    func isPushing(_ device: DeviceID, number: UInt64) -> Bool {
        isStored(device) && devices[device].has(DeviceRecord.pushing)
            && pushes.has(device) && pushes[device].number == number
    }

    /// Gives up waiting for what becomes of a push, because the device has another token now: an
    /// answer to the push says nothing of that. Returns whether one was under way, which is to be
    /// repeated (`repeatPush`).
    mutating func abandonPush(to device: DeviceID) -> Bool {
        if !devices[device].has(DeviceRecord.pushing) { return false }
        devices[device].flags &= ~DeviceRecord.pushing
        return true
    }

    /// Records that a device's push need not be repeated.
    mutating func settle(_ device: DeviceID) { pushes[device].settled = pushes[device].number }

    /// From now on a device's tokens are used at the other one of Apple's services.
    mutating func useOtherService(for device: DeviceID) {
        devices[device].flags ^= DeviceRecord.sandbox
        pushes[device].trial ^= APNsRecord.corrected
    }

    /// Whether a token that APNs calls dead may be good: the device has registered it since then.
    ///
    /// The times are of two clocks, so the push is made once more in that case, and the next answer
    /// of this kind is believed.
    @inline(__always)
    func isDoubtful(_ device: DeviceID, since: WallTime?) -> Bool {
        let push = pushes[device]
        guard let since else { return false }
        return since < push.registeredAt && !push.has(APNsRecord.doubted)
    }

    /// Whether the push that is under way for a device is made at the other service, which another
    /// token tries, and at which tokens of its controls may be good that were refused at the one
    /// before: they do not try it themselves.
    func isTrialForControls(_ device: DeviceID) -> Bool {
        let push = pushes[device]
        let isOwnTrial = push.channel == .controls && push.has(APNsRecord.onlyControls)
        return push.trial & APNsRecord.tried != 0 && !isOwnTrial
            && hasControl(device) { $0.state == .refused }
    }

    /// Whether a TIMELINE answers a widget's last reload.
    ///
    /// A device does not learn the number of a push. So a TIMELINE without a number answers the
    /// last push to its device, if that has reloaded the widget, and APNs has accepted it.
    @inline(__always)
    func isAnswered(_ widget: WidgetID, by reload: UInt64?) -> Bool {
        let record = widgets[widget]
        if let reload { return reload == record.lastReload }
        if record.lastReload == 0 || !pushes.has(record.device) { return false }
        let push = pushes[record.device]
        return push.number == record.lastReload && push.settled == push.number
    }

    /// Whether the last reload of a widget was a push by APNs, as far as it is known: another push
    /// to the same device may have followed.
    @inline(__always)
    func wasPushed(_ widget: WidgetID) -> Bool {
        let record = widgets[widget]
        if !pushes.has(record.device) { return false }
        return pushes[record.device].number == record.lastReload
            || !isAttached(devices[record.device])
                && pushes[record.device].number > record.lastReload
    }

    /// Whether APNs has said of one of a device's tokens that it is of no use.
    @inline(__always)
    func hasDeadToken(_ device: DeviceID) -> Bool {
        pushes[device].isTokenDead || appToken(device).state != .good
            || hasControl(device) { $0.state != .good }
    }

    /// Whether pushes can go to the token of an app or control.
    @inline(__always)
    func isUsable(_ token: StoredToken) -> Bool {
        token.isPresent && token.state == .good && StoredToken.isUsable(text(of: token))
    }
}
