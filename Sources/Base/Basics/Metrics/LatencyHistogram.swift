/// Counts how long an operation took, for percentiles of the recent past and totals since the
/// start.
///
///     record   ─► counts in the cells of the current window
///     rotate   ─► adds the older window to the totals, empties it, and makes it the current one
///
/// There are two windows, the current one and the one before it. The percentiles of `summary` are
/// those of both; its counts also include the totals. Recording costs a few ns and allocates
/// nothing.
@safe
package struct LatencyHistogram: ~Copyable {
    /// The cells of both windows, one after the other.
    let cells: UnsafeMutablePointer<UInt32>
    /// The index of the current window's first cell: 0 or `LatencyCells.count`.
    private(set) var present = 0
    /// The longest time of the current window.
    var longest = Nanoseconds.zero
    /// The longest time of the other window.
    private var formerLongest = Nanoseconds.zero
    /// The sum of all times since the start.
    var sum = Nanoseconds.zero
    /// The times of all windows emptied so far, by bucket; the last bucket has no upper bound.
    private var totals: [UInt64]

    /// The number of cells of both windows.
    private static var cellCount: Int { 2 * LatencyCells.count }

    /// A histogram of no times.
    package init() {
        unsafe cells = .allocate(capacity: Self.cellCount)
        unsafe cells.initialize(repeating: 0, count: Self.cellCount)
        totals = Array(repeating: 0, count: LatencyCells.bucketCount + 1)
    }

    deinit { unsafe cells.deallocate() }

    /// Counts a time, of which a negative one counts as 0, this often.
    package mutating func record(_ time: Nanoseconds, times: UInt32 = 1) {
        let cell = present + LatencyCells.cell(time)
        unsafe cells[cell] &+= times
        // Wraps after 292 years of operations.
        sum.rawValue &+= max(0, time.rawValue) &* Int64(times)
        if time > longest { longest = time }
    }

    /// Ends the current window. The older one is emptied and becomes the current one; only the
    /// totals keep its times.
    package mutating func rotate() {
        let former = LatencyCells.count - present
        for bucket in totals.indices { totals[bucket] += count(of: bucket, from: former) }
        for cell in former..<former + LatencyCells.count { unsafe cells[cell] = 0 }
        present = former
        formerLongest = longest
        longest = .zero
    }

    /// The present state as plain values.
    ///
    /// - Complexity: in proportion to the cells, about a microsecond.
    package var summary: LatencyFigures {
        var summary = LatencyFigures()
        summary.sum = sum
        for bucket in totals.indices {
            let recent = count(of: bucket, from: 0) + count(of: bucket, from: LatencyCells.count)
            summary.buckets[bucket] = totals[bucket] + recent
            summary.recentCount += recent
        }
        summary.longest = recentLongest
        summary.p50 = percentile(500, of: summary.recentCount)
        summary.p90 = percentile(900, of: summary.recentCount)
        summary.p99 = percentile(990, of: summary.recentCount)
        summary.p999 = percentile(999, of: summary.recentCount)
        return summary
    }

    /// The percentiles of the last two windows that a history keeps. Unlike `summary`, it allocates
    /// nothing.
    package var recent: RecentLatency {
        var count: UInt64 = 0
        for cell in 0..<Self.cellCount { unsafe count += UInt64(cells[cell]) }
        var recent = RecentLatency()
        recent.longest = recentLongest
        recent.p50 = percentile(500, of: count)
        recent.p99 = percentile(990, of: count)
        return recent
    }

    /// The longest time of both windows.
    private var recentLongest: Nanoseconds { max(longest, formerLongest) }

    /// The time that a part of the `count` times of both windows, in per mille, do not exceed; zero
    /// if there are none.
    private func percentile(_ part: UInt64, of count: UInt64) -> Nanoseconds {
        let rank = max(1, (count * part + 999) / 1_000)
        var seen: UInt64 = 0
        for cell in 0..<LatencyCells.count {
            unsafe seen += UInt64(cells[cell]) + UInt64(cells[cell + LatencyCells.count])
            if seen >= rank { return min(LatencyCells.middle(cell), recentLongest) }
        }
        return .zero
    }

    /// The times of a bucket, in the window whose cells begin at `start`.
    private func count(of bucket: Int, from start: Int) -> UInt64 {
        let first = bucket == 0 ? 0 : LatencyCells.end(ofBucket: bucket - 1)
        let isLast = bucket == LatencyCells.bucketCount
        let end = isLast ? LatencyCells.count : LatencyCells.end(ofBucket: bucket)
        var count: UInt64 = 0
        for cell in start + first..<start + end { unsafe count += UInt64(cells[cell]) }
        return count
    }
}
