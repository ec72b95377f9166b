internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Platform
internal import RouterCore

/// The history of the metrics: recorded by the sweep once a second, and copied for operators who
/// ask for it.
extension ServerMetrics {
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
        history.record(reading)
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

    /// Marks in the history that something happens now.
    func mark(_ event: HistoryMark.Event) { history.mark(event, at: .now) }

    /// Copies a range of the history: at most as many points as it has, in a few µs.
    func history(
        over range: Milliseconds,
        resolution: HistoryResolution?,
        at now: WallTime
    ) -> ObjectBody {
        .history(
            at: now,
            startedAt: startedAt,
            points: history.points(over: range, resolution: resolution),
            marks: history.marks(from: now - range)
        )
    }
}
