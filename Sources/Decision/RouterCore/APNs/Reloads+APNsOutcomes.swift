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
            apns.countAccepted(device, now: clock.now.monotonic)
            apns.settle(device)
            // What is accepted is settled.
            apns.pushes[device].trial &= ~APNsRecord.tried
        case .refused:
            out.observer.counters.pushes.refused += 1
            apns.settle(device)
        case .tokenDead(let since, let fault):
            out.observer.counters.pushes.tokensDead += 1
            if !apns.isDoubtful(device, since: since) {
                return TokenLoss(state: .dead, since: since, fault: fault)
            }
            apns.pushes[device].flags |= APNsRecord.doubted
            repeatPush(to: device, into: &out)
        case .tokenRefused(let fault):
            out.observer.counters.pushes.tokensRefused += 1
            if fault != .bad || !apns.tryOtherService(for: device, in: &delivery, by: catalog) {
                return TokenLoss(state: .refused, fault: fault)
            }
            repeatPush(to: device, into: &out)
        case .postponed(let pause):
            out.observer.counters.pushes.postponed += 1
            apns.pushes[device].pausedUntil = clock.now.monotonic + pause
            repeatPush(to: device, into: &out)
        case .unknown:
            unheard(device, hasCrashed: false, into: &out)
        }
        return nil
    }

    /// A push has ended without an answer, so that it counts: it is repeated, unless a session has
    /// begun meanwhile, which has got its reloads (`attach`).
    private mutating func unheard(_ device: DeviceID, hasCrashed: Bool, into out: inout Outbox) {
        apns.countAccepted(device, now: clock.now.monotonic)
        if delivery.isAttached(delivery.devices[device]) { return }
        out.observer.counters.pushes.unheard += 1
        apns.unheard(device, hasCrashed: hasCrashed, now: clock.now.monotonic)
        repeatPush(to: device, into: &out)
    }

    /// Makes the reloads of a device's last push pending again, without a further charge.
    ///
    /// If a session has begun meanwhile, it has got them already.
    mutating func repeatPush(to device: DeviceID, into out: inout Outbox) {
        let number = apns.pushes[device].number
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
        for device in apns.pushes.ids
        where delivery.isStored(device) && delivery.devices[device].has(DeviceRecord.pushing) {
            delivery.devices[device].flags &= ~DeviceRecord.pushing
            unheard(device, hasCrashed: true, into: &out)
            delivery.enqueuePending(device, apns: apns, in: &out.agenda)
        }
    }
}
