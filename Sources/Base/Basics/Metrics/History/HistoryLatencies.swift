/// How long pushes and ticks took in about the last ten seconds; zero if there were none.
package struct HistoryLatencies: Equatable, Sendable, BitwiseCopyable {
    /// From a push to its ACK.
    package var pushToAck = RecentLatency()
    /// From a push to its RELOADs.
    package var pushToReload = RecentLatency()
    /// Ticks of the loop.
    package var tick = RecentLatency()

    /// Makes latencies without a measurement.
    package init() {}

    /// Keeps the longer of each two times: a point of a minute has the worst of its seconds, so
    /// that no second of slowness disappears when points are joined.
    mutating func keepLonger(_ other: HistoryLatencies) {
        pushToAck.keepLonger(other.pushToAck)
        pushToReload.keepLonger(other.pushToReload)
        tick.keepLonger(other.tick)
    }
}

/// The percentiles of a `LatencyHistogram` that a history keeps.
package struct RecentLatency: Equatable, Sendable, BitwiseCopyable {
    /// The time that half of the times do not exceed.
    package var p50 = Nanoseconds.zero
    /// The time that 99 % of the times do not exceed.
    package var p99 = Nanoseconds.zero
    /// The longest time.
    package var longest = Nanoseconds.zero

    /// Makes a latency without a measurement.
    package init() {}

    /// True if nothing was measured.
    package var isEmpty: Bool { longest == .zero }

    fileprivate mutating func keepLonger(_ other: RecentLatency) {
        p50 = max(p50, other.p50)
        p99 = max(p99, other.p99)
        longest = max(longest, other.longest)
    }
}
