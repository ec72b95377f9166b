internal import Basics
internal import ReloadScheduling

/// What became of pushes by APNs.
extension Reloads {
    /// Why a token is to be given up.
    struct TokenLoss {
        var state: StoredToken.State
        /// Since when, by Apple's clock; nil if Apple does not say.
        var since: WallTime?
        var fault: TokenFault
    }

    /// Applies what became of a push that is under way; `enqueuePending` must follow. Returns why
    /// its token is to be given up; nil if it is not.
    mutating func apnsPushEnded(
        _ device: DeviceID,
        outcome: APNsPushOutcome,
        into out: inout Outbox
    ) -> TokenLoss? {
        delivery.devices[device].flags &= ~DeviceRecord.pushing
        switch outcome {
        case .accepted, .acceptedOnTrial:
            out.observer.counters.pushes.accepted += 1
            countAccepted(device)
            delivery.settle(device)
            // What is accepted is settled.
            delivery.pushes[device].trial &= ~APNsRecord.tried
        case .refused:
            out.observer.counters.pushes.refused += 1
            delivery.settle(device)
        case .tokenDead(let since, let fault):
            out.observer.counters.pushes.tokensDead += 1
            if !delivery.isDoubtful(device, since: since) {
                return TokenLoss(state: .dead, since: since, fault: fault)
            }
            delivery.pushes[device].flags |= APNsRecord.doubted
            repeatPush(to: device, into: &out)
        case .tokenRefused(let fault):
            out.observer.counters.pushes.tokensRefused += 1
            if fault != .bad || !tryOtherService(for: device, into: &out) {
                return TokenLoss(state: .refused, fault: fault)
            }
        case .postponed(let pause):
            out.observer.counters.pushes.postponed += 1
            delivery.pushes[device].pausedUntil = clock.now.monotonic + pause
            repeatPush(to: device, into: &out)
        case .unknown:
            countAccepted(device)
            unheard(device, hasCrashed: false, into: &out)
        }
        return nil
    }

    /// A token is none at the service for which the device has registered it: if the app's settings
    /// allow that, the push is made once more at the other one, and true is returned. What APNs
    /// accepts there is used from then on, whatever the device reports.
    private mutating func tryOtherService(for device: DeviceID, into out: inout Outbox) -> Bool {
        let record = delivery.devices[device]
        let trial = delivery.pushes[device].trial
        if trial & APNsRecord.tried != 0 {
            // Neither has it: what was used before is as good.
            delivery.useOtherService(for: device)
            delivery.pushes[device].trial &= ~APNsRecord.tried
            return false
        }
        // A control's token must not try out what another token of the device is accepted at.
        let push = delivery.pushes[device]
        if push.channel == .controls && !push.has(APNsRecord.onlyControls) { return false }
        let other: APNsEnvironment = record.environment == .production ? .sandbox : .production
        if apnsSettings(of: record.app)?.environments.contains(other) != true { return false }
        delivery.useOtherService(for: device)
        delivery.pushes[device].trial |= APNsRecord.tried
        repeatPush(to: device, into: &out)
        return true
    }

    /// A push has ended without an answer: it is repeated, unless a session has begun meanwhile,
    /// which has got its reloads (`attach`).
    ///
    /// If it was a repetition itself, APNs is silent, and the push is made anew after a pause. If
    /// the router was killed during it and during its repetitions, each is made after a longer
    /// pause: APNs may have had none of them, and a push may be what kills the router.
    private mutating func unheard(_ device: DeviceID, hasCrashed: Bool, into out: inout Outbox) {
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
        forEachWidget(of: device, into: &out) { reloads, out, widget in
            let record = reloads.delivery.widgets[widget]
            if record.has(WidgetRecord.unanswered) && record.lastReload == number
                && record.stage != .ready
            {
                reloads.repeatReload(widget, into: &out)
            }
        }
    }

    /// Makes a reload pending again that was sent and perhaps lost: without a further charge, even
    /// if the widget's next reload waits for something.
    mutating func repeatReload(_ widget: WidgetID, into out: inout Outbox) {
        delivery.widgets[widget].flags |= WidgetRecord.resent
        // A push that waits, and may expire, must not take what was sent with it.
        schedules.widgets[widget].expiresAt = .max
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
