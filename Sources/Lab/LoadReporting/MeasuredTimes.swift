package import Basics

/// A histogram of times from one microsecond to a day.
///
/// A percentile is at most 0.05 % above the measured time.
package struct MeasuredTimes: Sendable {
    private static let cells = OctaveCells(bits: 11)
    /// The longest time that is distinguished: a day.
    private static var limit: Microseconds { Microseconds(.days(1)) }

    /// Measurements in each cell, up to the cell of `limit`.
    private var counts: [Int] = []
    private var count = 0
    /// The longest measured time.
    private var longest = Microseconds.zero

    /// A histogram without measurements.
    package init() {}

    /// Counts a time, rounded down to microseconds; times out of range count as the nearest in it.
    package mutating func record(_ time: Nanoseconds) {
        let time = min(max(Microseconds(rawValue: 1), Microseconds(time)), Self.limit)
        let cell = Self.cells.cell(UInt64(time.rawValue))
        if cell >= counts.count { counts += repeatElement(0, count: cell + 1 - counts.count) }
        counts[cell] += 1
        count += 1
        longest = max(longest, time)
    }

    /// Removes all measurements.
    package mutating func reset() {
        counts.removeAll(keepingCapacity: true)
        (count, longest) = (0, .zero)
    }

    /// The time in ms that a percentile of the measurements did not exceed; 0 if there are none.
    package func milliseconds(_ percentile: Double) -> Double {
        let rank = percentile.rank(among: count)
        var cumulative = 0
        for (cell, number) in counts.enumerated() where number > 0 {
            cumulative += number
            if cumulative < rank { continue }
            let (low, width) = Self.cells.extent(cell)
            return Double(min(low + width - 1, UInt64(longest.rawValue))) / 1_000
        }
        assert(count == 0, "a measurement is in no cell")
        return 0
    }

    /// The percentiles and the longest time, in ms.
    package var summary: LatencySummary {
        LatencySummary(count: count, max: Double(longest.rawValue) / 1_000) { milliseconds($0) }
    }
}
