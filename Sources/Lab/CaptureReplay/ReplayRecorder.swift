internal import Histogram
internal import LoadReporting
internal import ReloadModel

/// What a replay was like, as it goes on.
///
///     intended ──────► sent ──────► ACK
///     ├─ lateness ─────┘            │
///     └─ ACK latency ───────────────┘
///
/// Latencies count from the *intended* time of sending: a router that stands still for a second is
/// seen by all pushes that were due in that second, also by those that could not be sent. Taking the
/// time from the sending instead is what Gil Tene calls coordinated omission ("How NOT to Measure
/// Latency"; his wrk2 schedules in the same way).
package struct ReplayRecorder {
    /// In microseconds, from one to an hour.
    private typealias Times = Histogram<UInt64>

    private static func times(_ digits: SignificantDigits = .three) -> Times {
        Times(
            lowestDiscernibleValue: 1,
            highestTrackableValue: 3_600_000_000,
            numberOfSignificantValueDigits: digits
        )
    }

    private var acknowledgements = times()
    private var reloads = times()
    private var lateness = times()
    // Since the second began.
    private var secondAcknowledgements = times(.two)
    private var secondReloads = times(.two)
    private var secondLateness = times(.two)

    private(set) var sent = 0
    private(set) var acknowledged = 0
    private(set) var matched = 0
    private(set) var rejected: [String: Int] = [:]
    private(set) var rejectedFrames: [String: Int] = [:]
    private(set) var firstRejection: String?
    private(set) var reloadFrames = 0
    private(set) var reloadedWidgets = 0
    private(set) var causes = [Int](repeating: 0, count: ReloadCause.allCases.count)
    private(set) var unknownReloads = 0
    private(set) var sentAgain = 0
    private(set) var connectionsLost = 0
    private(set) var firstLoss: String?
    private(set) var series = ReplayReport.Series()
    private var second = Second()
    /// When the schedule began, in ns; before, nothing counts.
    private var start = Int64.max
    private(set) var lastSent: Int64 = 0
    private(set) var lastAcknowledged: Int64 = 0

    private struct Second: Equatable {
        var sent = 0
        var acknowledged = 0
        var reloads = 0
    }

    /// The schedule begins.
    mutating func begin(at time: Int64) {
        start = time
    }

    private static func microseconds(_ nanoseconds: Int64) -> UInt64 {
        UInt64(min(max(1, nanoseconds / 1_000), 3_600_000_000))
    }

    // MARK: - Pushes

    /// A push is due at this time.
    mutating func intended(at time: Int64) {
        let index = Int((time - start) / 1_000_000_000)
        // A second without pushes is one, too; a day is longer than anybody replays.
        while series.intended.count <= index, index < 864_000 { series.intended.append(0) }
        series.intended[index] += 1
    }

    mutating func sent(intended: Int64, at time: Int64) {
        sent += 1
        second.sent += 1
        lastSent = time
        let late = Self.microseconds(time - intended)
        lateness.record(late)
        secondLateness.record(late)
    }

    mutating func resent() { sentAgain += 1 }

    mutating func acknowledged(intended: Int64, at time: Int64) {
        acknowledged += 1
        second.acknowledged += 1
        lastAcknowledged = time
        let elapsed = Self.microseconds(time - intended)
        acknowledgements.record(elapsed)
        secondAcknowledgements.record(elapsed)
    }

    mutating func matched(_ widgets: Int) { matched += widgets }

    mutating func rejected(_ code: String, _ message: String, isPush: Bool) {
        if isPush {
            rejected[code, default: 0] += 1
        } else {
            rejectedFrames[code, default: 0] += 1
        }
        if firstRejection == nil { firstRejection = "\(code): \(message)" }
    }

    // MARK: - Reloads

    /// A RELOAD has come, whose cause has this place among `ReloadCause.allCases`.
    mutating func reload(_ cause: Int, widgets: Int) {
        reloadFrames += 1
        reloadedWidgets += widgets
        causes[cause] += widgets
        second.reloads += widgets
    }

    mutating func reloaded(intended: Int64, at time: Int64) {
        let elapsed = Self.microseconds(time - intended)
        reloads.record(elapsed)
        secondReloads.record(elapsed)
    }

    mutating func unknownReload() { unknownReloads += 1 }

    mutating func connectionLost(_ reason: String) {
        connectionsLost += 1
        if firstLoss == nil { firstLoss = reason }
    }

    // MARK: - Seconds and the end

    /// A second is over.
    ///
    /// - Parameter isWhole: a last one that is not is left out if nothing happened in it.
    mutating func endSecond(isWhole: Bool = true) {
        if !isWhole && second == Second() { return }
        series.sent.append(second.sent)
        series.acknowledged.append(second.acknowledged)
        series.reloads.append(second.reloads)
        series.acknowledgementP50.append(Self.milliseconds(secondAcknowledgements, 50))
        series.acknowledgementP99.append(Self.milliseconds(secondAcknowledgements, 99))
        series.reloadP50.append(Self.milliseconds(secondReloads, 50))
        series.reloadP99.append(Self.milliseconds(secondReloads, 99))
        series.latenessP99.append(Self.milliseconds(secondLateness, 99))
        second = Second()
        if secondAcknowledgements.totalCount > 0 { secondAcknowledgements.reset() }
        if secondReloads.totalCount > 0 { secondReloads.reset() }
        if secondLateness.totalCount > 0 { secondLateness.reset() }
    }

    /// Writes what was recorded into a report.
    func fill(_ report: inout ReplayReport) {
        report.pushes.sent = sent
        report.pushes.sentAgain = sentAgain
        report.pushes.acknowledged = acknowledged
        report.pushes.matched = matched
        report.pushes.rejectedByCode = rejected
        report.pushes.rejected = rejected.values.reduce(0, +)
        report.devices.rejectedByCode = rejectedFrames
        report.devices.firstRejection = firstRejection
        report.reloads.frames = reloadFrames
        report.reloads.widgets = reloadedWidgets
        for (number, cause) in ReloadCause.allCases.enumerated() where causes[number] > 0 {
            report.reloads.byCause[cause.rawValue] = causes[number]
        }
        report.reloads.unknown = unknownReloads
        report.connectionsLost = connectionsLost
        report.firstLoss = firstLoss
        report.acknowledgement = Self.summary(acknowledgements)
        report.reload = Self.summary(reloads)
        report.lateness = Self.summary(lateness)
        report.series = series
        report.series.align()
    }

    private static func summary(_ times: Times) -> LatencySummary {
        LatencySummary(count: Int(times.totalCount), max: Double(times.max) / 1_000) {
            Self.milliseconds(times, $0)
        }
    }

    private static func milliseconds(_ times: Times, _ percentile: Double) -> Double {
        times.totalCount == 0 ? 0 : Double(times.valueAtPercentile(percentile)) / 1_000
    }
}
