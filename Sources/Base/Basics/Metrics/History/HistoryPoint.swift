/// A stretch of time in a history: a second, ten seconds or a minute.
///
/// Its counts are those of the stretch, its levels those at its end, and its latencies the longest
/// of its seconds.
package struct HistoryPoint: HistoryStretch, Equatable, Sendable, BitwiseCopyable {
    /// Its end.
    package var end: MonotonicTime
    /// Its end as a date.
    package var date: WallTime
    /// Its length, which differs a little from the nominal one, and much after the loop was stuck.
    package var length: Milliseconds
    /// What was done in it.
    package var counts: HistoryCounts
    /// What there was at its end.
    package var levels: HistoryLevels
    /// How long things took at most.
    package var latencies: HistoryLatencies

    /// The stretch between two readings.
    init(from earlier: HistoryReading, to reading: HistoryReading) {
        assert(earlier.time <= reading.time, "a reading is from before the one that precedes it")
        end = reading.time
        date = reading.date
        length = reading.time - earlier.time
        counts = reading.counts - earlier.counts
        levels = reading.levels
        latencies = reading.latencies
    }

    /// Its beginning.
    package var begin: MonotonicTime { end - length }

    /// Extends the stretch by the one that follows.
    mutating func append(_ next: HistoryPoint) {
        assert(next.begin == end, "the stretches do not meet")
        end = next.end
        date = next.date
        length += next.length
        counts += next.counts
        levels = next.levels
        latencies.keepLonger(next.latencies)
    }
}
