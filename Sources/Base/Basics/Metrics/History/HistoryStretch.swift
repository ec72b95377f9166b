/// A stretch of time in a history or in a course.
package protocol HistoryStretch {
    /// Its end.
    var end: MonotonicTime { get set }
    /// Its end as a date, by the clock as it was then.
    var date: WallTime { get set }
    /// Its length.
    var length: Milliseconds { get }
}

extension HistoryStretch {
    /// With the date at which it ended by the clock as it is now: so a clock that was set puts no
    /// stretch before an earlier one.
    func withDate(at now: Instant) -> Self {
        var stretch = self
        stretch.date = now.wall - (now.monotonic - end)
        return stretch
    }
}

extension Array where Element: HistoryStretch {
    /// Of stretches that other processes have written, in that order: those of the last day, with
    /// their ends in this process, oldest first.
    ///
    /// One that ends in the future, or overlaps with one that was written later, was written before
    /// the clock was set back, and is left out: its date is not known.
    func recalled(at now: Instant) -> [Element] {
        // The lengths are of another clock than the dates, and this is how much they may differ.
        let tolerance = HistoryResolution.second.length
        let oldest = now.wall - MetricHistory.longestRange
        var begin = now.wall
        var found: [Element] = []
        for var stretch in reversed() {
            if stretch.date > begin + tolerance || stretch.date <= oldest { continue }
            begin = Swift.min(begin, stretch.date - stretch.length)
            stretch.end = now.monotonic - (now.wall - stretch.date)
            found.append(stretch)
        }
        return found.reversed()
    }
}
