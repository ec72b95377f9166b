/// The course of a router's metrics: every second of the last two minutes, every ten seconds of the
/// last twenty minutes, every minute of the last day, and marks of what happened.
///
///     reading, once a second ─► points of a second ─► of ten seconds ─► of a minute
///
/// Its memory is allocated when it is made; recording allocates nothing. A pure value: times come
/// with the readings. It cannot be copied, so that no copy makes the next reading allocate.
package struct MetricHistory: ~Copyable {
    /// The most marks that are kept; beyond it, the oldest is dropped.
    package static var markLimit: Int { 64 }
    /// The longest range that can be asked for: that of the points of a minute.
    package static var longestRange: Milliseconds {
        HistoryResolution.minute.length * Int64(HistoryResolution.minute.capacity)
    }

    private var last: HistoryReading?
    private var seconds = HistoryRing(.second)
    private var tens = HistoryRing(.tenSeconds)
    private var minutes = HistoryRing(.minute)
    private var marks: [HistoryMark] = []
    /// Minutes of earlier processes, oldest first.
    private var former: [HistoryPoint] = []

    /// Makes an empty history.
    package init() { marks.reserveCapacity(Self.markLimit) }

    /// Its memory in bytes, which does not change once it records.
    package var byteCount: Int {
        seconds.byteCount + tens.byteCount + minutes.byteCount
            + former.capacity * MemoryLayout<HistoryPoint>.stride
            + marks.capacity * MemoryLayout<HistoryMark>.stride
    }

    // MARK: - Recording

    /// True if a second has passed since the last reading, or there was none.
    package func isDue(at time: MonotonicTime) -> Bool {
        guard let last else { return true }
        return time - last.time >= HistoryResolution.second.completeLength
    }

    /// Records a reading; call it when `isDue`. The first one only says where counting begins.
    /// Returns the minute that it completes, if it does.
    @discardableResult
    package mutating func record(_ reading: HistoryReading) -> HistoryPoint? {
        defer { self.last = reading }
        guard let last else { return nil }
        guard let second = seconds.join(HistoryPoint(from: last, to: reading)) else { return nil }
        return tens.join(second).flatMap { minutes.join($0) }
    }

    /// What was recorded since the last whole minute; nil if nothing was.
    package var unfinished: HistoryPoint? {
        [minutes.open, tens.open, seconds.open].reduce(nil) { (sum: HistoryPoint?, next) in
            guard let next, var sum else { return sum ?? next }
            sum.append(next)
            return sum
        }
    }

    /// Records that something has happened.
    package mutating func mark(_ event: HistoryMark.Event, at date: WallTime) {
        if marks.count == Self.markLimit { marks.removeFirst() }
        marks.append(HistoryMark(event, date: date))
    }

    /// Adds what earlier processes have kept, in any order: minutes before a time, of which it is
    /// that date now, and marks. Call it once, and before anything is recorded.
    package mutating func restore(
        _ points: [HistoryPoint],
        marks former: [HistoryMark],
        time: MonotonicTime,
        date: WallTime
    ) {
        assert(last == nil && self.former.isEmpty, "it has begun")
        let oldest = date - Self.longestRange
        var end = WallTime.min
        for var point in points.sorted(by: { $0.date < $1.date }) {
            // What overlaps was recorded while the clock was set back.
            if point.date <= oldest || point.date > date || point.date - point.length < end {
                continue
            }
            end = point.date
            point.end = time - (date - point.date)
            self.former.append(point)
        }
        let known = former.filter { $0.date > oldest && $0.date <= date }
            .sorted { $0.date < $1.date }
        marks = Array((known + marks).suffix(Self.markLimit))
        marks.reserveCapacity(Self.markLimit)
    }

    // MARK: - Reading

    /// The points that end in a range before the last reading, oldest first, as a copy. Without a
    /// resolution, they have the finest that is kept of each moment, without gap and without
    /// overlap.
    package func points(
        over range: Milliseconds,
        resolution: HistoryResolution? = nil
    ) -> [HistoryPoint] {
        guard let last else { return [] }
        let start = last.time - range
        let present = present(since: start, resolution: resolution)
        if former.isEmpty || resolution ?? .minute != .minute { return present }
        return former.filter { $0.end > start } + present
    }

    /// The points of this process that end after a time.
    private func present(
        since start: MonotonicTime,
        resolution: HistoryResolution?
    ) -> [HistoryPoint] {
        switch resolution {
        case .second: return copy(minutesUntil: .min, tensUntil: .min, start: start, end: .max)
        case .tenSeconds: return copy(minutesUntil: .min, tensUntil: .max, start: start, end: .min)
        case .minute: return copy(minutesUntil: .max, tensUntil: .min, start: start, end: .min)
        case nil:
            // A coarser point begins and ends with finer ones: at such an end the finer ones
            // continue. Before a finer ring is full, it has everything.
            let fine = Self.seam(between: tens, and: seconds)
            let middle = min(fine, Self.seam(between: minutes, and: tens))
            return copy(minutesUntil: middle, tensUntil: fine, start: start, end: .max)
        }
    }

    /// The marks from a date on, oldest first, as a copy.
    package func marks(from date: WallTime) -> [HistoryMark] { marks.filter { $0.date >= date } }

    /// Where the points of a finer ring take over from those of a coarser one; `.min` if the finer
    /// ring has everything.
    private static func seam(
        between coarse: borrowing HistoryRing,
        and fine: borrowing HistoryRing
    ) -> MonotonicTime {
        guard fine.isFull, let begin = fine.begin, let first = coarse.begin, first < begin
        else { return .min }
        return coarse.firstEnd(from: begin) ?? begin
    }

    /// Copies the points of each ring up to its time, the seconds up to `end`.
    private func copy(
        minutesUntil middle: MonotonicTime,
        tensUntil fine: MonotonicTime,
        start: MonotonicTime,
        end: MonotonicTime
    ) -> [HistoryPoint] {
        var points: [HistoryPoint] = []
        func add(_ ring: HistoryRing, after begin: MonotonicTime, until end: MonotonicTime) {
            for index in 0..<ring.count {
                let point = ring[index]
                if point.end > max(begin, start) && point.end <= end { points.append(point) }
            }
        }
        add(minutes, after: .min, until: middle)
        add(tens, after: middle, until: fine)
        add(seconds, after: fine, until: end)
        return points
    }
}
