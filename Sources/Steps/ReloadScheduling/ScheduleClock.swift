package import ReloadModel

/// A step of the wall clock that is too large to be drift: the clock was set.
package struct ClockJump: Equatable, Sendable {
    /// How far the wall clock moved against the monotonic clock, in ms; positive is forward.
    package var milliseconds: Int64

    /// Makes a jump of this many ms, positive for forward.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// Derives schedule time, the time of all of the router's timers, from the monotonic and the wall
/// clock. It is in ms, never goes back, and advances at least as fast as the monotonic clock.
///
/// At the start, schedule time is wall time. When the wall clock is set forward, schedule time
/// leaps with it, so that dates that have passed are met at once. When the wall clock is set back,
/// schedule time continues with the monotonic clock and stays ahead of the wall clock by as much
/// from then on:
///
///     minutes of the
///     monotonic clock    0     10 │    10     20 │    20     30 │    30     40
///     wall clock       9:00  9:10 │ 10:10  10:20 │  9:50  10:00 │ 10:30  10:40
///     schedule time    9:00  9:10 │ 10:10  10:20 │ 10:20  10:30 │ 11:00  11:10
///                          set forward       set back      set forward
///                           by an hour     half an hour   half an hour
///
/// Dates are kept in wall time and waits in monotonic time. Both are converted when a timer is
/// armed, with the offsets of that moment, and checked again when it fires. Schedule time only ever
/// gains on the two clocks, so the timer of a wait fires on time or too early (after a leap), and
/// so does the timer of a date; a timer that fires too early is armed again.
///
/// Small steps of the wall clock, up to `tolerance` each, do not count as setting it. Schedule time
/// follows those forward. Those back are only added up in `ahead`, and later steps forward are set
/// off against it before they move schedule time. So a wall clock that jitters does not drive
/// schedule time, and one that is slewed is followed in either direction for any length of time.
/// The price: the timer of a date that was armed while schedule time was `ahead` may fire late by
/// that much, at most `tolerance`.
package struct ScheduleClock: BitwiseCopyable, Sendable {
    /// The largest step of the wall clock against the monotonic clock, between two calls of
    /// `advance`, that does not count as setting the wall clock; in ms.
    package static var tolerance: Int64 { 1_000 }

    /// The end of schedule time; anything later, dates included, is clamped to it.
    ///
    /// It is far enough below `Int64.max` that adding a duration, or another schedule time, cannot
    /// overflow.
    package static var end: Int64 { .max / 2 }

    /// Schedule time in ms, from 0 to `end`.
    package internal(set) var now: Int64
    /// The monotonic clock in ms when `now` was determined.
    var monotonic: Int64
    /// The wall clock in ms when `now` was determined.
    var wall: Int64
    /// How far the wall clock may move forward before schedule time follows: from 0 to `tolerance`,
    /// in ms.
    var ahead: Int64 = 0

    /// Makes a clock whose schedule time is the wall time of `now`.
    package init(_ now: Instant) {
        self.now = Self.bounded(Int128(now.wall))
        monotonic = now.monotonic
        wall = now.wall
    }

    /// Advances to the clocks' present time; returns a jump if the wall clock was set since the
    /// last call.
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

    /// The schedule time of a date of the wall clock, from 0 to `end`, if the clock is not set
    /// again.
    package func schedule(wall date: Int64) -> Int64 {
        Self.bounded(Int128(date) - Int128(wall) + Int128(now))
    }

    /// The schedule time of a moment of the monotonic clock, from 0 to `end`.
    package func schedule(monotonic moment: Int64) -> Int64 {
        Self.bounded(Int128(moment) - Int128(monotonic) + Int128(now))
    }

    /// The moment of the monotonic clock at which a schedule time comes, if there is no leap before
    /// it.
    package func monotonic(_ schedule: Int64) -> Int64 {
        Int64(clamping: Int128(schedule) - Int128(now) + Int128(monotonic))
    }

    private static func bounded(_ time: Int128) -> Int64 {
        Int64(min(max(0, time), Int128(end)))
    }
}
