internal import Basics
internal import Platform
internal import ReloadScheduling

/// The clocks, read at most twice per tick, at its first frame and at its end: reading them for
/// every frame would cost more than processing the frame.
struct TickClock {
    /// The reading of this tick; nil before it was needed.
    private var instant: Instant?
    /// When this tick first read the system's monotonic clock; the reading of an earlier tick until
    /// then.
    private(set) var begin = ExactTime(rawValue: 0)
    /// The longest tick since `resetLongestTick`.
    private var longest = Nanoseconds.zero
    private var clocks = PairedClocks()
    /// The clocks' last reading in the previous process of the same store; nil if there was none.
    private let last: Instant?
    /// How far the router's monotonic time is ahead of the system's; nil before the first
    /// reading.
    private var ahead: Milliseconds?

    /// - Parameter last: reading from which monotonic time continues, advanced by the wall time
    ///   that has passed since. (The system's monotonic clock starts anew when the machine does.)
    init(after last: Instant? = nil) { self.last = last }

    /// The time of this tick: the clocks' reading when it first asked.
    mutating func now() -> Instant {
        if let instant { return instant }
        let before = ExactTime.now
        let wall = ExactDate.now
        let after = ExactTime.now
        begin = before
        var fresh = clocks.instant(wall: wall, between: before, and: after)
        fresh.monotonic += lead(at: fresh)
        instant = fresh
        return fresh
    }

    /// Returns `ahead`, which it computes at the first reading.
    private mutating func lead(at fresh: Instant) -> Milliseconds {
        if let ahead { return ahead }
        var lead = Milliseconds.zero
        if let last { lead = last.monotonic + max(.zero, fresh.wall - last.wall) - fresh.monotonic }
        ahead = lead
        return lead
    }

    /// Ends the tick, so that the next one reads the clocks again. Returns its duration; nil if it
    /// never read the clocks.
    @discardableResult
    mutating func endTick() -> Nanoseconds? {
        if instant == nil { return nil }
        instant = nil
        let time = ExactTime.now - begin
        longest = max(longest, time)
        return time
    }

    /// Returns the duration of the longest tick since the last call: every other connection had to
    /// wait for that time.
    mutating func resetLongestTick() -> Nanoseconds {
        defer { longest = .zero }
        return longest
    }
}
