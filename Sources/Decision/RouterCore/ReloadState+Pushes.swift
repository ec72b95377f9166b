internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import Times

/// Pushes by APNs: for devices that have no session.
///
///     a device registers a token │ its app gets settings ──► pushable
///     its own session ends ──► grace ──► RELOADs without an answer, and reloads that wait for a
///                                        session, go by APNs
///     ready ─► lane ─► push under way ─► pushEnded
///
/// WidgetKit reloads all widgets of the app at a push, and cannot be given a kind. So all of the
/// device's widgets are charged, and all of their pending reloads join the push.
extension ReloadState {
    // MARK: - Which devices

    /// The settings for APNs of a device's app; nil if it has none.
    func apnsSettings(of app: AppID) -> APNsSettings? {
        catalog.apps[app].isDeclared ? catalog.apps[app].declaration.apns : nil
    }

    /// Stores which of Apple's services a device's token is for, and when it was given.
    mutating func tokenRegistered(_ device: DeviceID, environment: APNsEnvironment) {
        if delivery.devices[device].pushToken == ByteArena.none {
            delivery.devices[device].flags &= ~(DeviceRecord.pushable | DeviceRecord.sandbox)
            return
        }
        delivery.pushes.reserve(through: device, filling: .empty)
        delivery.pushes[device].registeredAt = clock.now.wall
        delivery.pushes[device].flags &= ~(PushRecord.dead | PushRecord.refused)
        if environment == .sandbox {
            delivery.devices[device].flags |= DeviceRecord.sandbox
        } else {
            delivery.devices[device].flags &= ~DeviceRecord.sandbox
        }
    }

    /// How exactly it is known when a device has last given the token that it had.
    private static var confirmationTime: Milliseconds { .hours(1) }

    /// The device has registered again with the token that it had.
    ///
    /// - Returns: whether that is recorded; it is not within an hour.
    @discardableResult
    mutating func tokenConfirmed(_ device: DeviceID) -> Bool {
        if delivery.devices[device].pushToken == ByteArena.none { return false }
        let age = clock.now.wall - delivery.pushes[device].registeredAt
        if (.zero..<Self.confirmationTime).contains(age) { return false }
        delivery.pushes[device].registeredAt = clock.now.wall
        return true
    }

    /// Whether a registration of a device says anything new of its token.
    func isNewToken(_ token: ByteView?, environment: APNsEnvironment, of device: DeviceID) -> Bool {
        if !delivery.hasPushToken(device, equalTo: token) { return true }
        if token == nil { return false }
        let isSandbox = delivery.devices[device].has(DeviceRecord.sandbox)
        return !delivery.pushes.has(device) || delivery.pushes[device].isTokenDead
            || isSandbox != (environment == .sandbox)
    }

    /// Decides anew whether APNs reaches a device. What has waited for a session goes by APNs then,
    /// unless the device has a session.
    mutating func updateReach(of device: DeviceID, into out: inout Outbox) {
        let record = delivery.devices[device]
        let isPushable = hasUsableToken(device) && apnsSettings(of: record.app) != nil
        if isPushable == record.has(DeviceRecord.pushable) { return }
        if !isPushable {
            delivery.devices[device].flags &= ~DeviceRecord.pushable
            return
        }
        delivery.devices[device].flags |= DeviceRecord.pushable
        resumeByPush(device, into: &out)
    }

    /// Whether a device has a token that is not dead and can be part of a request's path.
    private func hasUsableToken(_ device: DeviceID) -> Bool {
        let record = delivery.devices[device]
        if record.pushToken == ByteArena.none || !delivery.pushes.has(device)
            || delivery.pushes[device].isTokenDead
        {
            return false
        }
        let token = unsafe delivery.names.view(
            record.pushToken,
            count: Int(record.pushTokenCount)
        )
        if token.count == 0 || token.count % 2 != 0 { return false }
        for index in 0..<token.count {
            switch token[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                break
            default: return false
            }
        }
        return true
    }

    /// Decides anew which devices APNs reaches, after an app file that gave settings to apps, or
    /// took them away.
    mutating func settingsChanged(of apps: Set<AppID>, into out: inout Outbox) {
        if apps.isEmpty { return }
        for device in delivery.devices.ids
        where delivery.isStored(device) && apps.contains(delivery.devices[device].app) {
            updateReach(of: device, into: &out)
        }
    }

    // MARK: - Without a session

    /// A device's own session has ended: unless it begins another one within the grace, its reloads
    /// go by APNs.
    mutating func detached(_ device: DeviceID, into out: inout Outbox) {
        if !delivery.devices[device].has(DeviceRecord.pushable) { return }
        delivery.pushes[device].detachedAt = clock.now.monotonic
        delivery.pushes[device].flags |= PushRecord.grace
        updateTimer(delivery.devices[device].firstWidget, into: &out)
    }

    /// When the grace of a widget's device ends, if the device's timer is this widget's; nil if it
    /// is not, or if there is no grace.
    @inline(__always)
    func graceEnd(_ widget: WidgetID) -> MonotonicTime? {
        let device = delivery.widgets[widget].device
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) || record.firstWidget != widget { return nil }
        return graceEnd(ofDevice: device)
    }

    private func graceEnd(ofDevice device: DeviceID) -> MonotonicTime? {
        let push = delivery.pushes[device]
        if !push.has(PushRecord.grace) { return nil }
        let grace = apnsSettings(of: delivery.devices[device].app)?.grace ?? .zero
        return push.detachedAt + grace
    }

    /// The grace of a device is over: its app is taken to have left the foreground, and what waits
    /// goes by APNs.
    mutating func graceIsOver(for device: DeviceID, into out: inout Outbox) {
        endGrace(of: device)
        delivery.devices[device].flags &= ~DeviceRecord.foreground
        delivery.devices[device].media = .none
        resumeByPush(device, into: &out)
    }

    /// Ends a device's grace, because it is over or a session has begun.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func endGrace(of device: DeviceID) -> Bool {
        if !delivery.pushes.has(device) || !delivery.pushes[device].has(PushRecord.grace) {
            return false
        }
        delivery.pushes[device].flags &= ~PushRecord.grace
        return true
    }

    /// A session speaks for a device again: nothing of its pushes waits any more.
    mutating func sessionBegan(for device: DeviceID, into out: inout Outbox) {
        if !delivery.pushes.has(device) { return }
        if delivery.pushes[device].has(PushRecord.unheard) {
            delivery.pushes[device].flags &= ~PushRecord.unheard
        }
        if endGrace(of: device) {
            updateTimer(delivery.devices[device].firstWidget, into: &out)
        }
    }

    /// Continues the reloads of a device without a session by APNs: those of RELOADs that it has
    /// not answered, unless a push has replaced them, and those that wait for a session.
    mutating func resumeByPush(_ device: DeviceID, into out: inout Outbox) {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) || delivery.isAttached(record) { return }
        let push = delivery.pushes[device]
        if push.has(PushRecord.grace) { return }
        let isPushing = record.has(DeviceRecord.pushing)
        forEachWidget(of: device, into: &out) { state, out, widget in
            let record = state.delivery.widgets[widget]
            let isDue =
                record.has(WidgetRecord.unanswered) && record.stage != .ready
                && record.lastReload > push.settled
                && !(isPushing && record.lastReload == push.number)
            if isDue {
                state.repeatReload(widget, into: &out)
            } else if record.stage == .awaitingSession {
                state.decide(widget, fanOut: 0, into: &out)
            }
        }
        if !delivery.devices[device].firstPending.isNone {
            delivery.enqueue(device, in: &out.agenda)
        }
    }

    // MARK: - When

    /// The earliest time of a push to a device without a session, and why it waits; now and `sent`
    /// if it need not.
    func earliestPush(_ device: DeviceID) -> (time: MonotonicTime, reason: DecisionReason) {
        let push = delivery.pushes[device]
        var (time, reason) = (clock.now.monotonic, DecisionReason.sent)
        if let end = graceEnd(ofDevice: device), end > time { (time, reason) = (end, .grace) }
        if push.pausedUntil > time { (time, reason) = (push.pausedUntil, .retry) }
        let paid = push.budget.earliest(
            pushPolicy(of: delivery.devices[device].app),
            mayUseReserve: true,
            at: clock.now.monotonic,
            phase: phase(ofDevice: device)
        )
        if paid > time { (time, reason) = (paid, .cap) }
        return (time, reason)
    }

    /// The cap of an app's pushes to a device, as a policy of which nothing but the number matters.
    func pushPolicy(of app: AppID) -> BudgetPolicy {
        let cap = apnsSettings(of: app)?.pushesPerDay ?? 0
        var policy = BudgetPolicy()
        (policy.seldom, policy.daily, policy.often) = (cap, cap, cap)
        policy.learningPercent = 100
        policy.urgentPercent = 0
        return policy
    }

    /// The offset of the hours in which a device's pushes are counted.
    func phase(ofDevice device: DeviceID) -> Milliseconds {
        Milliseconds((UInt64(device.rawValue &* 0x9e37_79b1) * 86_400_000) >> 32)
    }

    // MARK: - Making a push

    /// Makes a push of the reloads that are pending for a device, or drops them if they have
    /// expired, or makes them wait if no push may be made now.
    mutating func makePush(to device: DeviceID, into out: inout Outbox) {
        let record = delivery.devices[device]
        assert(!delivery.isAttached(record) && !record.has(DeviceRecord.pushing))
        if earliestPush(device).time > clock.now.monotonic { return recallAll(device, into: &out) }
        let first = out.reloadWidgets.count
        defer { out.reloadWidgets.removeSubrange(first...) }
        if !takeUnexpired(of: device, into: &out) { return }
        numbers.reload += 1
        chargePush(device, from: first, into: &out)
        for index in first..<out.reloadWidgets.count {
            pushed(out.reloadWidgets[index], into: &out)
        }
        delivery.devices[device].flags |= DeviceRecord.pushing
        delivery.devices[device].lastReloadAt = max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        countPush(device, isPlain: record.cause != .download)
        out.observer.counters.pushes.made += 1
        out.push = OutgoingPush(
            device: device,
            number: numbers.reload,
            isUrgent: record.has(DeviceRecord.urgent),
            expiresAt: pushExpiry(of: device, causes: record.expiresAt)
        )
    }

    /// Records that a push to a device is under way.
    private mutating func countPush(_ device: DeviceID, isPlain: Bool) {
        delivery.devices[device].flags &= ~DeviceRecord.asked
        if isPlain { delivery.devices[device].flags &= ~DeviceRecord.downloaded }
        delivery.pushes[device].number = numbers.reload
        delivery.pushes[device].budget.charge(
            at: clock.now.monotonic,
            phase: phase(ofDevice: device)
        )
        let isRepetition = delivery.pushes[device].has(PushRecord.unheard)
        delivery.pushes[device].flags &= ~(PushRecord.unheard | PushRecord.repeating)
        if isRepetition { delivery.pushes[device].flags |= PushRecord.repeating }
    }

    /// Charges the budgets of all widgets of a device, because all of them reload. What is pending
    /// for the others joins `reloadWidgets`, which has the ready ones from `first` on.
    private mutating func chargePush(
        _ device: DeviceID,
        from first: Int,
        into out: inout Outbox
    ) {
        var isPaid = false
        for index in first..<out.reloadWidgets.count {
            let widget = out.reloadWidgets[index]
            if chargeBudget(widget) { isPaid = true }
            delivery.widgets[widget].isMarked = true
        }
        let count = out.reloadWidgets.count
        forEachWidget(of: device, into: &out) { state, out, widget in
            if !state.delivery.widgets[widget].isMarked {
                state.pushAlong(widget, isPaid: isPaid, into: &out)
            }
        }
        for index in first..<count { delivery.widgets[out.reloadWidgets[index]].isMarked = false }
    }

    /// Charges a widget that reloads because a push for another one comes, and adds its pending
    /// reload to the push.
    private mutating func pushAlong(_ widget: WidgetID, isPaid: Bool, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        let isCounted = record.stage == .idle ? isPaid : !record.has(WidgetRecord.resent)
        joinDelivery(widget, isCounted: isCounted, into: &out)
    }

    /// Records that the push of the present number reloads a widget.
    private mutating func pushed(_ widget: WidgetID, into out: inout Outbox) {
        delivery.widgets[widget].lastReload = numbers.reload
        delivery.widgets[widget].flags |= WidgetRecord.unanswered
        delivery.widgets[widget].flags &= ~(WidgetRecord.resent | WidgetRecord.stale)
        out.observer.counters.endings[.apns] &+= 1
        log(widget, reason: .apns, into: &out)
    }

    /// How long Apple keeps a push for a device that is switched off: a later one is of no use.
    private static var pushLife: Milliseconds { .days(1) }

    /// When a push is of no use any more: at the next date of one of the device's widgets, or when
    /// its causes expire, and after a day in any case.
    private func pushExpiry(of device: DeviceID, causes: WallTime) -> WallTime {
        var time = min(causes, clock.now.wall + Self.pushLife)
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let date = delivery.schedules[widget].timelineAt
            if date > clock.now.wall { time = min(time, date) }
            widget = delivery.widgets[widget].nextOfDevice
        }
        return time
    }

    /// Decides again on all reloads that are ready for a device, because no push may be made now.
    private mutating func recallAll(_ device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { state, out, widget in
            if state.delivery.widgets[widget].stage == .ready {
                state.decide(widget, fanOut: 0, hasSlot: true, into: &out)
            }
        }
        restorePending(device)
    }
}
