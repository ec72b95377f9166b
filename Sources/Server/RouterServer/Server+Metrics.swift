internal import Platform
internal import ReloadModel
internal import RouterCore
internal import RouterMetrics
internal import RouterStore

/// Measuring: the clock is read once more in a turn that has answered pushes, and never for a push.
extension Server {
    /// What this turn has written is with the kernel now, or waits for its peer to read.
    func noteDepartures() {
        // What comes without saying when it came is not measured by what came before.
        router.outbox.arrival = 0
        if metrics.acknowledged.isEmpty && router.outbox.reloadArrivals.isEmpty { return }
        let now = monotonicNanoseconds()
        metrics.acknowledgementsLeft(at: now)
        router.outbox.reloadArrivals.record(in: &metrics.pushToReload, at: now)
    }

    /// The router does a step: if something was due, this is how late it is.
    ///
    /// Whether the timer has woken the loop or something else: what is due then is seen to.
    func noteLag() {
        let lag = thisTurn.clock.begin - metrics.dueAt
        if lag < 0 { return }
        metrics.schedulerLag.record(lag)
        metrics.dueAt = .max
    }

    /// Lets the windows of all histograms take turns when it is time to.
    func turnLatencyWindows() {
        let now = thisTurn.clock.now().monotonic
        if now < metrics.windowEnd { return }
        metrics.windowEnd = now + ServerMetrics.windowLength
        metrics.turnWindows()
        driver?.turnLatencyWindow()
    }
}
