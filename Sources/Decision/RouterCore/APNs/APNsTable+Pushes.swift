internal import Basics
internal import ReloadScheduling

/// APNs pushes to a device: when the next may be made, which is under way, and what has become of
/// the last.
extension APNsTable {
    // MARK: - The next push

    /// Queues a device without a session for a push, unless one is under way, or the device may
    /// still begin a session.
    @inline(never)
    func enqueue(
        _ device: DeviceID,
        record: DeviceRecord,
        in delivery: borrowing DeliveryTable,
        agenda: inout Agenda
    ) {
        if !record.has(DeviceRecord.pushable) || record.has(DeviceRecord.pushing)
            || pushes[device].has(APNsRecord.grace)
        {
            return
        }
        assert(agenda.isKept, "a router that follows a log queues no devices")
        let isUrgent = record.has(DeviceRecord.urgent)
        agenda.lanes.append(device, in: lane(of: device, in: delivery), isUrgent: isUrgent)
    }

    /// The lane of a device's next push: that of its controls if nothing else can be reached, or is
    /// pending.
    func lane(of device: DeviceID, in delivery: borrowing DeliveryTable) -> APNsLaneID {
        let record = delivery.devices[device]
        let push = pushes[device]
        if !push.has(APNsRecord.controls) || record.firstPending.isNone { return record.lane }
        var widget = push.has(APNsRecord.onlyControls) ? .none : record.firstPending
        while !widget.isNone {
            if !controlToken(widget).isPresent { return record.lane }
            widget = delivery.widgets[widget].nextPending
        }
        return APNsLaneID(app: record.app, environment: record.environment, channel: .controls)
    }

    /// When the grace of a widget's device ends, if the device's timer is this widget's; nil if it
    /// is not, or if there is no grace.
    @inline(__always)
    func graceEnd(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> MonotonicTime? {
        let device = delivery.widgets[widget].device
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) || record.firstWidget != widget { return nil }
        return graceEnd(of: device, app: record.app, by: catalog)
    }

    private func graceEnd(
        of device: DeviceID,
        app: AppID,
        by catalog: borrowing Catalog
    ) -> MonotonicTime? {
        let push = pushes[device]
        if !push.has(APNsRecord.grace) { return nil }
        return push.detachedAt + (catalog.apnsSettings(of: app)?.grace ?? .zero)
    }

    /// Ends a device's grace, because it is over or a session has begun. Returns whether there was
    /// one.
    @discardableResult
    mutating func endGrace(of device: DeviceID) -> Bool {
        if !pushes.has(device) || !pushes[device].has(APNsRecord.grace) { return false }
        pushes[device].flags &= ~APNsRecord.grace
        return true
    }

    /// A device's own session has ended: its grace begins.
    mutating func beginGrace(of device: DeviceID, now: MonotonicTime) {
        pushes[device].detachedAt = now
        pushes[device].flags |= APNsRecord.grace
    }

    /// A session speaks for a device: what is under way needs no repetition. Returns whether that
    /// has ended a grace.
    mutating func sessionBegan(for device: DeviceID) -> Bool {
        if !pushes.has(device) { return false }
        if pushes[device].has(APNsRecord.unheard) {
            pushes[device].flags &= ~APNsRecord.unheard
        }
        return endGrace(of: device)
    }

    /// The earliest time of a push to a device without a session by one of its channels, and why it
    /// waits; now and `sent` if it need not.
    func earliestPush(
        to device: DeviceID,
        of app: AppID,
        by channel: APNsChannel,
        in catalog: borrowing Catalog,
        now: MonotonicTime
    ) -> (time: MonotonicTime, reason: DecisionReason) {
        let push = pushes[device]
        var (time, reason) = (now, DecisionReason.sent)
        if let end = graceEnd(of: device, app: app, by: catalog), end > time {
            (time, reason) = (end, .grace)
        }
        if push.pausedUntil > time { (time, reason) = (push.pausedUntil, .retry) }
        if !catalog.hasAPNsSettings(app) { return (time, reason) }
        let paid = push.budget.earliest(
            catalog.pushPolicy(of: app),
            mayUseReserve: true,
            at: now,
            phase: Self.phase(of: device)
        )
        if paid > time { (time, reason) = (paid, .cap) }
        if channel == .background {
            let limit = catalog.apnsSettings(of: app)?.backgroundPushesPerHour
            let next = push.nextBackgroundPush(limit: limit ?? 1)
            if next > time { (time, reason) = (next, .cap) }
        }
        return (time, reason)
    }

    // MARK: - The push that is under way

    /// Whether a push of this number is under way for a device.
    @inline(__always)
    func isPushing(
        _ device: DeviceID,
        number: UInt64,
        in delivery: borrowing DeliveryTable
    ) -> Bool {
        delivery.isStored(device) && delivery.devices[device].has(DeviceRecord.pushing)
            && pushes.has(device) && pushes[device].number == number
    }

    /// Records the push to a device that is under way now.
    mutating func pushMade(
        to device: DeviceID,
        number: UInt64,
        by channel: APNsChannel,
        control: WidgetID
    ) {
        pushes[device].channel = channel
        pushes[device].control = control
        pushes[device].number = number
        let isRepetition = pushes[device].has(APNsRecord.unheard)
        if !isRepetition { pushes[device].kills = 0 }
        pushes[device].flags &= ~(APNsRecord.unheard | APNsRecord.repeating)
        if isRepetition { pushes[device].flags |= APNsRecord.repeating }
    }

    /// Counts a push that APNs has accepted, or perhaps has, towards the cap.
    mutating func countAccepted(_ device: DeviceID, now: MonotonicTime) {
        pushes[device].budget.charge(at: now, phase: Self.phase(of: device))
        if pushes[device].channel == .background { pushes[device].backgroundPushed(at: now) }
    }

    /// Records that a device's push need not be repeated.
    mutating func settle(_ device: DeviceID) { pushes[device].settled = pushes[device].number }

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

    /// A push has ended without an answer.
    ///
    /// If it was a repetition itself, APNs is silent, and the push is made anew after a pause. If
    /// the router was killed during it and during its repetitions, each is made after a longer
    /// pause: APNs may have had none of them, and a push may be what kills the router.
    mutating func unheard(_ device: DeviceID, hasCrashed: Bool, now: MonotonicTime) {
        let isRepetition = pushes[device].has(APNsRecord.repeating)
        let formerKills = isRepetition ? Int(pushes[device].kills) : 0
        let kills = hasCrashed ? formerKills + 1 : 0
        if isRepetition && !hasCrashed {
            pushes[device].pausedUntil = now + Self.silencePause(of: device)
        } else {
            pushes[device].flags |= APNsRecord.unheard
            pushes[device].kills = UInt8(clamping: kills)
        }
        if kills > 1 {
            let pause = min(Self.silencePause(of: device), .seconds(15 << min(kills - 2, 8)))
            pushes[device].pausedUntil = now + pause
        }
    }

    /// How long a push waits of which nothing was heard twice: 15 to 20 minutes, another time for
    /// each device.
    private static func silencePause(of device: DeviceID) -> Milliseconds {
        .minutes(15) + Milliseconds(rawValue: phase(of: device).rawValue % 300_000)
    }

    // MARK: - The other service

    /// A token is none at the service for which the device has registered it: if the app's settings
    /// allow that, true is returned, and the push is to be made once more at the other one. What
    /// APNs accepts there is used from then on, whatever the device reports.
    mutating func tryOtherService(
        for device: DeviceID,
        in delivery: inout DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Bool {
        let record = delivery.devices[device]
        if pushes[device].trial & APNsRecord.tried != 0 {
            // Neither has it: what was used before is as good.
            useOtherService(for: device, in: &delivery)
            pushes[device].trial &= ~APNsRecord.tried
            return false
        }
        // A control's token must not try out what another token of the device is accepted at.
        let push = pushes[device]
        if push.channel == .controls && !push.has(APNsRecord.onlyControls) { return false }
        let other: APNsEnvironment = record.environment == .production ? .sandbox : .production
        if catalog.apnsSettings(of: record.app)?.environments.contains(other) != true {
            return false
        }
        useOtherService(for: device, in: &delivery)
        pushes[device].trial |= APNsRecord.tried
        return true
    }

    /// From now on a device's tokens are used at the other one of Apple's services.
    private mutating func useOtherService(
        for device: DeviceID,
        in delivery: inout DeliveryTable
    ) {
        delivery.devices[device].flags ^= DeviceRecord.sandbox
        pushes[device].trial ^= APNsRecord.corrected
    }

    /// Whether the push that is under way for a device is made at the other service, which another
    /// token tries, and at which tokens of its controls may be good that were refused at the one
    /// before: they do not try it themselves.
    func isTrialForControls(_ device: DeviceID, in delivery: borrowing DeliveryTable) -> Bool {
        let push = pushes[device]
        let isOwnTrial = push.channel == .controls && push.has(APNsRecord.onlyControls)
        return push.trial & APNsRecord.tried != 0 && !isOwnTrial
            && hasControl(device, in: delivery) { $0.state == .refused }
    }

    // MARK: - Inputs of a log

    /// Why no such push is under way, as the beginning of a sentence; nil if it is.
    func problem(
        withPush number: UInt64,
        to device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) -> String? {
        isPushing(device, number: number, in: delivery)
            ? nil : "push \(number) to device \(device) is not under way"
    }

    /// Why a device cannot confirm its tokens, as the beginning of a sentence; nil if it can.
    func problem(
        withTokensOf device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) -> String? {
        if let problem = delivery.problem(with: device) { return problem }
        return hasToken(device, in: delivery)
            && pushes.has(device)
            ? nil : "device \(device) has no tokens"
    }

    // MARK: - What it has reloaded

    /// Whether a TIMELINE answers a widget's last reload.
    ///
    /// A device does not learn the number of a push. So a TIMELINE without a number answers the
    /// last push to its device, if that has reloaded the widget, and APNs has accepted it.
    @inline(__always)
    func isAnswered(_ record: WidgetRecord, by reload: UInt64?) -> Bool {
        if let reload { return reload == record.lastReload }
        if record.lastReload == 0 || !pushes.has(record.device) { return false }
        let push = pushes[record.device]
        return push.number == record.lastReload && push.settled == push.number
    }

    /// Whether the last reload of a widget was a push, as far as it is known: another push to the
    /// same device may have followed.
    @inline(__always)
    func wasPushed(_ record: WidgetRecord, in delivery: borrowing DeliveryTable) -> Bool {
        if !pushes.has(record.device) { return false }
        return pushes[record.device].number == record.lastReload
            || !delivery.isAttached(delivery.devices[record.device])
                && pushes[record.device].number > record.lastReload
    }
}
