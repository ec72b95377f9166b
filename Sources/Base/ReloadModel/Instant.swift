/// The time on both clocks, read once per tick of the loop, in milliseconds.
///
/// Intervals are measured on the monotonic clock; dates from devices are on the wall clock, which
/// may jump. The server reads both and passes them down: no code below it reads a clock.
@usableFromInline
package struct Instant: Equatable, Sendable {
    /// Milliseconds of a clock that never goes back; its zero is arbitrary.
    @usableFromInline package var monotonic: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    @usableFromInline package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    // Written out so that it is inlined in other modules: the journal compares before every entry.
    @inlinable
    package static func == (left: Instant, right: Instant) -> Bool {
        left.monotonic == right.monotonic && left.wall == right.wall
    }
}

/// The `cause` of a RELOAD: why a device is to reload.
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
