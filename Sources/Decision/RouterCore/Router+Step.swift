package import Basics
internal import ReloadScheduling

extension Router {
    /// The present time of the monotonic clock.
    @inline(__always)
    var time: MonotonicTime { state.reloads.clock.now.monotonic }

    /// Sets the router's time; every method with a parameter `now` that changes the router does so
    /// first.
    package mutating func tick(_ now: Instant) {
        var schedule = state.reloads.clock.schedule
        if !state.reloads.clock.isSet {
            schedule = ScheduleClock(now)
            outbox.agenda.start(now: schedule.now)
        } else if schedule.advance(to: now) != nil {
            outbox.observer.counters.clockJumps += 1
        }
        // Not logged by itself: the log puts the time in front of the next input.
        state.reloads.clock.set(now, schedule: schedule)
    }

    /// Decides what this tick's input and the time that has passed lead to; the front then sends
    /// the ACKs that are due, and `endStep` follows.
    mutating func beginStep(now: Instant) {
        tick(now)
        resumeFanOut()
        if isFollowingRules { followRules() }
        endReportedStates()
        expireTimers()
        grantPermits()
        if outbox.agenda.hasReleased { releasePaused() }
        let end = outbox.work.spent + RouterLimits.reloadsPerStep * WorkCost.reload
        while outbox.work.spent < end, outbox.allowance.allowsReload,
            let device = outbox.agenda.urgent.popFirst()
        {
            deliver(to: device, arrival: outbox.agenda.urgent.arrival)
        }
        while outbox.work.spent < end, outbox.allowance.allowsReload,
            let device = outbox.agenda.ready.popFirst()
        {
            prefetchReady()
            deliver(to: device, arrival: outbox.agenda.ready.arrival)
        }
        if !outbox.observer.outcomes.batches.isEmpty { reportOutcomes() }
    }

    /// Ends a step: the next round of work begins.
    mutating func endStep(now: Instant) {
        outbox.work.beginRound(at: now.monotonic)
        if state.reloads.clock.schedule.now >= state.reloads.clock.nextPass
            && (!log.isOn || !log.isEmpty)
        {
            commit(.originsPassed)
        }
    }

    /// The time at which the router has something to do if nothing comes in; nil if it has nothing
    /// to do.
    ///
    /// While a timer runs, the result is at most a minute away, because the wall clock may jump.
    package func nextWakeUp(after now: Instant) -> MonotonicTime? {
        var time = MonotonicTime.max
        if let due = outbox.agenda.nextTimer {
            time = min(
                state.reloads.clock.schedule.monotonic(due),
                now.monotonic + Self.longestSleep
            )
        }
        if let end = reports.states.nextEnd { time = min(time, end) }
        var next = state.reloads.schedules.origins.firstWaiting
        while let origin = next {
            if !state.reloads.schedules.paused.has(origin: origin) {
                let tick = state.reloads.schedules.origins[origin].ledger.nextPermit(
                    after: state.reloads.clock.schedule.now
                )
                time = min(time, state.reloads.clock.schedule.monotonic(tick))
            }
            next = state.reloads.schedules.origins.nextWaiting(after: origin)
        }
        return time == .max ? nil : max(time, now.monotonic)
    }

    /// The longest time to the next wake-up while a timer runs.
    private static var longestSleep: Milliseconds { .minutes(1) }

    /// Handles the timers that have expired.
    mutating func expireTimers() {
        outbox.agenda.expireTimers(now: state.reloads.clock.schedule.now)
        var fired = outbox.agenda.takeExpired()
        deferPausedTimers(&fired)
        if !fired.isEmpty { commit(.timersFired(widgets: fired.span)) }
        outbox.agenda.returnMemory(&fired)
    }

    /// Grants the origins' permits to widgets that wait for them, and records until when the others
    /// wait.
    mutating func grantPermits() {
        if state.reloads.schedules.origins.firstWaiting == nil {
            return state.reloads.logSpread(&outbox)
        }
        commit(.permitsGranted)
        state.reloads.logSpread(&outbox)
    }

    // MARK: - Delivery

    /// Queues the devices that waited for a connection, because it accepts output again.
    mutating func continueReloads(for connection: ConnectionSlot) {
        state.reloads.delivery.resume(connection, apns: state.reloads.apns, in: &outbox.agenda)
    }

    /// Prefetches what the next deliveries read: records of devices first, then what these refer
    /// to.
    @inline(__always)
    private func prefetchReady() {
        if let device = outbox.agenda.ready.peek(2 * Reloads.prefetchDistance) {
            state.reloads.delivery.devices.prefetch(device)
            outbox.observer.decisions.prefetchCursor(device)
        }
        if let device = outbox.agenda.ready.peek(Reloads.prefetchDistance) {
            let widget = state.reloads.delivery.prefetchPending(of: device)
            if !widget.isNone { state.reloads.schedules.widgets.prefetch(widget) }
            outbox.observer.decisions.prefetch(device)
        }
        if let device = outbox.agenda.ready.peek(Reloads.prefetchDistance / 2) {
            state.reloads.delivery.prefetchNames(of: device)
        }
    }

    /// Turns a device's pending widgets into RELOADs, if its connection accepts output. The arrival
    /// is that of the push that has made it ready; `none` if none has.
    private mutating func deliver(to device: DeviceID, arrival: ExactTime) {
        // A device that has nothing left to send is charged too.
        outbox.work.charge(WorkCost.reload)
        let record = state.reloads.delivery.devices[device]
        guard outbox.agenda.isQueued(device), !record.firstPending.isNone,
            state.reloads.delivery.isAttached(record)
        else {
            outbox.agenda.removeQueued(device)
            if state.reloads.delivery.isAPNsPushDue(to: device) {
                state.reloads.delivery.enqueue(
                    device,
                    apns: state.reloads.apns,
                    in: &outbox.agenda
                )
            }
            return
        }
        if outbox.agenda.isFull(record.connection) {
            return outbox.agenda.wait(device, for: record.connection)
        }
        if state.reloads.schedules.paused.has(record.app) {
            return outbox.agenda.wait(device, ofPaused: record.app)
        }
        outbox.agenda.removeQueued(device)
        let firstWidget = outbox.reloadWidgets.count
        let firstAction = outbox.frames.count
        commit(.delivered(device: device))
        let count = outbox.frames.count - firstAction
        chargeReloads(count, ofWidgets: outbox.reloadWidgets.count - firstWidget)
        if record.cause == .push { outbox.reloadArrivals.add(UInt32(count), arrival: arrival) }
    }

    /// Charges what RELOADs cost beyond the first one with one widget, which is charged already.
    @inline(__always)
    private mutating func chargeReloads(_ count: Int, ofWidgets widgetCount: Int) {
        if widgetCount <= 1 { return }
        outbox.work.charge(
            (count - 1) &* WorkCost.reload &+ (widgetCount - count) &* WorkCost.reloadedWidget
        )
    }
}
