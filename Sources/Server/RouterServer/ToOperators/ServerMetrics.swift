internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Platform
internal import RouterCore
internal import RouterStore

/// What the loop counts and measures apart from the router: its own time, and the bytes that pass
/// through it.
final class ServerMetrics {
    /// Duration of ticks that had something to do.
    var ticks = LatencyHistogram()
    /// From the beginning of the tick that read a push until its ACK was passed to the kernel.
    var pushToAck = LatencyHistogram()
    /// From the beginning of the tick that read a push until the push's RELOADs were passed to the
    /// kernel; see `Outbox.reloadArrivals`.
    var pushToReload = LatencyHistogram()
    /// How late the loop performed scheduled work.
    var schedulerLag = LatencyHistogram()
    /// What is counted of the loop; what it is at present is added when the status is copied.
    var loop = LoopStatus()
    /// ACKs of this tick, grouped by the arrival time of the pushes.
    var acknowledged = ArrivalRuns()
    /// Ticks that had something to do.
    var tickCount: UInt64 = 0
    /// The course of the metrics, for operators.
    var history = MetricHistory()
    /// Where it is kept over a restart; nil if it is not.
    var historyFile: HistoryFile?
    /// The course of single apps and kinds, and whether they were read.
    private var courses = AppCourses()
    private var hasReadCourses = false
    /// When the histograms' windows rotate next.
    private var windowEnd = MonotonicTime.min
    /// What operators are warned of.
    var warnings = Warnings()
    let core: Core
    /// When the server was created.
    let startedAt = WallTime.now

    /// Length of a histogram's window; percentiles cover one to two of them.
    private static var windowLength: Milliseconds { .seconds(5) }

    init(_ core: Core) { self.core = core }

    /// Records the latencies of this tick's output, which was passed to the kernel or waits for its
    /// peer to read: with one more reading of the clock if the tick has answered pushes.
    func recordLatencies() {
        // Inputs without an arrival time must not inherit the previous one.
        core.router.outbox.arrival = .none
        if acknowledged.isEmpty && core.router.outbox.reloadArrivals.isEmpty { return }
        let now = ExactTime.now
        acknowledged.record(in: &pushToAck, at: now)
        core.router.outbox.reloadArrivals.record(in: &pushToReload, at: now)
    }

    /// Rotates the windows of the histograms when their time is over; true if it is. See
    /// `LatencyHistogram.rotate`.
    func rotateWindows() -> Bool {
        let now = core.now.monotonic
        if now < windowEnd { return false }
        windowEnd = now + Self.windowLength
        ticks.rotate()
        pushToAck.rotate()
        pushToReload.rotate()
        schedulerLag.rotate()
        core.driver?.rotateLatencyWindow()
        return true
    }

    // MARK: - The history, which the sweep records once a second

    /// Records the present metrics if a second has passed. It takes about 10 µs, and allocates
    /// nothing.
    func recordHistory() {
        let now = core.now
        if !history.isDue(at: now.monotonic) { return }
        var reading = HistoryReading(time: now.monotonic, date: now.wall)
        reading.counts = historyCounts
        reading.levels = historyLevels
        reading.latencies.pushToAck = pushToAck.recent
        reading.latencies.pushToReload = pushToReload.recent
        reading.latencies.tick = ticks.recent
        let minute = history.record(reading)
        if let minute { historyFile?.keep(minute) }
        // The first reading only says where counting begins.
        if minute != nil || !hasReadCourses { recordCourses(length: minute?.length ?? .zero) }
    }

    private func recordCourses(length: Milliseconds) {
        hasReadCourses = true
        courses.record(core.router.courseReadings, length: length, now: core.now) {
            place,
            subject,
            point in
            historyFile?.keep(point, of: subject, at: place)
        }
    }

    /// The memory of the history and the courses, in bytes.
    var historyByteCount: Int { history.byteCount + courses.byteCount }

    /// Shows what earlier processes have kept in the file of a store, and keeps there what follows.
    func keepHistory(ofStore folder: String) {
        guard let file = HistoryFile(ofStore: folder, logger: core.logger) else { return }
        for mark in history.ownMarks { file.keep(mark) }
        let (kept, now) = (file.takeContents(), core.now)
        history.restore(kept.minutes, marks: kept.marks, now: now)
        for course in kept.courses {
            courses.restore(course.points, of: course.subject, at: course.place, now: now)
        }
        historyFile = file
    }

    /// Keeps the last minute, too, be it not over.
    func closeHistory() {
        if let rest = history.unfinished {
            historyFile?.keep(rest)
            recordCourses(length: rest.length)
        }
        historyFile?.close()
        historyFile = nil
    }

    private var historyCounts: HistoryCounts {
        var counts = HistoryCounts()
        counts.pushes = core.router.counters.pushesAccepted
        counts.matched = core.router.counters.pushesMatched
        counts.reloads = core.router.counters.reloadsSent
        counts.putOff = core.router.counters.decisions.putOff
        counts.rejected = core.router.counters.framesRejected
        counts.ticks = tickCount
        counts.receivedBytes = loop.receivedByteCount
        counts.sentBytes = core.loop.sentByteCount
        return counts
    }

    private var historyLevels: HistoryLevels {
        let roles = core.router.roles
        var levels = HistoryLevels()
        levels.publishers = UInt32(clamping: roles.publishers)
        levels.devices = UInt32(clamping: roles.devices)
        levels.gateways = UInt32(clamping: roles.gateways)
        levels.pending = UInt32(clamping: core.router.pendingTotals.total)
        return levels
    }

    /// Marks in the history that something happens now or, if a date is given, has happened.
    func mark(_ event: HistoryMark.Event, at date: WallTime? = nil) {
        let mark = HistoryMark(event, date: date ?? core.now.wall)
        history.mark(event, at: mark.date, now: core.now)
        historyFile?.keep(mark)
    }

    /// Copies a range of the course of an app or a kind, beside what was read of it now.
    func history(of reading: CourseReading, over range: Milliseconds) -> ObjectBody {
        .appHistory(
            at: core.now.wall,
            startedAt: startedAt,
            counts: reading.counts,
            points: courses.points(of: reading.subject, over: range, at: core.now),
            notKept: max(0, core.router.courseSubjectCount - AppCourses.subjectLimit)
        )
    }

    /// Copies a range of the history: at most as many points as it has, in a few µs.
    func history(over range: Milliseconds, resolution: HistoryResolution?) -> ObjectBody {
        .history(
            at: core.now.wall,
            startedAt: startedAt,
            points: history.points(over: range, resolution: resolution),
            marks: history.marks(over: range, at: core.now)
        )
    }
}
