/// The state of a `LatencyHistogram` as plain values: counts since the start, percentiles of about
/// the last ten seconds.
package struct LatencyFigures: Equatable, Sendable {
    /// Times since the start by bucket of `LatencyCells`, each counted in one only; the last one
    /// has no upper bound.
    package var buckets = [UInt64](repeating: 0, count: LatencyCells.bucketCount + 1)
    /// The sum of all times since the start.
    package var sum = Nanoseconds.zero
    /// The number of times in the last two windows, about ten seconds.
    package var recentCount: UInt64 = 0
    /// The time that half of the times in these windows do not exceed.
    package var p50 = Nanoseconds.zero
    /// The time that 90 % of the times in these windows do not exceed.
    package var p90 = Nanoseconds.zero
    /// The time that 99 % of the times in these windows do not exceed.
    package var p99 = Nanoseconds.zero
    /// The time that 99.9 % of the times in these windows do not exceed.
    package var p999 = Nanoseconds.zero
    /// The longest time of the same windows; exact, unlike the percentiles.
    package var longest = Nanoseconds.zero

    /// The summary of no times.
    package init() {}

    /// The number of times since the start.
    package var count: UInt64 { buckets.reduce(0, +) }
}
