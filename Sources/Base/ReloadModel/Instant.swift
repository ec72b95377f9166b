/// What the clocks show at one loop turn, in milliseconds.
///
/// Waiting is measured on the monotonic clock; dates that devices give are on the wall clock, which
/// may jump. Both are read once per turn and passed down: nothing below the server reads a clock.
@usableFromInline
package struct Instant: Equatable, Sendable {
    /// Milliseconds of a clock that never goes back; its zero means nothing.
    @usableFromInline package var monotonic: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    @usableFromInline package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    // Written down so that it is inlined elsewhere: the journal asks before every entry.
    @inlinable
    package static func == (left: Instant, right: Instant) -> Bool {
        left.monotonic == right.monotonic && left.wall == right.wall
    }
}

/// Why a device is told to reload: the `cause` of a RELOAD.
package enum ReloadCause: String, CaseIterable, Sendable, BitwiseCopyable {
    case push
    case after
    case atEnd
    case request
    case visible
    case location
    case budget
    case download
}
