internal import AdminAPI
internal import Platform
internal import RouterMetrics

/// What the loop counts and measures beside the router: its own time, and what passes through it.
struct ServerMetrics: ~Copyable {
    /// How long turns of the loop took that had something to do.
    var turns = LatencyHistogram()
    /// From the begin of the turn that has read a push until its ACK was handed to the kernel.
    var pushToAck = LatencyHistogram()
    /// The same until its RELOADs were; see `Router.reloadArrivals`.
    var pushToReload = LatencyHistogram()
    /// How late the loop came to do what was due at a time.
    var schedulerLag = LatencyHistogram()
    /// ACKs of this turn, by when the pushes came.
    var acknowledged = ArrivalRuns()
    /// The most output that has waited, and the most input that was kept, at a time, in bytes.
    var outputMax = 0
    var keptInputMax = 0
    /// When the router next has something to do by itself, in ns of the monotonic clock; `Int64.max`
    /// for never, or if it has been seen to.
    var dueAt = Int64.max
    /// Connections that were accepted, and bytes of frames that were taken.
    var acceptedCount: UInt64 = 0
    var receivedByteCount: UInt64 = 0
    var refused = RefusedConnections()
    /// When the histograms' windows take turns next, in ms of the monotonic clock.
    var windowEnd = Int64.min
    /// When the server was made, in ms of the wall clock.
    let startedAt = wallMilliseconds()

    /// How long such a window is, in ms: percentiles are of one to two of them.
    static var windowLength: Int64 { 5_000 }

    /// The ACKs of this turn have left now.
    mutating func acknowledgementsLeft(at now: Int64) {
        acknowledged.record(in: &pushToAck, at: now)
    }

    /// Ends the windows of all histograms here.
    mutating func turnWindows() {
        turns.turn()
        pushToAck.turn()
        pushToReload.turn()
        schedulerLag.turn()
    }
}
