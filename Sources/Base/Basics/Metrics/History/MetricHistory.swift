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
    private var marks: [(mark: HistoryMark, time: MonotonicTime)] = []
    /// Minutes of earlier processes, oldest first.
    private var former: [HistoryPoint] = []

    /// Makes an empty history.
    package init() { marks.reserveCapacity(Self.markLimit) }

    /// Its memory in bytes, which does not change once it records.
    package var byteCount: Int {
        seconds.byteCount + tens.byteCount + minutes.byteCount
            + former.capacity * MemoryLayout<HistoryPoint>.stride
            + marks.capacity * MemoryLayout<(HistoryMark, MonotonicTime)>.stride
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

    /// Records that something has happened, now or, if the date says so, before.
    package mutating func mark(_ event: HistoryMark.Event, at date: WallTime, now: Instant) {
        if marks.count == Self.markLimit { marks.removeFirst() }
        let age = max(.zero, now.wall - date)
        marks.append((HistoryMark(event, date: date), now.monotonic - age))
    }

    /// Adds what earlier processes have kept, in the order in which they have: minutes, and marks.
    /// Call it once, and before anything is recorded.
    package mutating func restore(
        _ points: [HistoryPoint],
        marks former: [HistoryMark],
        now: Instant
    ) {
        assert(last == nil && self.former.isEmpty, "it has begun")
        self.former = points.recalled(at: now)
        var known: [(mark: HistoryMark, time: MonotonicTime)] = []
        var latest = now.wall
        for mark in former.reversed()
        where mark.date > now.wall - Self.longestRange && mark.date <= latest {
            // An end has the date of the last that is stored, which may be before that of a drain.
            if mark.event != .end { latest = mark.date }
            known.append((mark, now.monotonic - (now.wall - mark.date)))
        }
        marks = Array((known.reversed() + marks).suffix(Self.markLimit))
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
        var points = present(since: start, resolution: resolution)
        if resolution ?? .minute == .minute { points = former.filter { $0.end > start } + points }
        let now = Instant(monotonic: last.time, wall: last.date)
        return points.map { $0.withDate(at: now) }
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

    /// The marks of this process, as they were recorded; call it before `restore`.
    package var ownMarks: [HistoryMark] { marks.map(\.mark) }

    /// The marks of a range up to an instant, oldest first, as a copy with their dates by the clock
    /// as it is then.
    package func marks(over range: Milliseconds, at now: Instant) -> [HistoryMark] {
        marks.filter { $0.time >= now.monotonic - range }.map { mark, time in
            HistoryMark(mark.event, date: now.wall - (now.monotonic - time))
        }
    }

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
