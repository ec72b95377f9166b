package import Basics

/// Combines readings of the monotonic clock and the wall clock, which cannot be read at the same
/// moment, into one `Instant`.
///
/// Each reading of the wall clock lies between two readings of the monotonic clock, which bounds
/// the offset between the clocks (Marzullo, "Maintaining the time in a distributed system", 1984).
/// The estimated offset stays the same while it is within the bounds. So both clocks of successive
/// instants advance by the same number of milliseconds, and a date converts to the same schedule
/// time whenever it is asked for. When the wall clock is set, the next reading shows it, unless
/// that reading took longer than the clock was set by; then a later one does.
package struct PairedClocks: BitwiseCopyable, Sendable {
    /// The number of ns that the wall clock is ahead of the monotonic clock; nil before the first
    /// reading.
    private var offset: Int64?

    /// Makes clocks whose offset is unknown until the first reading.
    package init() {}

    /// Makes the instant of a reading of the wall clock between two readings of the monotonic
    /// clock, of which `after` is the instant's. Its wall time is not ahead of the wall clock at
    /// `after`, unless the clock was set back by less than this reading could show.
    package mutating func instant(
        wall: ExactDate,
        between before: ExactTime,
        and after: ExactTime
    ) -> Instant {
        assert(before <= after, "the monotonic clock goes back")
        let least = wall.rawValue - after.rawValue
        let most = wall.rawValue - before.rawValue
        // Above the upper bound: the wall clock was set back, and only this reading counts.
        let kept = max(self.offset ?? least, least)
        let offset = kept > most ? least : kept
        self.offset = offset
        let monotonic = MonotonicTime(after)
        // Each is rounded down on its own: the sum is never above the wall clock, and the
        // difference is the same from instant to instant.
        let (quotient, remainder) = offset.quotientAndRemainder(dividingBy: 1_000_000)
        return Instant(
            monotonic: monotonic,
            wall: WallTime(rawValue: monotonic.rawValue + quotient - (remainder < 0 ? 1 : 0))
        )
    }
}
