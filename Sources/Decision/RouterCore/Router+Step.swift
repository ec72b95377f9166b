internal import DataStructures
package import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics

extension Router {
    /// Decides what this loop turn's input and the time that has passed lead to: RELOADs, then
    /// acknowledgements.
    ///
    /// As many RELOADs as cost no more than `RouterLimits.reloadsPerStep` of one widget each, for what
    /// at most `matchesPerStep` widgets more have led to; while `needsStep`, a further step goes on
    /// with the rest.
    package mutating func step(now: Instant) {
        tick(now)
        goOnFanningOut()
        expireTimers()
        letTurnsGo()
        if outbox.agenda.hasReleased { releasePaused() }
        let end = outbox.work.spent + RouterLimits.reloadsPerStep * WorkCost.reload
        while outbox.work.spent < end, outbox.room.hasReloadRoom,
            let device = outbox.agenda.urgent.popFirst()
        {
            deliver(device, outbox.agenda.urgent.arrival)
        }
        while outbox.work.spent < end, outbox.room.hasReloadRoom,
            let device = outbox.agenda.ready.popFirst()
        {
            prefetchReady()
            deliver(device, outbox.agenda.ready.arrival)
        }
        for connection in sessions.acknowledging {
            sessions.acknowledge(connection, &outbox.frames)
        }
        sessions.acknowledging.removeAll(keepingCapacity: true)
        outbox.work.beginRound(at: now.monotonic)
        if state.clock.schedule.now >= state.clock.nextPass && (!log.isOn || !log.isEmpty) {
            commit(.originsPassed)
        }
    }

    /// When the router has something to do next if nothing comes in, in ms of the monotonic clock;
    /// nil if it has nothing.
    ///
    /// Never later than a minute if a date is waited for: the wall clock may jump.
    package func nextWakeUp(after now: Instant) -> Int64? {
        var time = Int64.max
        if let due = outbox.agenda.nextTimer {
            time = min(state.clock.schedule.monotonic(due), now.monotonic + Self.longestSleep)
        }
        var next = state.origins.nextWaiting(from: 0)
        while let origin = next {
            if !state.paused.has(origin: origin) {
                let turn = state.origins[origin].ledger.nextPermit(after: state.clock.schedule.now)
                time = min(time, state.clock.schedule.monotonic(turn))
            }
            next = state.origins.nextWaiting(from: origin + 1)
        }
        return time == .max ? nil : max(time, now.monotonic)
    }

    private static var longestSleep: Int64 { 60_000 }

    /// Moves on whose time has come.
    mutating func expireTimers() {
        outbox.agenda.expireTimers(now: state.clock.schedule.now)
        var fired = outbox.agenda.takeExpired()
        putOffPaused(&fired)
        if !fired.isEmpty { commit(.timersFired(widgets: fired.span)) }
        outbox.agenda.giveBack(&fired)
    }

    /// Lets those go whose turn it is, in the next step.
    mutating func letTurnsGo() {
        if state.origins.nextWaiting(from: 0) == nil { return state.noteSpread(&outbox) }
        commit(.permitsGranted)
        state.noteSpread(&outbox)
    }

    // MARK: - Delivery

    /// Brings what the next deliveries read close: records of devices first, then what these name.
    @inline(__always)
    private func prefetchReady() {
        if let device = outbox.agenda.ready.peek(2 * ReloadState.prefetchDistance) {
            state.delivery.devices.prefetch(device)
            outbox.observer.decisions.prefetchCursor(device)
        }
        if let device = outbox.agenda.ready.peek(ReloadState.prefetchDistance) {
            state.delivery.prefetchPending(of: device)
            outbox.observer.decisions.prefetch(device)
        }
        if let device = outbox.agenda.ready.peek(ReloadState.prefetchDistance / 2) {
            state.delivery.prefetchNames(of: device)
        }
    }

    /// Turns a device's pending widgets into RELOADs, if its connection takes output.
    ///
    /// - Parameters:
    ///   - device: whose.
    ///   - arrival: when the push came that has made it ready; 0 if none has.
    private mutating func deliver(_ device: DeviceID, _ arrival: Int64) {
        // One that has nothing left to send costs something all the same.
        outbox.work.charge(WorkCost.reload)
        let record = state.delivery.devices[device]
        guard outbox.agenda.isQueued(device), record.firstPending != WidgetRecord.none,
            state.delivery.isAttached(record)
        else {
            outbox.agenda.removeQueued(device)
            return
        }
        if !sessions.connections[record.connection].isWritable {
            return outbox.agenda.wait(device, for: record.connection)
        }
        if state.paused.has(record.app) { return outbox.agenda.wait(device, ofPaused: record.app) }
        outbox.agenda.removeQueued(device)
        let firstWidget = outbox.reloadWidgets.count
        let firstAction = outbox.frames.count
        commit(.delivered(device: device))
        let count = outbox.frames.count - firstAction
        chargeReloads(count, ofWidgets: outbox.reloadWidgets.count - firstWidget)
        if record.cause == .push { outbox.reloadArrivals.add(UInt32(count), arrival: arrival) }
    }

    /// Charges what RELOADs cost beyond the first one of its first widget.
    @inline(__always)
    private mutating func chargeReloads(_ count: Int, ofWidgets widgetCount: Int) {
        if widgetCount <= 1 { return }
        outbox.work.charge(
            (count - 1) &* WorkCost.reload &+ (widgetCount - count) &* WorkCost.reloadedWidget
        )
    }
}
