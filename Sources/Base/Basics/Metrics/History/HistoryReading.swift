/// What the loop reads once a second for the history; its counts are those since the start.
package struct HistoryReading: Equatable, Sendable, BitwiseCopyable {
    /// When it was read.
    package var time: MonotonicTime
    /// The same moment as a date.
    package var date: WallTime
    /// What was done since the start.
    package var counts = HistoryCounts()
    /// What there is now.
    package var levels = HistoryLevels()
    /// How long things take at present.
    package var latencies = HistoryLatencies()

    /// Makes a reading in which everything is 0.
    package init(time: MonotonicTime, date: WallTime) {
        self.time = time
        self.date = date
    }
}
