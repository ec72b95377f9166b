/// The cells that times are counted in: fine ones, which make up the buckets of Prometheus exactly.
///
///     tick      0 1 2 … 15 │ 16 … 31 │ 32, 34 … 62 │ 64, 68 … 124 │ …            (98 ns each)
///     cell      one a tick │ 16      │ 16          │ 16           │ … each octave
///     bucket    ≤ 100 µs = the first 1,024 ticks │ ≤ 200 µs │ ≤ 400 µs │ … │ ≤ 52.4 s │ more
///
/// Sixteen cells an octave: a value that is told as the middle of its cell is at most 3.1 % off, and
/// below 1.6 µs at most 49 ns.
package enum LatencyCells {
    /// The buckets that have an upper bound: 100 µs, doubled 19 times.
    package static var bucketCount: Int { 20 }
    /// All cells; the last one has what is longer than the last bucket.
    static var count: Int { 417 }

    private static var octaves: OctaveCells { OctaveCells(bits: 4) }
    /// 32 ticks are 3,125 ns, so that 1,024 are 100 µs.
    static var ticks: UInt64 { 32 }
    static var nanoseconds: UInt64 { 3_125 }
    /// The longest time that the cells tell apart, in ns.
    static var longest: UInt64 { 52_428_800_000 }

    /// The upper bound of a bucket, in ns.
    package static func bound(_ bucket: Int) -> UInt64 { 100_000 << UInt64(bucket) }

    /// The cell of a time in ns; a time below 1 counts as 1.
    static func cell(_ time: Int64) -> Int {
        let time = UInt64(max(1, time))
        if time > longest { return count - 1 }
        // Rounded down of one less: a time that is a bound belongs below it.
        return octaves.cell((time &* ticks &- 1) / nanoseconds)
    }

    /// The first cell behind a bucket.
    static func end(ofBucket bucket: Int) -> Int { (7 + bucket) << 4 }

    /// The middle of a cell in ns; of the last one its lower bound.
    static func middle(_ cell: Int) -> Int64 {
        if cell == count - 1 { return Int64(longest) }
        let (low, width) = octaves.extent(cell)
        return Int64((2 * low + width) * nanoseconds / (2 * ticks))
    }
}
