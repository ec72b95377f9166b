internal import Glibc
internal import ReloadModel
internal import ReloadScheduling

/// The clocks, read at most once per loop turn: reading them for every frame would cost more than
/// the frame.
struct TurnClock {
    private var instant: Instant?
    private var clocks = PairedClocks()

    /// What the clocks showed when this turn first asked.
    mutating func now() -> Instant {
        if let instant { return instant }
        let before = Self.read(CLOCK_MONOTONIC)
        let wall = Self.read(CLOCK_REALTIME)
        let after = Self.read(CLOCK_MONOTONIC)
        let fresh = clocks.instant(wall: wall, between: before, and: after)
        instant = fresh
        return fresh
    }

    /// The turn is over.
    mutating func endTurn() {
        instant = nil
    }

    /// In ns.
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let status = unsafe clock_gettime(clock, &time)
        precondition(status == 0, "the system has the clocks of POSIX")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Leaves SIGINT and SIGTERM without effect from now on.
func ignoreEndSignals() {
    _ = signal(SIGINT, SIG_IGN)
    _ = signal(SIGTERM, SIG_IGN)
}
