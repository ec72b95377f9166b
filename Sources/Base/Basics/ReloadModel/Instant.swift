/// The time on both clocks, read once per tick of the loop.
///
/// Intervals are measured on the monotonic clock; dates from devices are on the wall clock, which
/// may jump. The server reads both and passes them down: no code below it reads a clock.
@usableFromInline
package struct Instant: Equatable, Sendable {
    /// The time of the monotonic clock.
    @usableFromInline package var monotonic: MonotonicTime
    /// The date.
    @usableFromInline package var wall: WallTime

    /// The instant at which the clocks show these times.
    package init(monotonic: MonotonicTime, wall: WallTime) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Whether both times are equal.
    ///
    /// Written out so that it is inlined in other modules: the journal compares before every entry.
    @inlinable
    package static func == (left: Instant, right: Instant) -> Bool {
        left.monotonic == right.monotonic && left.wall == right.wall
    }
}
