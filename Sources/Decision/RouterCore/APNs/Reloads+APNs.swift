internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Pushes by APNs: for devices that have no session.
///
///     a device registers a token │ its app gets settings ──► pushable (`updateReach`)
///     its own session ends ──► grace ──► RELOADs without an answer, and reloads that wait for a
///                                        session, go by APNs
///     ready ─► lane ─► push under way ─► apnsPushEnded
///
/// WidgetKit reloads all widgets of the app at a push to them, and cannot be given a kind. So all
/// of the device's widgets are charged, and all of their pending reloads join the push. A
/// background push names kinds, as a RELOAD does. A push to a control reloads this control alone.
extension Reloads {
    // MARK: - Which devices

    /// Continues by APNs what has waited for a session only because the app had no settings for a
    /// while: not for long enough that the device has adopted that.
    mutating func resumeReached(_ device: DeviceID, into out: inout Outbox) {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) || delivery.isAttached(record) { return }
        forEachWidget(of: device, into: &out) { state, out, widget in
            let isWaiting = state.delivery.widgets[widget].stage == .awaitingSession
            if isWaiting
                && state.apns.isReached(widget, in: state.delivery, by: state.catalog)
            {
                state.decide(widget, fanOut: 0, into: &out)
            }
        }
    }

    // MARK: - Without a session

    /// A device's own session has ended: unless it begins another one within the grace, its reloads
    /// go by APNs.
    mutating func detached(_ device: DeviceID, into out: inout Outbox) {
        if !delivery.devices[device].has(DeviceRecord.pushable) { return }
        apns.beginGrace(of: device, now: clock.now.monotonic)
        updateTimer(delivery.devices[device].firstWidget, into: &out)
    }

    /// The grace of a device is over: its app is taken to have left the foreground, and what waits
    /// goes by APNs.
    mutating func graceIsOver(for device: DeviceID, into out: inout Outbox) {
        apns.endGrace(of: device)
        delivery.devices[device].flags &= ~DeviceRecord.foreground
        delivery.devices[device].media = .none
        resumeByPush(device, into: &out)
    }

    /// Continues the reloads of a device without a session by APNs: those of RELOADs that it has
    /// not answered, unless a push has replaced them, and those that wait for a session.
    mutating func resumeByPush(_ device: DeviceID, into out: inout Outbox) {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) || delivery.isAttached(record) { return }
        let push = apns.pushes[device]
        if push.has(APNsRecord.grace) { return }
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
        delivery.enqueuePending(device, apns: apns, in: &out.agenda)
    }

    // MARK: - Reach

    /// Decides anew how APNs reaches a device. What has waited for a session goes by APNs then,
    /// unless the device has a session.
    mutating func updateReach(of device: DeviceID, into out: inout Outbox) {
        if apns.updateReach(of: device, in: &delivery, by: catalog) {
            resumeByPush(device, into: &out)
        }
    }

    /// Whether a reload of a widget can be sent: to a session, or by APNs.
    @inline(__always)
    func isReached(_ widget: WidgetID, of device: DeviceRecord) -> Bool {
        delivery.isAttached(device)
            || device.has(DeviceRecord.pushable)
                && apns.isReached(widget, in: delivery, by: catalog)
    }

    // MARK: - Making a push

    /// Makes a push of the reloads that are pending for a device, or of some of them if they go by
    /// several channels; or drops them if they have expired, or makes them wait if no push may be
    /// made now.
    mutating func makePush(to device: DeviceID, isFanningOut: Bool, into out: inout Outbox) {
        let record = delivery.devices[device]
        assert(!delivery.isAttached(record) && !record.has(DeviceRecord.pushing))
        let channel = apns.lane(of: device, in: delivery).channel
        let (time, _) = apns.earliestPush(
            to: device,
            of: record.app,
            by: channel,
            in: catalog,
            now: clock.now.monotonic
        )
        if time > clock.now.monotonic { return recallAll(device, into: &out) }
        endForeground(of: device, into: &out)
        let first = out.reloadWidgets.count
        defer { out.reloadWidgets.removeSubrange(first...) }
        if !takeUnexpired(of: device, into: &out) { return }
        keepPending(of: device, except: channel, from: first, former: record, into: &out)
        if out.reloadWidgets.count == first {
            return delivery.enqueuePending(device, apns: apns, in: &out.agenda)
        }
        numbers.nextReload()
        let control = channel == .controls ? out.reloadWidgets[first] : .none
        switch channel {
        case .widgets: chargePush(device, from: first, into: &out)
        case .background:
            chargeDelivery(
                device,
                record: record,
                from: first,
                isFanningOut: isFanningOut,
                into: &out
            )
        case .controls:
            _ = schedules.chargeBudget(
                control,
                by: rules(of: control).budget,
                in: delivery,
                now: clock.now.monotonic
            )
        }
        for index in first..<out.reloadWidgets.count {
            sent(out.reloadWidgets[index], as: .apns, into: &out)
        }
        delivery.devices[device].flags |= DeviceRecord.pushing
        delivery.devices[device].flags &= ~DeviceRecord.asked
        if record.cause != .download { delivery.devices[device].flags &= ~DeviceRecord.downloaded }
        delivery.devices[device].lastReloadAt = max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        apns.pushMade(to: device, number: numbers.reload, by: channel, control: control)
        out.observer.counters.pushes.made += 1
        out.apnsPush = OutgoingAPNsPush(
            device: device,
            number: numbers.reload,
            channel: channel,
            control: control,
            isUrgent: record.has(DeviceRecord.urgent),
            expiresAt: schedules.nextDate(
                of: device,
                in: delivery,
                now: clock.now.wall,
                orEarlier: min(record.expiresAt, clock.now.wall + Self.pushLife)
            )
        )
    }

    /// Ends what a device has reported of its app's foreground and media if it has not answered its
    /// last push: no app is there that would. What is pending is counted from now on.
    private mutating func endForeground(of device: DeviceID, into out: inout Outbox) {
        if !delivery.devices[device].isExempt { return }
        let push = apns.pushes[device]
        if push.number == 0 || push.settled != push.number { return }
        var isUnanswered = false
        forEachWidget(of: device, into: &out) { state, _, widget in
            let record = state.delivery.widgets[widget]
            if record.has(WidgetRecord.unanswered) && record.lastReload == push.number {
                isUnanswered = true
            }
        }
        if !isUnanswered { return }
        delivery.devices[device].flags &= ~DeviceRecord.foreground
        delivery.devices[device].media = .none
        recall(device, into: &out)
    }

    /// Makes the reloads in `reloadWidgets` from `first` on pending again, but for those that the
    /// next push is for: all of the device's widgets, or one control. Those that no channel reaches
    /// wait for a session. The device has nothing pending; `former` is its record before they were
    /// taken.
    private mutating func keepPending(
        of device: DeviceID,
        except channel: APNsChannel,
        from first: Int,
        former: DeviceRecord,
        into out: inout Outbox
    ) {
        var count = first
        for index in first..<out.reloadWidgets.count {
            let widget = out.reloadWidgets[index]
            if !apns.isReached(widget, in: delivery, by: catalog) {
                awaitSession(widget, into: &out)
            } else if apns.channel(of: widget, in: delivery, by: catalog) == channel
                && (channel != .controls || count == first)
            {
                out.reloadWidgets[count] = widget
                count += 1
            } else {
                delivery.keepReady(widget, of: device, former: former)
            }
        }
        out.reloadWidgets.removeSubrange(count...)
    }

    /// Charges the budgets of all widgets of a device, because all of them reload, and of no
    /// control. What is pending for the others joins `reloadWidgets`, which has the ready ones from
    /// `first` on.
    private mutating func chargePush(_ device: DeviceID, from first: Int, into out: inout Outbox) {
        var isPaid = false
        for index in first..<out.reloadWidgets.count {
            let widget = out.reloadWidgets[index]
            let isCounted = schedules.chargeBudget(
                widget,
                by: rules(of: widget).budget,
                in: delivery,
                now: clock.now.monotonic
            )
            if isCounted { isPaid = true }
            delivery.widgets[widget].isMarked = true
        }
        let count = out.reloadWidgets.count
        forEachWidget(of: device, into: &out) { state, out, widget in
            if !state.delivery.widgets[widget].isMarked
                && !state.apns.isControl(widget, in: state.delivery, by: state.catalog)
            {
                let record = state.delivery.widgets[widget]
                let isCounted = record.stage == .idle ? isPaid : !record.has(WidgetRecord.resent)
                state.joinDelivery(widget, isCounted: isCounted, into: &out)
            }
        }
        for index in first..<count { delivery.widgets[out.reloadWidgets[index]].isMarked = false }
    }

    /// How long Apple keeps a push for a device that is switched off: a later one is of no use.
    private static var pushLife: Milliseconds { .days(1) }

    /// Decides again on all reloads that are ready for a device, because no push may be made now.
    private mutating func recallAll(_ device: DeviceID, into out: inout Outbox) {
        forEachWidget(of: device, into: &out) { state, out, widget in
            if state.delivery.widgets[widget].stage == .ready {
                state.decide(widget, fanOut: 0, hasSlot: true, into: &out)
            }
        }
        delivery.restorePending(device)
    }
}
