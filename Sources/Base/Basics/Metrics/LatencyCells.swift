/// The cells in which a `LatencyHistogram` counts times: finer than the Prometheus buckets, and
/// with borders that include all of theirs.
///
///     tick      0 1 2 … 15 │ 16 … 31 │ 32, 34 … 62 │ 64, 68 … 124 │ …            (98 ns each)
///     cell      one a tick │ 16      │ 16          │ 16           │ … each octave
///     bucket    ≤ 100 µs = the first 1,024 ticks │ ≤ 200 µs │ ≤ 400 µs │ … │ ≤ 52.4 s │ more
///
/// Sixteen cells an octave: reporting a value as the middle of its cell is wrong by 3.1 % at most,
/// and below 1.6 µs by 49 ns at most.
package enum LatencyCells {
    /// The number of buckets with an upper bound: 100 µs, doubled 19 times.
    package static var bucketCount: Int { 20 }
    /// The number of cells; the last one counts times above the last bound.
    static var count: Int { 417 }

    /// The cells of ticks: sixteen in each octave.
    private static var octaves: OctaveCells { OctaveCells(bits: 4) }
    /// The number of ticks (units of time of the cells, not of the loop) in `tickSpan`.
    static var ticks: UInt64 { 32 }
    /// The length of 32 ticks: 3,125 ns, so that 1,024 are 100 µs.
    static var tickSpan: Nanoseconds { Nanoseconds(rawValue: 3_125) }
    /// The longest time that is not counted in the last cell.
    static var longestCounted: Nanoseconds { Nanoseconds(rawValue: 52_428_800_000) }

    /// The upper bound of a bucket.
    package static func bound(_ bucket: Int) -> Nanoseconds {
        Nanoseconds(rawValue: 100_000 << Int64(bucket))
    }

    /// The cell of a time; one below 1 ns counts as 1 ns.
    static func cell(_ time: Nanoseconds) -> Int {
        if time > longestCounted { return count - 1 }
        let number = UInt64(max(1, time.rawValue))
        // Computed from one less, rounded down: a time equal to a bound belongs below it.
        return octaves.cell((number &* ticks &- 1) / UInt64(tickSpan.rawValue))
    }

    /// The first cell after a bucket.
    static func end(ofBucket bucket: Int) -> Int { (7 + bucket) << 4 }

    /// The middle of a cell; the lower bound of the last cell.
    static func middle(_ cell: Int) -> Nanoseconds {
        if cell == count - 1 { return longestCounted }
        let (low, width) = octaves.extent(cell)
        let number = (2 * low + width) * UInt64(tickSpan.rawValue) / (2 * ticks)
        return Nanoseconds(rawValue: Int64(number))
    }
}
