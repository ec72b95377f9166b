internal import Platform
internal import ReloadModel
internal import ReloadScheduling
internal import Times

/// The clocks, read at most twice per tick, at its first frame and at its end: reading them for
/// every frame would cost more than processing the frame.
struct TickClock {
    /// The reading of this tick; nil before it was needed.
    private var instant: Instant?
    /// When this tick first read the clock, in ns of the system's monotonic clock; the reading of
    /// an earlier tick until then.
    private(set) var begin: Int64 = 0
    /// Longest tick since `resetLongestTick`, in ns.
    private var longest: Int64 = 0
    private var clocks = PairedClocks()
    /// The clocks' last reading in the previous process of the same store; nil if there was none.
    private let last: Instant?
    /// How far the router's monotonic time is ahead of the system's; nil before the first
    /// reading.
    private var ahead: Milliseconds?

    /// - Parameter last: reading from which monotonic time continues, advanced by the wall time
    ///   that has passed since. (The system's monotonic clock starts anew when the machine does.)
    init(after last: Instant? = nil) {
        self.last = last
    }

    /// The time of this tick: the clocks' reading when it first asked.
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

    /// Computes `ahead` at the first reading.
    private mutating func lead(at fresh: Instant) -> Milliseconds {
        if let ahead { return ahead }
        var lead = Milliseconds.zero
        if let last { lead = last.monotonic + max(.zero, fresh.wall - last.wall) - fresh.monotonic }
        ahead = lead
        return lead
    }

    /// Ends the tick, so that the next one reads the clocks again.
    ///
    /// - Returns: its duration in ns; nil if it never read the clocks.
    @discardableResult
    mutating func endTick() -> Int64? {
        if instant == nil { return nil }
        instant = nil
        let time = monotonicNanoseconds() - begin
        longest = max(longest, time)
        return time
    }

    /// Returns the duration of the longest tick since the last call, in ns: every other connection
    /// had to wait for that time.
    mutating func resetLongestTick() -> Int64 {
        defer { longest = 0 }
        return longest
    }
}
