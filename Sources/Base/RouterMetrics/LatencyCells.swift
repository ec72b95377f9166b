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

    private static var octaves: OctaveCells { OctaveCells(bits: 4) }
    /// The number of ticks (units of time of the cells, not of the loop) in `nanoseconds`: 32 ticks
    /// are 3,125 ns, so that 1,024 are 100 µs.
    static var ticks: UInt64 { 32 }
    /// The length of that number of ticks, in ns.
    static var nanoseconds: UInt64 { 3_125 }
    /// The longest time, in ns, that is not counted in the last cell.
    static var longest: UInt64 { 52_428_800_000 }

    /// The upper bound of a bucket, in ns.
    package static func bound(_ bucket: Int) -> UInt64 { 100_000 << UInt64(bucket) }

    /// The cell of a time in ns; a time below 1 counts as 1.
    static func cell(_ time: Int64) -> Int {
        let time = UInt64(max(1, time))
        if time > longest { return count - 1 }
        // Computed from one less, rounded down: a time equal to a bound belongs below it.
        return octaves.cell((time &* ticks &- 1) / nanoseconds)
    }

    /// The first cell after a bucket.
    static func end(ofBucket bucket: Int) -> Int { (7 + bucket) << 4 }

    /// The middle of a cell, in ns; the lower bound of the last cell.
    static func middle(_ cell: Int) -> Int64 {
        if cell == count - 1 { return Int64(longest) }
        let (low, width) = octaves.extent(cell)
        return Int64((2 * low + width) * nanoseconds / (2 * ticks))
    }
}
