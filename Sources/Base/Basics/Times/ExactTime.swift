/// An exact time of the monotonic clock, in ns: for measuring how long something takes.
///
/// It counts from the same zero as `MonotonicTime`, which is the same time in whole ms.
@frozen @usableFromInline
package struct ExactTime: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of ns since the clock's zero.
    @usableFromInline package var rawValue: Int64

    /// The time this number of ns after the clock's zero.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// No time: the zero of the clock, at which no program runs yet. For records that have no space
    /// for an optional's extra byte.
    @inlinable package static var none: ExactTime { ExactTime(rawValue: 0) }

    /// A time before all others.
    @inlinable package static var min: ExactTime { ExactTime(rawValue: .min) }

    /// A time after all others: of what never happens.
    @inlinable package static var max: ExactTime { ExactTime(rawValue: .max) }

    /// Whether both times are the same.
    @inlinable
    package static func == (left: ExactTime, right: ExactTime) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first time is earlier.
    @inlinable
    package static func < (left: ExactTime, right: ExactTime) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The length of time from the second time to the first; traps on overflow.
    @inlinable
    package static func - (end: ExactTime, start: ExactTime) -> Nanoseconds {
        Nanoseconds(rawValue: end.rawValue - start.rawValue)
    }

    /// The time a length after another; traps on overflow.
    @inlinable
    package static func + (time: ExactTime, length: Nanoseconds) -> ExactTime {
        ExactTime(rawValue: time.rawValue + length.rawValue)
    }

    /// The time a length before another; traps on overflow.
    @inlinable
    package static func - (time: ExactTime, length: Nanoseconds) -> ExactTime {
        ExactTime(rawValue: time.rawValue - length.rawValue)
    }

    /// Moves a time by a length; traps on overflow.
    @inlinable
    package static func += (time: inout ExactTime, length: Nanoseconds) {
        time.rawValue += length.rawValue
    }
}

extension MonotonicTime {
    /// The whole ms of an exact time.
    @inlinable
    package init(_ time: ExactTime) { rawValue = time.rawValue / 1_000_000 }
}

extension ExactTime: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}
