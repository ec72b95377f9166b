package import Basics
package import StoreFormat

/// A step of the wall clock that is too large to be drift: the clock was set.
package struct ClockJump: Equatable, Sendable {
    /// How far the wall clock moved against the monotonic clock; positive is forward.
    package var distance: Milliseconds
}

/// Derives schedule time, the time of all of the router's timers, from the monotonic and the wall
/// clock. It never goes back, and advances at least as fast as the monotonic clock.
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
    /// `advance`, that does not count as setting the wall clock.
    package static var tolerance: Milliseconds { .seconds(1) }

    /// The end of schedule time; anything later, dates included, is clamped to it.
    ///
    /// It is far enough below `ScheduleTime.max` that adding a duration, or another schedule time,
    /// cannot overflow.
    package static var end: ScheduleTime { ScheduleTime(rawValue: .max / 2) }

    /// Schedule time, from 0 to `end`.
    package internal(set) var now: ScheduleTime
    /// The monotonic clock when `now` was determined.
    var monotonic: MonotonicTime
    /// The wall clock when `now` was determined.
    var wall: WallTime
    /// How far the wall clock may move forward before schedule time follows: from 0 to `tolerance`.
    var ahead = Milliseconds.zero

    /// Makes a clock whose schedule time is the wall time of `now`.
    package init(_ now: Instant) {
        self.now = Self.bounded(Int128(now.wall.rawValue))
        monotonic = now.monotonic
        wall = now.wall
    }

    /// Advances to the clocks' present time; returns a jump if the wall clock was set since the
    /// last call.
    package mutating func advance(to now: Instant) -> ClockJump? {
        let passed = max(0, distance(now.monotonic, from: monotonic))
        let step = distance(now.wall, from: wall) - passed
        let leap = max(0, step - Int128(ahead.rawValue))
        let isJump = step.magnitude > Int128(Self.tolerance.rawValue).magnitude
        let former = self.now
        self.now = Self.bounded(Int128(self.now.rawValue) + passed + leap)
        let left = Milliseconds(max(0, Int128(ahead.rawValue) - step))
        ahead = isJump ? .zero : min(left, Self.tolerance)
        assert(self.now >= former, "schedule time goes back")
        assert(ahead >= .zero && ahead <= Self.tolerance)
        monotonic = max(monotonic, now.monotonic)
        wall = now.wall
        return isJump ? ClockJump(distance: Milliseconds(step)) : nil
    }

    /// The schedule time of a date of the wall clock, from 0 to `end`, if the clock is not set
    /// again.
    package func schedule(wall date: WallTime) -> ScheduleTime {
        Self.bounded(distance(date, from: wall) + Int128(now.rawValue))
    }

    /// The schedule time of a moment of the monotonic clock, from 0 to `end`.
    package func schedule(monotonic moment: MonotonicTime) -> ScheduleTime {
        Self.bounded(distance(moment, from: monotonic) + Int128(now.rawValue))
    }

    /// The moment of the monotonic clock at which a schedule time comes, if there is no leap before
    /// it.
    package func monotonic(_ schedule: ScheduleTime) -> MonotonicTime {
        let moment = distance(schedule, from: now) + Int128(monotonic.rawValue)
        return MonotonicTime(rawValue: Int64(clamping: moment))
    }

    /// The nearest schedule time from 0 to `end`, for a number of ms.
    private static func bounded(_ time: Int128) -> ScheduleTime {
        ScheduleTime(rawValue: Int64(min(max(0, time), Int128(end.rawValue))))
    }

    /// The distance between any two times of a clock, which `Milliseconds` may be too small for.
    private func distance<Time: ClockTime>(_ time: Time, from start: Time) -> Int128 {
        Int128(time.rawValue) - Int128(start.rawValue)
    }
}

extension ScheduleClock {
    /// Writes 32 bytes: schedule time, monotonic clock, wall clock, `ahead`.
    package func write(to writer: inout StoreWriter) {
        writer.put(now)
        writer.put(monotonic)
        writer.put(wall)
        writer.put(ahead)
    }

    /// Reads a clock; throws `corrupt` if the bytes are cut off, or if a value is out of range.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        now = try reader.read(ScheduleTime.self)
        monotonic = try reader.read(MonotonicTime.self)
        wall = try reader.read(WallTime.self)
        ahead = try reader.read(Milliseconds.self)
        if !(.zero...Self.end).contains(now) || !(.zero...Self.tolerance).contains(ahead) {
            throw reader.corrupt("an impossible schedule time")
        }
    }
}
