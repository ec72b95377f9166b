internal import Basics
internal import ReloadScheduling

/// What became of pushes by APNs.
extension ReloadState {
    /// Applies what became of a push; an outcome of another push than the one that is under way
    /// changes nothing.
    mutating func apnsPushEnded(
        _ device: DeviceID,
        number: UInt64,
        outcome: APNsPushOutcome,
        into out: inout Outbox
    ) {
        if !isPushing(device, number: number) { return }
        delivery.devices[device].flags &= ~DeviceRecord.pushing
        switch outcome {
        case .accepted, .acceptedOnTrial:
            out.observer.counters.pushes.accepted += 1
            countAccepted(device)
            settle(device)
            // What is accepted is settled.
            delivery.pushes[device].trial &= ~APNsRecord.tried
            if outcome == .acceptedOnTrial { reviveControls(of: device, into: &out) }
        case .refused:
            out.observer.counters.pushes.refused += 1
            settle(device)
        case .tokenDead(let since, let fault):
            out.observer.counters.pushes.tokensDead += 1
            tokenDied(device, since: since, because: fault, into: &out)
        case .tokenRefused(let fault):
            out.observer.counters.pushes.tokensRefused += 1
            if fault != .bad || !tryOtherService(for: device, into: &out) {
                giveUpToken(of: device, as: .refused, because: fault, into: &out)
            }
        case .postponed(let pause):
            out.observer.counters.pushes.postponed += 1
            delivery.pushes[device].pausedUntil = clock.now.monotonic + pause
            repeatPush(to: device, into: &out)
        case .unknown:
            countAccepted(device)
            unheard(device, hasCrashed: false, into: &out)
        }
        enqueuePending(device, into: &out)
    }

    /// APNs calls a token dead: it is given up, unless the device has registered it since then.
    ///
    /// The times are of two clocks, so the push is made once more in that case, and the next answer
    /// of this kind is believed.
    private mutating func tokenDied(
        _ device: DeviceID,
        since: WallTime?,
        because fault: TokenFault,
        into out: inout Outbox
    ) {
        let push = delivery.pushes[device]
        guard let since, since < push.registeredAt, !push.has(APNsRecord.doubted) else {
            return giveUpToken(of: device, as: .dead, since: since, because: fault, into: &out)
        }
        delivery.pushes[device].flags |= APNsRecord.doubted
        repeatPush(to: device, into: &out)
    }

    /// A token is none at the service for which the device has registered it: the push is made once
    /// more at the other one, if the app's settings allow that. What APNs accepts there is used
    /// from then on, whatever the device reports.
    ///
    /// - Returns: whether it is made.
    private mutating func tryOtherService(
        for device: DeviceID,
        into out: inout Outbox
    ) -> Bool {
        let record = delivery.devices[device]
        let trial = delivery.pushes[device].trial
        if trial & APNsRecord.tried != 0 {
            // Neither has it: what was used before is as good.
            useOtherService(for: device)
            delivery.pushes[device].trial &= ~APNsRecord.tried
            return false
        }
        // A control's token must not try out what another token of the device is accepted at.
        let push = delivery.pushes[device]
        if push.channel == .controls && !push.has(APNsRecord.onlyControls) { return false }
        let other: APNsEnvironment = record.environment == .production ? .sandbox : .production
        if apnsSettings(of: record.app)?.environments.contains(other) != true { return false }
        useOtherService(for: device)
        delivery.pushes[device].trial |= APNsRecord.tried
        repeatPush(to: device, into: &out)
        return true
    }

    /// Whether the push that is under way for a device tries the other service, at which tokens of
    /// its controls may be good that were refused at the one before: they do not try it themselves.
    func isTrialForControls(_ device: DeviceID) -> Bool {
        let push = delivery.pushes[device]
        return push.trial & APNsRecord.tried != 0 && push.channel != .controls
            && delivery.hasControl(device) { $0.state == .refused }
    }

    private mutating func useOtherService(for device: DeviceID) {
        delivery.devices[device].flags ^= DeviceRecord.sandbox
        delivery.pushes[device].trial ^= APNsRecord.corrected
    }

    /// Gives up waiting for what becomes of a push, because the device has another token now: an
    /// answer to the push says nothing of that.
    ///
    /// - Returns: whether one was under way, which is to be repeated (`repeatPush`).
    mutating func abandonPush(to device: DeviceID) -> Bool {
        if !delivery.devices[device].has(DeviceRecord.pushing) { return false }
        delivery.devices[device].flags &= ~DeviceRecord.pushing
        return true
    }

    /// Whether a push of this number is under way for a device.
    func isPushing(_ device: DeviceID, number: UInt64) -> Bool {
        delivery.isStored(device) && delivery.devices[device].has(DeviceRecord.pushing)
            && delivery.pushes.has(device) && delivery.pushes[device].number == number
    }

    /// Records that a device's push need not be repeated.
    mutating func settle(_ device: DeviceID) {
        delivery.pushes[device].settled = delivery.pushes[device].number
    }

    /// A push has ended without an answer: it is repeated, unless a session has begun meanwhile,
    /// which has got its reloads (`attach`).
    ///
    /// If it was a repetition itself, APNs is silent, and the push is made anew after a pause. If
    /// the router was killed during it and during its repetitions, each is made after a longer
    /// pause: APNs may have had none of them, and a push may be what kills the router.
    private mutating func unheard(
        _ device: DeviceID,
        hasCrashed: Bool,
        into out: inout Outbox
    ) {
        if delivery.isAttached(delivery.devices[device]) { return }
        let isRepetition = delivery.pushes[device].has(APNsRecord.repeating)
        let formerKills = isRepetition ? Int(delivery.pushes[device].kills) : 0
        let kills = hasCrashed ? formerKills + 1 : 0
        out.observer.counters.pushes.unheard += 1
        if isRepetition && !hasCrashed {
            delivery.pushes[device].pausedUntil = clock.now.monotonic + silencePause(of: device)
        } else {
            delivery.pushes[device].flags |= APNsRecord.unheard
            delivery.pushes[device].kills = UInt8(clamping: kills)
        }
        if kills > 1 {
            let pause = min(silencePause(of: device), .seconds(15 << min(kills - 2, 8)))
            delivery.pushes[device].pausedUntil = clock.now.monotonic + pause
        }
        repeatPush(to: device, into: &out)
    }

    /// How long a push waits of which nothing was heard twice: 15 to 20 minutes, another time for
    /// each device.
    private func silencePause(of device: DeviceID) -> Milliseconds {
        .minutes(15) + Milliseconds(rawValue: Self.phase(ofDevice: device).rawValue % 300_000)
    }

    /// Makes the reloads of a device's last push pending again, without a further charge.
    ///
    /// If a session has begun meanwhile, it has got them already.
    mutating func repeatPush(to device: DeviceID, into out: inout Outbox) {
        let number = delivery.pushes[device].number
        if delivery.isAttached(delivery.devices[device]) { return }
        forEachWidget(of: device, into: &out) { state, out, widget in
            let record = state.delivery.widgets[widget]
            if record.has(WidgetRecord.unanswered) && record.lastReload == number
                && record.stage != .ready
            {
                state.repeatReload(widget, into: &out)
            }
        }
    }

    /// Makes a reload pending again that was sent and perhaps lost: without a further charge, even
    /// if the widget's next reload waits for something.
    mutating func repeatReload(_ widget: WidgetID, into out: inout Outbox) {
        delivery.widgets[widget].flags |= WidgetRecord.resent
        // A push that waits, and may expire, must not take what was sent with it.
        delivery.schedules[widget].expiresAt = .max
        if delivery.widgets[widget].stage == .idle {
            out.observer.counters.reloadRequests &+= 1
            delivery.widgets[widget].privileges = []
        }
        decide(widget, fanOut: 0, into: &out)
    }

    /// Ends all pushes that are under way, because the process that has sent them has ended: what
    /// APNs has answered is not known.
    mutating func endPushes(into out: inout Outbox) {
        for device in delivery.pushes.ids
        where delivery.isStored(device) && delivery.devices[device].has(DeviceRecord.pushing) {
            delivery.devices[device].flags &= ~DeviceRecord.pushing
            countAccepted(device)
            unheard(device, hasCrashed: true, into: &out)
            enqueuePending(device, into: &out)
        }
    }
}
