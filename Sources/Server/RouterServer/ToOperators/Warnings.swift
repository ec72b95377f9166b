internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Warnings for operators about events that no peer is informed of: those that are counted are
/// logged at most about once a minute.
struct Warnings {
    /// The shortest time between two rounds of warnings.
    private static var interval: Milliseconds { .minutes(1) }

    /// The counts that were last logged, in the order of `events`.
    private var logged: [UInt64] = []
    /// When a warning was last logged.
    private var time = MonotonicTime.longAgo
    /// The number of stalls of the loop that were logged.
    private var stallCount: UInt64 = 0

    /// What is counted, and what the log says of it.
    private static func events(
        _ counters: RouterCounters,
        lost: UInt64
    ) -> [(count: UInt64, message: Logger.Message)] {
        [
            (
                counters.closeEntries,
                "timelines have entries less than five minutes apart, which WidgetKit may skip"
            ),
            (
                counters.windowsExceeded,
                "reloads wait for their origin for longer than their kind's window"
            ),
            (
                counters.windowsGrown,
                "a window has grown: its origin's rate cannot hold the reloads for one date"
            ),
            (
                counters.decisions[.loop],
                "devices ask for a reload after every reload; their requests are slowed"
            ),
            (
                counters.widgetsLeftOut,
                """
                widgets are left out of pushes: their devices have too many or too costly patterns \
                for such long texts
                """
            ),
            (counters.clockJumps, "the wall clock has jumped"),
            (lost, "inputs are not recorded: the recording's disk does not keep up"),
        ]
    }

    /// Logs what was counted since the last round, unless that was a moment ago: by the router, and
    /// what is lost of the recording.
    mutating func log(
        _ counters: RouterCounters,
        lost: UInt64,
        now: MonotonicTime,
        logger: Logger
    ) {
        if now - time < Self.interval { return }
        let events = Self.events(counters, lost: lost)
        if logged.isEmpty { logged = events.map { _ in 0 } }
        for (event, former) in zip(events, logged) where event.count != former {
            time = now
            logger.warning(event.message, metadata: ["times": "\(event.count - former)"])
        }
        logged = events.map(\.count)
    }

    /// Logs that callbacks of the loop took long, at most once in a sweep: the last one, and how
    /// many there were.
    mutating func log(_ stalls: LoopStalls, logger: Logger) {
        let count = stalls.count - stallCount
        if count == 0 { return }
        stallCount = stalls.count
        logger.warning(
            "the loop stalled: one callback kept all clients waiting",
            metadata: [
                "work": "\(stalls.lastWork.label)", "seconds": "\(stalls.lastTime.inSeconds)",
                "times": "\(count)",
            ]
        )
    }
}
