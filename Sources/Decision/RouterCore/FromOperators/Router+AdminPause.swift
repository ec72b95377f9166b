internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Pausing an app: its publishers are not read from, and its reloads wait.
extension Router {
    /// Pauses an app or resumes it. Returns its number; nil if that changes nothing.
    ///
    /// - Throws: `app-unknown`.
    mutating func pause(_ isPaused: Bool, app name: String) throws(ProtocolError) -> AppID? {
        let app = try declaredApp(name)
        if state.reloads.schedules.paused.has(app) == isPaused { return nil }
        commit(.appPaused(app: app, isPaused: isPaused))
        return app
    }

    /// Whether operators have paused any app.
    var hasPausedApps: Bool { !state.reloads.schedules.paused.isEmpty }

    /// Whether an operator has paused an app; false for an unknown app.
    package func isPaused(app name: String) -> Bool {
        state.reloads.catalog.appsByName[Array(name.utf8)].map {
            state.reloads.schedules.paused.has($0)
        } ?? false
    }

    /// Whether the app of a session is paused.
    func isAppPaused(of connection: ConnectionSlot) -> Bool {
        hasPausedApps && state.reloads.schedules.paused.has(app(of: connection))
    }

    /// Whether the frames of a publisher of a paused app wait for nothing else.
    ///
    /// False while a search is running or a fan-out of the publisher's pushes is not finished: its
    /// ACK has not been sent, so the connection must not be ended yet.
    func waitsForOperator(publisherOn connection: ConnectionSlot) -> Bool {
        isAppPaused(of: connection) && !state.fanOuts.isSearching
            && !state.publishers.producers[state.reloads.delivery.sessions[connection].producer]
                .isFanningOut
    }

    /// Queues devices of apps that were resumed for delivery, a limited number in each step.
    mutating func releasePaused() {
        var budget = RouterLimits.reloadsPerStep
        while budget > 0, let device = outbox.agenda.popReleased() {
            budget -= 1
            if !outbox.agenda.removeQueued(device) || !state.reloads.delivery.devices.has(device) {
                continue
            }
            state.reloads.delivery.enqueuePending(
                device,
                apns: state.reloads.apns,
                in: &outbox.agenda
            )
        }
    }

    // MARK: - What waits

    /// Sets the timers of paused apps that have fired to a later time. This is not an input,
    /// because it does not change the state.
    mutating func deferPausedTimers(_ fired: inout ContiguousArray<WidgetID>) {
        if state.reloads.schedules.paused.isEmpty { return }
        fired.removeAll { widget in
            if !state.reloads.schedules.paused.has(
                state.reloads.catalog.kinds[state.reloads.delivery.widgets[widget].kind].app
            ) {
                return false
            }
            // Multiplicative hashing spreads the timers of neighbouring widgets (Knuth, volume 3,
            // 6.4).
            let interval = PausedApps.retryInterval
            let part = Int64(widget.rawValue &* 0x9e37_79b9) * interval.rawValue >> 32
            outbox.agenda.setTimer(
                of: widget,
                to: state.reloads.clock.schedule.now + interval + Milliseconds(rawValue: part)
            )
            return true
        }
    }
}
