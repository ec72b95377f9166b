internal import Basics
internal import Platform
internal import RouterCore
internal import RouterStore

/// The measurement of latencies. It costs one more reading of the clock in a tick that has answered
/// pushes, and none for each push.
extension Server {
    /// Records the latencies of this tick's output, which was passed to the kernel or waits for its
    /// peer to read.
    func recordLatencies() {
        // Inputs without an arrival time must not inherit the previous one.
        core.router.outbox.arrival = .none
        if metrics.acknowledged.isEmpty && core.router.outbox.reloadArrivals.isEmpty { return }
        let now = ExactTime.now
        metrics.acknowledgementsLeft(at: now)
        core.router.outbox.reloadArrivals.record(in: &metrics.pushToReload, at: now)
    }

    /// Rotates the windows of all histograms when their time is over.
    func rotateLatencyWindows() {
        let now = core.now.monotonic
        if now < metrics.windowEnd { return }
        metrics.windowEnd = now + ServerMetrics.windowLength
        metrics.rotateWindows()
        core.driver?.rotateLatencyWindow()
        apns?.metrics.answerTime.rotate()
    }
}
