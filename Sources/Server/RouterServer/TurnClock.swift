internal import Platform
internal import ReloadModel
internal import ReloadScheduling

/// The clocks, read at most twice per loop turn, at its first frame and at its end: reading them for
/// every frame would cost more than the frame.
struct TurnClock {
    private var instant: Instant?
    /// When this turn first asked, in ns of the system's monotonic clock.
    private(set) var begin: Int64 = 0
    private var longest: Int64 = 0
    private var clocks = PairedClocks()
    /// What the clocks showed last in the process before, if this one goes on in its store.
    private let last: Instant?
    /// How far the router's monotonic time is ahead of the system's, in ms.
    private var ahead: Int64?

    /// - Parameter last: where monotonic time goes on, by as much as the wall clock has advanced
    ///   since: the system's begins anew when the machine does.
    init(after last: Instant? = nil) {
        self.last = last
    }

    /// What the clocks showed when this turn first asked.
    mutating func now() -> Instant {
        if let instant { return instant }
        let before = monotonicNanoseconds()
        let wall = wallNanoseconds()
        let after = monotonicNanoseconds()
        begin = before
        var fresh = clocks.instant(wall: wall, between: before, and: after)
        fresh.monotonic += lead(at: fresh)
        instant = fresh
        return fresh
    }

    private mutating func lead(at fresh: Instant) -> Int64 {
        if let ahead { return ahead }
        var lead: Int64 = 0
        if let last { lead = last.monotonic + max(0, fresh.wall - last.wall) - fresh.monotonic }
        ahead = lead
        return lead
    }

    /// The turn is over.
    ///
    /// - Returns: how long it took, in ns; nil if it did nothing that needs the time.
    @discardableResult
    mutating func endTurn() -> Int64? {
        if instant == nil { return nil }
        instant = nil
        let time = monotonicNanoseconds() - begin
        longest = max(longest, time)
        return time
    }

    /// How long the longest turn took that has ended since this was last asked, in ns: so long
    /// everybody else has waited.
    mutating func takeLongestTurn() -> Int64 {
        defer { longest = 0 }
        return longest
    }
}
