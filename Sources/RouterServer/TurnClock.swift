internal import Glibc
internal import ReloadModel

/// The clocks, read at most once per loop turn: reading them for every frame would cost more than
/// the frame.
struct TurnClock {
    private var instant: Instant?

    /// What the clocks showed when this turn first asked.
    mutating func now() -> Instant {
        if let instant { return instant }
        let fresh = Instant(
            monotonic: Self.read(CLOCK_MONOTONIC),
            wall: Self.read(CLOCK_REALTIME)
        )
        instant = fresh
        return fresh
    }

    /// The turn is over.
    mutating func endTurn() {
        instant = nil
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let status = unsafe clock_gettime(clock, &time)
        precondition(status == 0, "the system has the clocks of POSIX")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Leaves SIGINT and SIGTERM without effect from now on.
func ignoreEndSignals() {
    _ = signal(SIGINT, SIG_IGN)
    _ = signal(SIGTERM, SIG_IGN)
}
