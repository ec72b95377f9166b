internal import ByteStorage
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
        if paused.has(app) == isPaused { return }
        commit(.appPaused(app: app, isPaused: isPaused))
    }

    package func isPaused(app name: String) -> Bool {
        appsByName[Array(name.utf8)].map { paused.has($0) } ?? false
    }

    /// Whether the connection is a publisher of an app that is paused: nothing of it is taken before
    /// that is over.
    package func isPausedPublisher(_ connection: UInt32) -> Bool {
        let record = delivery.connections[connection]
        return record.session.phase == .publisher && paused.has(record.app)
    }

    /// Whether a publisher's frames cannot be taken before an operator resumes its app.
    ///
    /// False while widgets of its earlier pushes are still being found or reloaded: the publisher is owed
    /// their ACK, and must not be ended before it.
    package func waitsForOperator(_ connection: UInt32) -> Bool {
        isPausedPublisher(connection) && !isMatching
            && !producers[delivery.connections[connection].subject].isFanningOut
    }

    mutating func setPaused(_ isPaused: Bool, _ app: AppID) {
        if isPaused {
            paused.insert(app)
            findPausedOrigins()
            return
        }
        paused.remove(app)
        findPausedOrigins()
    }

    /// Lets devices of apps that have been resumed go on, some at a time.
    mutating func releasePaused() {
        var budget = RouterLimits.reloadsPerStep
        while budget > 0, let device = paused.popReleased() {
            budget -= 1
            guard device < delivery.devices.end,
                delivery.devices[device].has(DeviceRecord.queued)
            else { continue }
            delivery.devices[device].flags &= ~DeviceRecord.queued
            if delivery.devices[device].firstPending != WidgetRecord.none {
                delivery.enqueue(device, &agenda)
            }
        }
    }

    /// Forgets the pause of apps that are not declared any more: nobody could end it.
    mutating func forgetUndeclaredPauses() {
        for app in paused.apps.sorted() where !apps[Int(app)].isDeclared {
            setPaused(false, app)
        }
    }

    /// To be called when there may be other origins.
    mutating func findPausedOrigins() {
        if paused.isEmpty { return paused.setOrigins([]) }
        let numbers = originsByName.lazy.filter { [paused] in paused.has($0.key.app) }.map(\.value)
        paused.setOrigins(Set(numbers))
    }

    // MARK: - What waits

    /// Puts off what has fired of paused apps; it is no input, because nothing happens.
    mutating func putOffPaused(_ fired: inout ContiguousArray<WidgetID>) {
        if paused.isEmpty { return }
        fired.removeAll { widget in
            if !paused.has(kinds[Int(delivery.widgets[widget].kind)].app) { return false }
            // A multiplication spreads neighbours far: Knuth 6.4.
            let part = Int64(widget &* 0x9e37_79b9) * PausedApps.retryTime >> 32
            agenda.setTimer(widget, scheduleClock.now + PausedApps.retryTime + part)
            return true
        }
    }

    /// Sends a sign of life to publishers that are not read from: what they send is not answered.
    mutating func pingPaused() {
        if paused.isEmpty || now.monotonic - paused.lastPing < limits.pingInterval { return }
        paused.lastPing = now.monotonic
        for connection in 0..<delivery.connections.end
        where delivery.connections[connection].isOpen && isPausedPublisher(connection) {
            actions.append(.ping(connection: connection))
        }
    }
}
