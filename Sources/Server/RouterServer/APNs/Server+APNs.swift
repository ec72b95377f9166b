internal import Basics
internal import LibuvLoop

/// Pushes to devices without a session, which `APNsDelivery` sends.
extension Server {
    /// Delivers by APNs to apps that have settings for it; to be called before `run`.
    package func deliverByAPNs(_ settings: APNsDelivery.Settings) {
        assert(apns == nil, "there is a delivery already")
        let delivery = APNsDelivery(
            core.loop,
            settings: settings,
            logger: core.logger,
            mailbox: core.mailbox
        )
        apns = delivery
        delivery.readAgain(for: core.router)
    }

    /// Lets the router know what has become of pushes, and make others; a part of the tick.
    func serveAPNs(at now: Instant) {
        guard let apns else { return }
        core.setArrivalTime()
        apns.serve(&core.router, at: now, isDraining: core.phase != .serving)
    }

    /// Ends a drain that has waited for the last answer of APNs.
    func endIfPushesEnded() {
        if core.phase == .draining, let apns, !apns.isBusy { endIfEmpty() }
    }
}
