internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Warnings for operators about events that no peer is informed of: counted by the router, logged
/// at most about once a minute.
extension Server {
    /// The shortest time between two rounds of warnings.
    private static var warningInterval: Milliseconds { .minutes(1) }

    func logWarnings() {
        let now = thisTick.clock.now().monotonic
        if now - watch.warnings.time < Self.warningInterval { return }
        let counters = router.counters
        var isQuiet = true
        func warn(_ count: UInt64, before: UInt64, message: Logger.Message) {
            if count == before { return }
            isQuiet = false
            logger.warning(message, metadata: ["times": "\(count - before)"])
        }
        warn(
            counters.closeEntries,
            before: watch.warnings.counters.closeEntries,
            message: "timelines have entries less than five minutes apart, which WidgetKit may skip"
        )
        warn(
            counters.windowsExceeded,
            before: watch.warnings.counters.windowsExceeded,
            message: "reloads wait for their origin for longer than their kind's window"
        )
        warn(
            counters.windowsGrown,
            before: watch.warnings.counters.windowsGrown,
            message: "a window has grown: its origin's rate cannot hold the reloads for one date"
        )
        warn(
            counters.decisions[.loop],
            before: watch.warnings.counters.decisions[.loop],
            message: "devices ask for a reload after every reload; their requests are slowed"
        )
        warn(
            counters.widgetsLeftOut,
            before: watch.warnings.counters.widgetsLeftOut,
            message:
                "widgets are left out of pushes: their devices have too many or too costly patterns for such long texts"
        )
        warn(
            counters.clockJumps,
            before: watch.warnings.counters.clockJumps,
            message: "the wall clock has jumped"
        )
        let lost = recording?.lostCount ?? 0
        warn(
            lost,
            before: watch.warnings.lostCount,
            message: "inputs are not recorded: the recording's disk does not keep up"
        )
        watch.warnings.lostCount = lost
        watch.warnings.counters = counters
        if !isQuiet { watch.warnings.time = now }
    }

    /// Logs that callbacks of the loop took long, at most once in a sweep: the last one, and how
    /// many there were.
    func reportStalls() {
        let stalls = loop.meter.stalls
        let count = stalls.count - watch.stallCount
        if count == 0 { return }
        watch.stallCount = stalls.count
        logger.warning(
            "the loop stalled: one callback kept all clients waiting",
            metadata: [
                "work": "\(stalls.lastWork.label)", "seconds": "\(stalls.lastTime.inSeconds)",
                "times": "\(count)",
            ]
        )
    }
}
