internal import DeviceSimulation
internal import LoadReporting
internal import ReloadModel
internal import ReloadRouterClient
internal import TestOrigin

/// What a fleet's run was like.
///
///     push ──► RELOAD ──► provider ──► rendered
///     │        ├ pushToReload          │
///     └────────┴──── pushToRendered ───┘   from the first push since the widget last began to reload
struct FleetRecorder {
    /// The time of the first push that a widget has not begun to reload for, by the monotonic clock in
    /// ns; 0 if there is none.
    private var pushedAt: ContiguousArray<Int64>
    /// The same of the reload that is going on.
    private var reloadingFor: ContiguousArray<Int64>
    private var reloadTimes = MeasuredTimes()
    private var renderTimes = MeasuredTimes()
    /// Since the second began.
    private var stale = MeasuredTimes()
    private(set) var pushes = FleetReport.Pushes()
    private(set) var reloads = FleetReport.Reloads()
    private(set) var retries = 0
    private(set) var failed = 0
    private(set) var connectionsLost = 0
    private(set) var series = FleetSeries()
    private var second = Second()
    private var originAtStart = OriginCounts.Counts()
    private var originAtSecond = OriginCounts.Counts()

    private struct Second {
        var pushes = 0
        var reloads = 0
    }

    init(widgets: Int) {
        pushedAt = ContiguousArray(repeating: 0, count: widgets)
        reloadingFor = ContiguousArray(repeating: 0, count: widgets)
    }

    /// What was so far does not count.
    mutating func begin(origin: OriginCounts.Counts) {
        (originAtStart, originAtSecond) = (origin, origin)
        let fresh = FleetRecorder(widgets: 0)
        (pushes, reloads, series, second) = (fresh.pushes, fresh.reloads, fresh.series, Second())
        (retries, failed, connectionsLost) = (0, 0, 0)
        reloadTimes.reset()
        renderTimes.reset()
        stale.reset()
    }

    // MARK: - Pushes

    mutating func pushed() {
        pushes.sent += 1
        second.pushes += 1
    }

    mutating func concerned(widget: Int, at time: Int64) {
        if pushedAt[widget] == 0 { pushedAt[widget] = time }
    }

    /// The router has answered pushes.
    mutating func answered(_ before: PublisherStatistics, _ after: PublisherStatistics) {
        pushes.acknowledged += Int(after.accepted - before.accepted)
        pushes.rejected += Int(after.rejected - before.rejected)
    }

    // MARK: - Reloads

    mutating func received(_ cause: ReloadCause, widgets: Int) {
        reloads.frames += 1
        reloads.widgets += widgets
        reloads.byCause[cause.rawValue, default: 0] += widgets
        second.reloads += widgets
    }

    /// A widget is told to reload.
    mutating func told(widget: Int, _ cause: ReloadCause, at time: Int64) {
        let since = pushedAt[widget]
        guard since > 0, cause == .push else { return }
        reloadTimes.record(nanoseconds: time - since)
    }

    /// A provider is asked for a timeline.
    mutating func asked(widget: Int) {
        reloads.asks += 1
        if pushedAt[widget] == 0 { return }
        if reloadingFor[widget] == 0 { reloadingFor[widget] = pushedAt[widget] }
        pushedAt[widget] = 0
    }

    mutating func rendered(widget: Int, _ rendering: Rendering, at time: Int64) {
        guard case .timeline(let occasion) = rendering.occasion else { return }
        if case .added = occasion {
        } else if !rendering.isNew {
            reloads.wasted += 1
        }
        let since = reloadingFor[widget]
        reloadingFor[widget] = 0
        if since == 0 { return }
        renderTimes.record(nanoseconds: time - since)
        stale.record(nanoseconds: time - since)
    }

    mutating func coalesced() { reloads.coalesced += 1 }
    mutating func held() { reloads.heldByDevice += 1 }

    mutating func ended(widget: Int) {
        reloads.extensionsEnded += 1
        // What it was asked for is still to be shown.
        if pushedAt[widget] == 0 { pushedAt[widget] = reloadingFor[widget] }
        reloadingFor[widget] = 0
    }

    mutating func retried() { retries += 1 }
    mutating func fetchFailed() { failed += 1 }
    mutating func connectionLost() { connectionsLost += 1 }

    // MARK: - Seconds and the end

    /// A second is over.
    ///
    /// - Parameters:
    ///   - sums: of the origin, since its beginning.
    ///   - online: devices with a network.
    mutating func endSecond(origin sums: OriginCounts.Counts, online: Int) {
        let origin = (
            arrived: sums.arrived - originAtSecond.arrived,
            refused: sums.refused - originAtSecond.refused
        )
        originAtSecond = sums
        series.pushes.append(second.pushes)
        series.reloads.append(second.reloads)
        series.originRequests.append(origin.arrived)
        series.originRefused.append(origin.refused)
        series.online.append(online)
        series.staleP50Milliseconds.append(stale.milliseconds(50))
        series.staleP99Milliseconds.append(stale.milliseconds(99))
        stale.reset()
        second = Second()
    }

    /// How old what is rendered was in the last whole second, at the median, in ms.
    var staleness: Double { series.staleP50Milliseconds.last ?? 0 }

    /// Whether a push waits that the widget has not been reloaded for.
    func isMissing(widget: Int) -> Bool { pushedAt[widget] > 0 || reloadingFor[widget] > 0 }

    /// What keeps a change from being seen at the end.
    enum Obstacle {
        /// The device has no network.
        case offline
        /// The provider has been asked, and has not answered.
        case underWay
        /// The device holds the reload for its own budget.
        case held
        /// No RELOAD has come.
        case untold
    }

    mutating func miss(for obstacle: Obstacle) {
        reloads.missed += 1
        switch obstacle {
        case .offline: reloads.missedOffline += 1
        case .underWay: reloads.missedUnderWay += 1
        case .held: reloads.missedForBudget += 1
        case .untold: reloads.missedUntold += 1
        }
    }

    /// Writes what was recorded into a report.
    func fill(_ report: inout FleetReport) {
        let seconds = max(1, Double(series.pushes.count))
        report.pushes = pushes
        report.pushes.perSecond = Double(pushes.sent) / seconds
        report.pushes.peakPerSecond = series.pushes.max() ?? 0
        report.reloads = reloads
        report.reloads.perSecond = Double(reloads.widgets) / seconds
        report.reloads.peakPerSecond = series.reloads.max() ?? 0
        report.pushToReload = reloadTimes.summary
        report.pushToRendered = renderTimes.summary
        report.origin.requests = originAtSecond.arrived - originAtStart.arrived
        report.origin.answered = originAtSecond.answered - originAtStart.answered
        report.origin.refused = originAtSecond.refused - originAtStart.refused
        report.origin.peakPerSecond = series.originRequests.max() ?? 0
        report.origin.meanPerSecond = Double(report.origin.requests) / seconds
        report.origin.retries = retries
        report.origin.failed = failed
        report.fleet.connectionsLost = connectionsLost
        report.series = series
    }
}
