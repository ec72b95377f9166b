package import ReloadModel

/// Makes one instant of two clocks that cannot be read at the same moment.
///
/// Each reading of the wall clock, between two of the monotonic one, bounds how far the first is
/// ahead of the second (Marzullo, "Maintaining the time in a distributed system", 1984). As long as
/// what was found before lies within the bounds, it stays: so the two clocks of successive instants
/// advance together to the millisecond, and a date has the same place in schedule time whenever it
/// is asked for. When the wall clock is set, the next reading shows it, unless the reading took
/// longer than the clock was set by; then a later one does.
package struct PairedClocks: BitwiseCopyable, Sendable {
    /// How far the wall clock is ahead, in ns.
    private var offset: Int64?

    package init() {}

    /// The instant of a reading; all times in ns.
    ///
    /// - Parameters:
    ///   - wall: since 1970.
    ///   - before: the monotonic clock before the wall clock was read.
    ///   - after: the same after that, which is the instant's time.
    /// - Returns: the instant, whose wall time is not ahead of the wall clock at `after`, but for what
    ///   that was set back without being seen.
    package mutating func instant(
        wall: Int64,
        between before: Int64,
        and after: Int64
    ) -> Instant {
        let least = wall - after
        let most = wall - before
        // If it was set back, nothing is known but this reading.
        let kept = max(self.offset ?? least, least)
        let offset = kept > most ? least : kept
        self.offset = offset
        let monotonic = after / 1_000_000
        // Rounded down each for itself: the sum is not above the wall clock, and the difference is
        // the same from instant to instant.
        let (quotient, remainder) = offset.quotientAndRemainder(dividingBy: 1_000_000)
        return Instant(
            monotonic: monotonic,
            wall: monotonic + quotient - (remainder < 0 ? 1 : 0)
        )
    }
}
