internal import Basics
internal import LoadReporting

/// Collects the measurements of a running replay.
///
///     intended ──────► sent ──────► ACK
///     ├─ lateness ─────┘            │
///     └─ ACK latency ───────────────┘
///
/// Latencies count from the time at which a push was due (*intended*). So when a router stalls for
/// a second, the stall shows in all pushes that were due in that second, including those that could
/// not be sent. Counting from the time of sending would hide them: Gil Tene calls this coordinated
/// omission ("How NOT to Measure Latency"). His wrk2 schedules requests in the same way.
struct ReplayRecorder {
    /// The times of the whole run, and of the current second.
    private struct Times {
        var all = MeasuredTimes()
        var second = MeasuredTimes()

        mutating func record(_ time: Nanoseconds) {
            all.record(time)
            second.record(time)
        }
    }

    private var acknowledgements = Times()
    private var reloadTimes = Times()
    private var lateness = Times()

    private(set) var pushes = ReplayReport.Pushes()
    private var reloads = ReplayReport.Reloads()
    /// Rejected frames of devices, by the code of the error.
    private var rejectedFrames: [String: Int] = [:]
    private var firstRejection: String?
    private var connectionsLost = 0
    private var firstLoss: String?
    private(set) var series = ReplayReport.Series()
    private var second = Second()
    /// When the schedule began; nothing is due before.
    private var start = ExactTime.max
    /// When the last push was sent.
    private(set) var lastSent = ExactTime.none
    /// When the last ACK of a push arrived.
    private(set) var lastAcknowledged = ExactTime.none

    private struct Second: Equatable {
        var sent = 0
        var acknowledged = 0
        var reloads = 0
    }

    /// Starts the measurement with the schedule.
    mutating func begin(at time: ExactTime) {
        assert(start == .max, "the measurement begins once")
        start = time
    }

    // MARK: - Pushes

    /// Counts a push that is due at `time`.
    mutating func intended(at time: ExactTime) {
        assert(time >= start, "the push is due before the schedule begins")
        let index = Int((time - start) / .seconds(1))
        // Seconds without pushes are added as well, up to ten days; later pushes are in no second.
        while series.intended.count <= index, index < 864_000 { series.intended.append(0) }
        if index < series.intended.count { series.intended[index] += 1 }
    }

    /// Records that a push was sent for the first time.
    mutating func sent(intended: ExactTime, at time: ExactTime) {
        pushes.sent += 1
        second.sent += 1
        lastSent = time
        lateness.record(time - intended)
    }

    /// Counts a push that was sent again over a new connection.
    mutating func resent() { pushes.sentAgain += 1 }

    /// Records the ACK of a push.
    mutating func acknowledged(intended: ExactTime, at time: ExactTime) {
        pushes.acknowledged += 1
        second.acknowledged += 1
        lastAcknowledged = time
        acknowledgements.record(time - intended)
    }

    /// Adds the matches that the router reported in the ACK of a push.
    mutating func matched(_ widgets: Int) { pushes.matched += widgets }

    /// Counts a rejected push, or a rejected frame of a device, by the code of the error.
    mutating func rejected(_ code: String, message: String, isPush: Bool) {
        if isPush {
            pushes.rejected += 1
            pushes.rejectedByCode[code, default: 0] += 1
        } else {
            rejectedFrames[code, default: 0] += 1
        }
        if firstRejection == nil { firstRejection = "\(code): \(message)" }
    }

    // MARK: - Reloads

    /// Records a RELOAD, with the cause as frames spell it.
    mutating func reload(_ cause: String, widgets: Int) {
        reloads.frames += 1
        reloads.widgets += widgets
        reloads.byCause[cause, default: 0] += widgets
        second.reloads += widgets
    }

    /// Records that a widget got the RELOAD for a push.
    mutating func reloaded(intended: ExactTime, at time: ExactTime) {
        reloadTimes.record(time - intended)
    }

    /// Counts a RELOAD that cannot be parsed, or that names an unknown device.
    mutating func unknownReload() { reloads.unknown += 1 }

    /// Counts a lost connection, and keeps the reason of the first.
    mutating func connectionLost(_ reason: String) {
        connectionsLost += 1
        if firstLoss == nil { firstLoss = reason }
    }

    // MARK: - Seconds and the end

    /// Ends a second of the series. If the run ended within it, it is not whole, and is left out if
    /// nothing happened in it.
    mutating func endSecond(isWhole: Bool = true) {
        if !isWhole && second == Second() { return }
        series.sent.append(second.sent)
        series.acknowledged.append(second.acknowledged)
        series.reloads.append(second.reloads)
        series.acknowledgementP50.append(acknowledgements.second.milliseconds(50))
        series.acknowledgementP99.append(acknowledgements.second.milliseconds(99))
        series.reloadP50.append(reloadTimes.second.milliseconds(50))
        series.reloadP99.append(reloadTimes.second.milliseconds(99))
        series.latenessP99.append(lateness.second.milliseconds(99))
        second = Second()
        acknowledgements.second.reset()
        reloadTimes.second.reset()
        lateness.second.reset()
    }

    /// Fills in the measurements of the whole run.
    func fill(_ report: inout ReplayReport) {
        report.pushes = pushes
        report.devices.rejectedByCode = rejectedFrames
        report.devices.firstRejection = firstRejection
        report.reloads = reloads
        report.connectionsLost = connectionsLost
        report.firstLoss = firstLoss
        report.acknowledgement = acknowledgements.all.summary
        report.reload = reloadTimes.all.summary
        report.lateness = lateness.all.summary
        report.series = series
        report.series.align()
    }
}
