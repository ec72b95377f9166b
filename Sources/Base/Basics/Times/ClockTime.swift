/// A reading of one clock, in whole ms. Each clock has its own type, so that times of different
/// clocks cannot be compared or subtracted.
///
///     time - time = length       time + length = time       time < time
///
/// There are no literals for times: a number says nothing about its clock. A time comes from a
/// clock, from another time, or from stored or received bytes (`rawValue`).
@usableFromInline
package protocol ClockTime: Comparable, Hashable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    /// The number of ms since the clock's zero.
    var rawValue: Int64 { get set }

    /// The time this number of ms after the clock's zero.
    init(rawValue: Int64)
}

extension ClockTime {
    /// The clock's zero.
    @inlinable package static var zero: Self { Self(rawValue: 0) }

    /// A time after all others: of what never happens.
    @inlinable package static var max: Self { Self(rawValue: .max) }

    /// A time before all others.
    @inlinable package static var min: Self { Self(rawValue: .min) }

    /// A time so long ago that everything measured from it is over. Unlike `min`, it can be
    /// subtracted from any time of a real clock.
    @inlinable package static var longAgo: Self { Self(rawValue: .min / 2) }

    /// The length of time from the beginning of the second that this time is in.
    @inlinable package var offsetInSecond: Milliseconds {
        Milliseconds(rawValue: rawValue % 1_000)
    }

    /// The number of ms alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }

    // Written out so that they are inlined in other modules; synthesized ones are not.

    /// Whether both times are the same.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Whether the first time is earlier.
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether the first time is later.
    @inlinable
    package static func > (left: Self, right: Self) -> Bool { left.rawValue > right.rawValue }

    /// Whether the first time is not later.
    @inlinable
    package static func <= (left: Self, right: Self) -> Bool { left.rawValue <= right.rawValue }

    /// Whether the first time is not earlier.
    @inlinable
    package static func >= (left: Self, right: Self) -> Bool { left.rawValue >= right.rawValue }

    /// Feeds the number of ms to a hasher.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The length of time from the second time to the first; traps on overflow.
    @inlinable
    package static func - (end: Self, start: Self) -> Milliseconds {
        Milliseconds(rawValue: end.rawValue - start.rawValue)
    }

    /// The time a length after another; traps on overflow.
    @inlinable
    package static func + (time: Self, length: Milliseconds) -> Self {
        Self(rawValue: time.rawValue + length.rawValue)
    }

    /// The time a length before another; traps on overflow.
    @inlinable
    package static func - (time: Self, length: Milliseconds) -> Self {
        Self(rawValue: time.rawValue - length.rawValue)
    }

    /// Moves a time by a length; traps on overflow.
    @inlinable
    package static func += (time: inout Self, length: Milliseconds) {
        time.rawValue += length.rawValue
    }

    /// Moves a time back by a length; traps on overflow.
    @inlinable
    package static func -= (time: inout Self, length: Milliseconds) {
        time.rawValue -= length.rawValue
    }

    /// The time a length after this one; the largest or smallest number of ms instead of an
    /// overflow.
    @inlinable
    package func adding(clamped length: Milliseconds) -> Self {
        let (sum, isTooLarge) = rawValue.addingReportingOverflow(length.rawValue)
        return Self(rawValue: isTooLarge ? (length.rawValue < 0 ? .min : .max) : sum)
    }
}

/// A time of the monotonic clock, which never goes back; its zero is arbitrary. Waits are measured
/// with it.
@frozen @usableFromInline
package struct MonotonicTime: ClockTime {
    /// The number of ms since the clock's zero.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ms after the clock's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A date: a time of the wall clock, in UTC. The clock may be set, forward or back.
@frozen @usableFromInline
package struct WallTime: ClockTime {
    /// The number of ms since 1970-01-01T00:00:00Z.
    @usableFromInline package var rawValue: Int64

    /// The date this number of ms after 1970-01-01T00:00:00Z.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A time at which the router's timers fire: `ScheduleClock` derives it from both clocks.
///
/// It is near wall time but never goes back. Only `ScheduleClock` converts between the two.
@frozen @usableFromInline
package struct ScheduleTime: ClockTime {
    /// The number of ms since schedule time's zero, which is 1970 unless the wall clock was set.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ms after schedule time's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }
}
