internal import Basics
internal import LoadReporting
internal import ReloadRouterClient
internal import RouterSimulation

/// Collects the measurements of a fleet's run.
///
///     push ──► RELOAD ──► provider ──► rendered
///     │        ├ pushToReload          │
///     └────────┴──── pushToRendered ───┘
///
/// Both times count from the first push since the widget last began to reload.
struct FleetRecorder {
    /// For each widget, when the first of the pushes was due whose changes it has not begun to
    /// load; `none` if there is no such push.
    private var pushedAt: ContiguousArray<ExactTime>
    /// For each widget, when the push that the widget is reloading for now was due; `none` if there
    /// is no such push.
    private var reloadingFor: ContiguousArray<ExactTime>
    private var reloadTimes = MeasuredTimes()
    private var renderTimes = MeasuredTimes()
    /// From when a push was due until APNs has accepted one for each widget that it matches.
    private(set) var acceptTimes = MeasuredTimes()
    /// How long widgets had displayed an old state before they rendered in the current second.
    private var stale = MeasuredTimes()
    private(set) var pushes = FleetReport.Pushes()
    private(set) var reloads = FleetReport.Reloads()
    private var notShown: [NotShown] = []
    private(set) var retries = 0
    private(set) var failed = 0
    private(set) var connectionsLost = 0
    /// When a pushed change last made progress: its RELOAD came, or it was displayed.
    private(set) var progressedAt = ExactTime.none
    private(set) var series = FleetSeries()
    private var second = Second()
    /// The counts of the origin when the measurement began.
    private var originAtStart = OriginCounts()
    /// The counts of the origin when the current second began.
    private var originAtSecond = OriginCounts()

    private struct Second {
        var pushes = 0
        var reloads = 0
    }

    init(widgets: Int) {
        pushedAt = ContiguousArray(repeating: .none, count: widgets)
        reloadingFor = ContiguousArray(repeating: .none, count: widgets)
    }

    /// Starts the measurement; everything before is dropped.
    mutating func begin(origin: OriginCounts) {
        (originAtStart, originAtSecond) = (origin, origin)
        let fresh = FleetRecorder(widgets: 0)
        (pushes, reloads, series, second) = (fresh.pushes, fresh.reloads, fresh.series, Second())
        (retries, failed, connectionsLost) = (0, 0, 0)
        reloadTimes.reset()
        renderTimes.reset()
        acceptTimes.reset()
        stale.reset()
    }

    // MARK: - Pushes

    /// Counts a push.
    mutating func pushed() {
        pushes.sent += 1
        second.pushes += 1
    }

    /// Records that a push matches a widget.
    mutating func matched(widget: Int, at time: ExactTime) {
        assert(time != .none, "a push is due at the clock's zero")
        if pushedAt[widget] == .none { pushedAt[widget] = time }
    }

    /// Counts the pushes that the router has answered between two states of the publisher's
    /// statistics.
    mutating func answered(from before: PublisherStatistics, to after: PublisherStatistics) {
        pushes.acknowledged += Int(after.accepted - before.accepted)
        pushes.rejected += Int(after.rejected - before.rejected)
    }

    // MARK: - Reloads

    /// Counts a RELOAD.
    mutating func received(_ cause: ReloadCause, widgets: Int) {
        reloads.frames += 1
        reloads.widgets += widgets
        reloads.byCause[cause.rawValue, default: 0] += widgets
        second.reloads += widgets
    }

    /// Records that a RELOAD names a widget.
    mutating func reported(widget: Int, cause: ReloadCause, at time: ExactTime) {
        let since = pushedAt[widget]
        guard since != .none, cause == .push else { return }
        reloadTimes.record(time - since)
        progressedAt = time
    }

    /// Records that APNs has accepted a push, which reloads a widget.
    mutating func accepted(widget: Int, at time: ExactTime) {
        let since = pushedAt[widget]
        if since == .none { return }
        acceptTimes.record(time - since)
        progressedAt = time
    }

    /// Counts a push that APNs has brought, which reloads all of a device's widgets.
    mutating func pushArrived(widgets: Int) {
        reloads.widgets += widgets
        reloads.byCause["apns", default: 0] += widgets
        second.reloads += widgets
    }

    /// Records that a provider is called for a timeline.
    mutating func asked(widget: Int) {
        reloads.asks += 1
        if pushedAt[widget] == .none { return }
        if reloadingFor[widget] == .none { reloadingFor[widget] = pushedAt[widget] }
        pushedAt[widget] = .none
    }

    /// Records what a widget has rendered, and, for a timeline, how long it had displayed an old
    /// state until then.
    mutating func rendered(widget: Int, rendering: Rendering, at time: ExactTime) {
        guard case .timeline(let occasion) = rendering.occasion else { return }
        if case .added = occasion {
        } else if !rendering.isNew {
            reloads.wasted += 1
        }
        let since = reloadingFor[widget]
        reloadingFor[widget] = .none
        if since == .none { return }
        renderTimes.record(time - since)
        stale.record(time - since)
        progressedAt = time
    }

    mutating func coalesced() { reloads.coalesced += 1 }
    mutating func postponed() { reloads.heldByDevice += 1 }

    /// Records that the system ended an extension, so that its timeline is lost.
    mutating func ended(widget: Int) {
        reloads.extensionsEnded += 1
        // The pushed change for which the provider was called is still to be displayed.
        if pushedAt[widget] == .none { pushedAt[widget] = reloadingFor[widget] }
        reloadingFor[widget] = .none
    }

    mutating func retried() { retries += 1 }
    mutating func fetchFailed() { failed += 1 }
    mutating func connectionLost() { connectionsLost += 1 }

    // MARK: - Seconds and the end

    /// Ends a second of the series.
    mutating func endSecond(origin sums: OriginCounts, online: Int) {
        assert(
            sums.arrived >= originAtSecond.arrived && sums.refused >= originAtSecond.refused,
            "the origin has counted back"
        )
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
        assert(series.isAligned, "a series lacks the second")
    }

    /// True if a widget has not displayed the change of a push.
    func isMissing(widget: Int) -> Bool {
        pushedAt[widget] != .none || reloadingFor[widget] != .none
    }

    /// Counts a change that was never displayed: by what prevented it, and, if the router puts it
    /// off, by how long after the end it waits at most.
    mutating func miss(
        for cause: NotShown.Cause,
        reason: DecisionReason? = nil,
        waiting wait: Milliseconds? = nil
    ) {
        reloads.missed += 1
        let index = notShown.firstIndex { $0.cause == cause && $0.reason == reason?.name }
        if index == nil { notShown.append(NotShown(cause, reason: reason?.name)) }
        notShown[index ?? notShown.count - 1].count(waiting: wait)
    }

    /// Fills in what was recorded.
    func fill(_ report: inout FleetReport) {
        let seconds = max(1, Double(series.pushes.count))
        report.pushes = pushes
        report.pushes.perSecond = Double(pushes.sent) / seconds
        report.pushes.peakPerSecond = series.pushes.max() ?? 0
        report.reloads = reloads
        report.reloads.perSecond = Double(reloads.widgets) / seconds
        report.reloads.peakPerSecond = series.reloads.max() ?? 0
        report.notShown = notShown.sorted {
            ($1.widgets, $0.cause.rawValue, $0.reason ?? "")
                < ($0.widgets, $1.cause.rawValue, $1.reason ?? "")
        }
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
