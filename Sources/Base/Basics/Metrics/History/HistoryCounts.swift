/// What the router has done: in a `HistoryReading` since its start, in a `HistoryPoint` in the
/// point's time.
package struct HistoryCounts: Equatable, Sendable, BitwiseCopyable {
    /// Pushes that were accepted.
    package var pushes: UInt64 = 0
    /// Widgets that pushes matched.
    package var matched: UInt64 = 0
    /// RELOADs that were sent.
    package var reloads: UInt64 = 0
    /// Decisions that a reload has to wait.
    package var putOff: UInt64 = 0
    /// Frames that were refused.
    package var rejected: UInt64 = 0
    /// Ticks of the loop that had something to do.
    package var ticks: UInt64 = 0
    /// Bytes of frames that were consumed.
    package var receivedBytes: UInt64 = 0
    /// Bytes of output that the kernel has accepted.
    package var sentBytes: UInt64 = 0

    /// Makes counts that are all 0.
    package init() {}

    /// Adds the counts of the time that follows.
    static func += (left: inout HistoryCounts, right: HistoryCounts) {
        left.pushes += right.pushes
        left.matched += right.matched
        left.reloads += right.reloads
        left.putOff += right.putOff
        left.rejected += right.rejected
        left.ticks += right.ticks
        left.receivedBytes += right.receivedBytes
        left.sentBytes += right.sentBytes
    }

    /// What has happened between two readings; none of the counts may have fallen.
    static func - (left: HistoryCounts, right: HistoryCounts) -> HistoryCounts {
        var counts = HistoryCounts()
        counts.pushes = left.pushes - right.pushes
        counts.matched = left.matched - right.matched
        counts.reloads = left.reloads - right.reloads
        counts.putOff = left.putOff - right.putOff
        counts.rejected = left.rejected - right.rejected
        counts.ticks = left.ticks - right.ticks
        counts.receivedBytes = left.receivedBytes - right.receivedBytes
        counts.sentBytes = left.sentBytes - right.sentBytes
        return counts
    }
}
