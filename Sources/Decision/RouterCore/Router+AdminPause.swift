internal import DataStructures
internal import FrameCodec
package import ReloadModel
internal import ReloadScheduling

/// Pausing an app: its publishers are not read from, and its reloads wait.
extension Router {
    /// Pauses an app, or lets it go on.
    ///
    /// - Throws: `app-unknown`.
    package mutating func setPaused(_ isPaused: Bool, app name: String) throws(ProtocolError) {
        let app = try declaredApp(name)
        if state.paused.has(app) == isPaused { return }
        commit(.appPaused(app: app, isPaused: isPaused))
    }

    package func isPaused(app name: String) -> Bool {
        state.catalog.appsByName[Array(name.utf8)].map { state.paused.has($0) } ?? false
    }

    /// Whether the connection is a publisher of an app that is paused: nothing of it is taken before
    /// that is over.
    package func isPausedPublisher(_ connection: UInt32) -> Bool {
        isPublisher(connection) && state.paused.has(state.delivery.sessions[connection].app)
    }

    /// Whether a publisher's frames cannot be taken before an operator resumes its app.
    ///
    /// False while widgets of its earlier pushes are still being found or reloaded: the publisher is owed
    /// their ACK, and must not be ended before it.
    package func waitsForOperator(_ connection: UInt32) -> Bool {
        isPausedPublisher(connection) && !state.fanOuts.isSearching
            && !state.producers[state.delivery.sessions[connection].subject].isFanningOut
    }

    /// Lets devices of apps that have been resumed go on, some at a time.
    mutating func releasePaused() {
        var budget = RouterLimits.reloadsPerStep
        while budget > 0, let device = outbox.agenda.popReleased() {
            budget -= 1
            if !outbox.agenda.removeQueued(device) || device >= state.delivery.devices.end {
                continue
            }
            if state.delivery.devices[device].firstPending != WidgetRecord.none {
                state.delivery.enqueue(device, &outbox.agenda)
            }
        }
    }

    // MARK: - What waits

    /// Puts off what has fired of paused apps; it is no input, because nothing happens.
    mutating func putOffPaused(_ fired: inout ContiguousArray<WidgetID>) {
        if state.paused.isEmpty { return }
        fired.removeAll { widget in
            if !state.paused.has(state.catalog.kinds[Int(state.delivery.widgets[widget].kind)].app)
            {
                return false
            }
            // A multiplication spreads neighbours far: Knuth 6.4.
            let part = Int64(widget &* 0x9e37_79b9) * PausedApps.retryTime >> 32
            outbox.agenda.setTimer(widget, state.clock.schedule.now + PausedApps.retryTime + part)
            return true
        }
    }

    /// Sends a sign of life to publishers that are not read from: what they send is not answered.
    mutating func pingPaused() {
        if state.paused.isEmpty
            || state.clock.now.monotonic - sessions.pausedPingAt < limits.pingInterval
        {
            return
        }
        sessions.pausedPingAt = state.clock.now.monotonic
        for connection in 0..<sessions.connections.end
        where sessions.connections[connection].isOpen && isPausedPublisher(connection) {
            outbox.write(connection, .ping)
        }
    }
}
