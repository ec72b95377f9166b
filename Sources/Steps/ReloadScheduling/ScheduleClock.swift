package import ReloadModel

/// The wall clock was set.
package struct ClockJump: Equatable, Sendable {
    /// How far it went against the monotonic clock, in ms: positive when it went forward.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// Makes schedule time from the two clocks: ms that never go back, and that pass at least as fast
/// as those of the monotonic clock.
///
/// Schedule time is wall time at the start. It leaps with the wall clock when that is set forward,
/// so that dates that have passed are met at once, and goes on with the monotonic clock when the
/// wall clock is set back, which leaves it as far above the wall clock from then on:
///
///     minutes of the
///     monotonic clock    0     10 │    10     20 │    20     30 │    30     40
///     wall clock       9:00  9:10 │ 10:10  10:20 │  9:50  10:00 │ 10:30  10:40
///     schedule time    9:00  9:10 │ 10:10  10:20 │ 10:20  10:30 │ 11:00  11:10
///                          set forward       set back      set forward
///                           by an hour     half an hour   half an hour
///
/// A date is kept in wall time and a wait in monotonic time; both are converted when a timer is
/// armed, under the offsets of that moment, and checked again when it fires. Schedule time only
/// ever gains on the clocks, so that the timer of a wait fires in time or too early (after a leap),
/// and so does the timer of a date: too early, it is armed again.
///
/// Small steps of the wall clock, up to `tolerance` each, are no jumps: those forward are followed,
/// those back are only remembered as `ahead`, and the next ones forward make up for them before
/// they move schedule time. So a wall clock that trembles does not drive it, and one that is slewed
/// is followed in either direction without an end. The price: the timer of a date that was armed
/// while schedule time was `ahead` may fire that much late, `tolerance` at most.
package struct ScheduleClock: BitwiseCopyable, Sendable {
    /// Largest step of the wall clock against the monotonic one, between two calls of `advance`,
    /// that is no jump, in ms.
    package static var tolerance: Int64 { 1_000 }

    /// The end of schedule time: what lies beyond, dates too, is moved here.
    ///
    /// It is far enough below
    /// `Int64.max` that adding a duration, or another schedule time, cannot overflow.
    package static var end: Int64 { .max / 2 }

    /// Schedule time in ms, from 0 to `end`.
    package internal(set) var now: Int64
    /// What the clocks showed then.
    var monotonic: Int64
    var wall: Int64
    /// How far the wall clock may move forward before schedule time does, from 0 to `tolerance`.
    var ahead: Int64 = 0

    package init(_ now: Instant) {
        self.now = Self.bounded(Int128(now.wall))
        monotonic = now.monotonic
        wall = now.wall
    }

    /// Goes to what the clocks show now, and says whether the wall clock was set since.
    package mutating func advance(to now: Instant) -> ClockJump? {
        let passed = max(0, Int128(now.monotonic) - Int128(monotonic))
        let step = Int128(now.wall) - Int128(wall) - passed
        let leap = max(0, step - Int128(ahead))
        let isJump = step.magnitude > Int128(Self.tolerance).magnitude
        self.now = Self.bounded(Int128(self.now) + passed + leap)
        ahead = isJump ? 0 : min(Int64(max(0, Int128(ahead) - step)), Self.tolerance)
        monotonic = max(monotonic, now.monotonic)
        wall = now.wall
        return isJump ? ClockJump(milliseconds: Int64(clamping: step)) : nil
    }

    /// When a date of the wall clock comes, if that is not set again; from 0 to `end`.
    package func schedule(wall date: Int64) -> Int64 {
        Self.bounded(Int128(date) - Int128(wall) + Int128(now))
    }

    /// When a moment of the monotonic clock comes, from 0 to `end`.
    package func schedule(monotonic moment: Int64) -> Int64 {
        Self.bounded(Int128(moment) - Int128(monotonic) + Int128(now))
    }

    /// The moment of the monotonic clock of a schedule time, if there is no leap.
    package func monotonic(_ schedule: Int64) -> Int64 {
        Int64(clamping: Int128(schedule) - Int128(now) + Int128(monotonic))
    }

    private static func bounded(_ time: Int128) -> Int64 {
        Int64(min(max(0, time), Int128(end)))
    }
}
