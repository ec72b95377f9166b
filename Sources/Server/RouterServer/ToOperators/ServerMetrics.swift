internal import AdminAPI
internal import Basics
internal import Platform

/// What the loop counts and measures apart from the router: its own time, and the bytes that pass
/// through it.
final class ServerMetrics {
    /// Duration of ticks that had something to do.
    var ticks = LatencyHistogram()
    /// From the beginning of the tick that read a push until its ACK was passed to the kernel.
    var pushToAck = LatencyHistogram()
    /// From the beginning of the tick that read a push until the push's RELOADs were passed to the
    /// kernel; see `Outbox.reloadArrivals`.
    var pushToReload = LatencyHistogram()
    /// How late the loop performed scheduled work.
    var schedulerLag = LatencyHistogram()
    /// What is counted of the loop; what it is at present is added when the status is copied.
    var loop = LoopStatus()
    /// ACKs of this tick, grouped by the arrival time of the pushes.
    var acknowledged = ArrivalRuns()
    /// Ticks that had something to do.
    var tickCount: UInt64 = 0
    /// The course of the metrics, for operators.
    var history = MetricHistory()
    /// When the histograms' windows rotate next.
    var windowEnd = MonotonicTime.min
    /// When the server was created.
    let startedAt = WallTime.now

    /// Length of a histogram's window; percentiles cover one to two of them.
    static var windowLength: Milliseconds { .seconds(5) }

    /// Records the latency of this tick's ACKs, which have left now.
    func acknowledgementsLeft(at now: ExactTime) {
        acknowledged.record(in: &pushToAck, at: now)
    }

    /// Marks in the history that something happens now.
    func mark(_ event: HistoryMark.Event) { history.mark(event, at: .now) }

    /// Copies a range of the history: at most as many points as it has, in a few µs.
    func history(
        over range: Milliseconds,
        resolution: HistoryResolution?,
        at now: WallTime
    ) -> ObjectBody {
        .history(
            at: now,
            startedAt: startedAt,
            points: history.points(over: range, resolution: resolution),
            marks: history.marks(from: now - range)
        )
    }

    /// Rotates the windows of these histograms; see `LatencyHistogram.rotate`.
    func rotateWindows() {
        ticks.rotate()
        pushToAck.rotate()
        pushToReload.rotate()
        schedulerLag.rotate()
    }
}
