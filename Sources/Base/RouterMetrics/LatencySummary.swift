/// What a `LatencyHistogram` has recorded: plain values.
package struct LatencySummary: Equatable, Sendable {
    /// Since the start: how many were in each of `LatencyCells`' buckets and in none before; the last
    /// one has what is longer than all bounds.
    package var buckets = [UInt64](repeating: 0, count: LatencyCells.bucketCount + 1)
    /// Of all of these, in ns.
    package var sum: UInt64 = 0
    /// Of the last ten seconds or so: how many, and in ns what the given share did not exceed.
    package var recentCount: UInt64 = 0
    package var p50: Int64 = 0
    package var p90: Int64 = 0
    package var p99: Int64 = 0
    package var p999: Int64 = 0
    /// Exact, unlike the others.
    package var longest: Int64 = 0

    package init() {}

    /// How many were recorded since the start.
    package var count: UInt64 { buckets.reduce(0, +) }
}
