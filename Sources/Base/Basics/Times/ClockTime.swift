/// A reading of one clock. Each clock has its own type, so that times of different clocks cannot be
/// compared or subtracted; a clock's zero is `zero`, and its unit that of `Length`.
///
///     time - time = length       time + length = time       time < time
///
/// There are no literals for times: a number says nothing about its clock. A time comes from a
/// clock, from another time, or from stored or received bytes (`rawValue`).
@usableFromInline
package protocol ClockTime: TimeNumber where RawValue == Int64 {
    associatedtype Length: TimeLength
}

extension ClockTime {
    /// A time so long ago that everything measured from it is over. Unlike `min`, it can be
    /// subtracted from any time of a real clock.
    @inlinable package static var longAgo: Self { Self(rawValue: .min / 2) }

    /// The length of time from the second time to the first; traps on overflow.
    @inlinable
    package static func - (end: Self, start: Self) -> Length {
        Length(rawValue: end.rawValue - start.rawValue)
    }

    /// The time a length after another; traps on overflow.
    @inlinable
    package static func + (time: Self, length: Length) -> Self {
        Self(rawValue: time.rawValue + length.rawValue)
    }

    /// The time a length before another; traps on overflow.
    @inlinable
    package static func - (time: Self, length: Length) -> Self {
        Self(rawValue: time.rawValue - length.rawValue)
    }

    /// Moves a time by a length; traps on overflow.
    @inlinable
    package static func += (time: inout Self, length: Length) { time.rawValue += length.rawValue }

    /// Moves a time back by a length; traps on overflow.
    @inlinable
    package static func -= (time: inout Self, length: Length) { time.rawValue -= length.rawValue }

    /// The time a length after this one; the largest or smallest number instead of an overflow.
    @inlinable
    package func adding(clamped length: Length) -> Self { adding(clamped: length.rawValue) }
}

extension ClockTime where Length == Milliseconds {
    /// The length of time from the beginning of the second that this time is in.
    @inlinable package var offsetInSecond: Milliseconds { Milliseconds(rawValue: rawValue % 1_000) }
}

/// A time of the monotonic clock, which never goes back; its zero is arbitrary. Waits are measured
/// with it.
@frozen @usableFromInline
package struct MonotonicTime: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Milliseconds

    /// The number of ms since the clock's zero.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ms after the clock's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The whole ms of an exact time.
    @inlinable
    package init(_ time: ExactTime) { rawValue = time.rawValue / 1_000_000 }
}

/// An exact time of the monotonic clock, in ns: for measuring how long something takes.
///
/// It counts from the same zero as `MonotonicTime`, which is the same time in whole ms.
@frozen @usableFromInline
package struct ExactTime: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Nanoseconds

    /// The number of ns since the clock's zero.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ns after the clock's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// No time: the zero of the clock, at which no program runs yet. For records that have no space
    /// for an optional's extra byte.
    @inlinable package static var none: ExactTime { zero }
}

/// A date: a time of the wall clock, in UTC. The clock may be set, forward or back.
@frozen @usableFromInline
package struct WallTime: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Milliseconds

    /// The number of ms since 1970-01-01T00:00:00Z.
    @usableFromInline package var rawValue: Int64

    /// The date this number of ms after 1970-01-01T00:00:00Z.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The whole ms of an exact date after 1970.
    @inlinable
    package init(_ date: ExactDate) { rawValue = date.rawValue / 1_000_000 }

    /// The whole ms of a recording's date, rounded towards zero.
    @inlinable
    package init(_ date: RecordedDate) { rawValue = date.rawValue / 1_000 }
}

/// An exact date, in ns: a reading of the wall clock, for what is written with µs and for the
/// comparison of both clocks.
@frozen @usableFromInline
package struct ExactDate: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Nanoseconds

    /// The number of ns since 1970-01-01T00:00:00Z.
    @usableFromInline package var rawValue: Int64

    /// The date this number of ns after 1970-01-01T00:00:00Z.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The date of a wall clock, which may be set to anything: a date that cannot be expressed,
    /// before 1970 or after 2262, becomes the nearest one that can.
    ///
    /// - Parameters:
    ///   - seconds: the whole seconds since 1970.
    ///   - nanoseconds: the rest, from 0 to 999,999,999.
    package init(clamping seconds: Int64, nanoseconds: Int64) {
        let last = (Int64.max - nanoseconds) / 1_000_000_000
        let isBefore = seconds < 0
        rawValue = isBefore ? 0 : Swift.min(seconds, last) * 1_000_000_000 + nanoseconds
    }

    /// The date in seconds since 1970-01-01T00:00:00Z.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1e9 }
}

/// A time at which the router's timers fire: `ScheduleClock` derives it from both clocks.
///
/// It is near wall time but never goes back. Only `ScheduleClock` converts between the two.
@frozen @usableFromInline
package struct ScheduleTime: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Milliseconds

    /// The number of ms since schedule time's zero, which is 1970 unless the wall clock was set.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ms after schedule time's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }
}
