/// A minute of an app or a kind.
package struct CoursePoint: HistoryStretch, Equatable, Sendable, BitwiseCopyable {
    /// Its end.
    package var end: MonotonicTime
    /// Its end as a date.
    package var date: WallTime
    /// Its length.
    package var length: Milliseconds
    /// What was done in it, and is stored at its end.
    package var counts: CourseCounts

    /// A minute that ends at an instant.
    package init(endingAt now: Instant, length: Milliseconds, counts: CourseCounts) {
        end = now.monotonic
        date = now.wall
        self.length = length
        self.counts = counts
    }
}

/// A point as numbers, for a file that another version of the router may read.
extension CoursePoint {
    /// The number of numbers.
    package static var wordCount: Int { 9 }

    /// All but `end`, which has no meaning in another process.
    package var words: [UInt64] {
        [
            counts.pushes, counts.matched, counts.reloads, counts.putOff, counts.rejected,
            counts.devices, counts.widgets, UInt64(bitPattern: date.rawValue),
            UInt64(bitPattern: length.rawValue),
        ]
    }

    /// Reads what `words` has written; nil for numbers that no point has.
    package init?(words: [UInt64]) {
        guard words.count == Self.wordCount, let date = Int64(exactly: words[7]),
            let length = Int64(exactly: words[8]), length > 0
        else { return nil }
        end = .min
        self.date = WallTime(rawValue: date)
        self.length = Milliseconds(rawValue: length)
        counts = CourseCounts()
        counts.pushes = words[0]
        counts.matched = words[1]
        counts.reloads = words[2]
        counts.putOff = words[3]
        counts.rejected = words[4]
        counts.devices = words[5]
        counts.widgets = words[6]
    }
}
