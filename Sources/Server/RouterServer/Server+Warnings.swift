internal import Logging
internal import ReloadModel
internal import RouterCore

/// Warnings for operators about events that no peer is informed of: counted by the router, logged
/// at most about once a minute.
extension Server {
    /// Shortest time between two rounds of warnings, in ms.
    private static var warningInterval: Int64 { 60_000 }

    func logWarnings() {
        let now = thisTurn.clock.now().monotonic
        if now - watch.warnings.time < Self.warningInterval { return }
        let counters = router.counters
        var isQuiet = true
        func warn(_ count: UInt64, _ before: UInt64, _ message: Logger.Message) {
            if count == before { return }
            isQuiet = false
            logger.warning(message, metadata: ["times": "\(count - before)"])
        }
        warn(
            counters.closeEntries,
            watch.warnings.counters.closeEntries,
            "timelines have entries closer than five minutes, which WidgetKit may not show"
        )
        warn(
            counters.windowsExceeded,
            watch.warnings.counters.windowsExceeded,
            "reloads wait for their origin for longer than their kind's window"
        )
        warn(
            counters.windowsGrown,
            watch.warnings.counters.windowsGrown,
            "a window has grown: its origin's rate cannot hold the reloads for one date"
        )
        warn(
            counters.decisions[.loop],
            watch.warnings.counters.decisions[.loop],
            "devices ask for a reload after every reload; their requests are slowed"
        )
        warn(counters.clockJumps, watch.warnings.counters.clockJumps, "the wall clock has jumped")
        let lost = recording?.lostCount ?? 0
        warn(
            lost,
            watch.warnings.lostCount,
            "inputs are not recorded: the recording's disk does not keep up"
        )
        watch.warnings.lostCount = lost
        watch.warnings.counters = counters
        if !isQuiet { watch.warnings.time = now }
    }
}
