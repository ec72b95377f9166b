internal import RouterMetrics

/// A histogram of times from one microsecond to a day.
///
/// A percentile is at most 0.05 % above the measured time.
package struct MeasuredTimes: Sendable {
    private static let cells = OctaveCells(bits: 11)
    /// The longest time that is distinguished, in µs: a day.
    private static let longest: Int64 = 86_400_000_000

    /// Measurements in each cell, up to the cell of the longest time.
    private var counts: [Int] = []
    private var count = 0
    /// The longest measured time, in µs.
    private var longest: UInt64 = 0

    /// A histogram without measurements.
    package init() {}

    /// Counts a time, rounded down to microseconds; times out of range count as the nearest in it.
    package mutating func record(nanoseconds: Int64) {
        let time = UInt64(min(max(1, nanoseconds / 1_000), Self.longest))
        let cell = Self.cells.cell(time)
        if cell >= counts.count {
            counts += repeatElement(0, count: cell + 1 - counts.count)
        }
        counts[cell] += 1
        count += 1
        longest = max(longest, time)
    }

    /// Removes all measurements.
    package mutating func reset() {
        counts.removeAll(keepingCapacity: true)
        (count, longest) = (0, 0)
    }

    /// The time in ms that a percentile of the measurements did not exceed; 0 if there are none.
    package func milliseconds(_ percentile: Double) -> Double {
        let rank = percentile.rank(among: count)
        var seen = 0
        for (cell, number) in counts.enumerated() where number > 0 {
            seen += number
            if seen < rank { continue }
            let (low, width) = Self.cells.extent(cell)
            return Double(min(low + width - 1, longest)) / 1_000
        }
        assert(count == 0, "a measurement is in no cell")
        return 0
    }

    /// The percentiles and the longest time, in ms.
    package var summary: LatencySummary {
        LatencySummary(count: count, max: Double(longest) / 1_000) { milliseconds($0) }
    }
}
