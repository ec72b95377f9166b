/// A measured length of time in ns: how long code ran, or how much CPU time it used.
@frozen @usableFromInline
package struct Nanoseconds: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of ns.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of ns.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// A length of whole ms, exactly; traps on overflow (292 years).
    @inlinable
    package init(_ length: Milliseconds) { rawValue = length.rawValue * 1_000_000 }

    /// No time at all.
    @inlinable package static var zero: Nanoseconds { Nanoseconds(rawValue: 0) }

    /// A length of this number of µs.
    @inlinable
    package static func microseconds(_ number: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: number * 1_000)
    }

    /// A length of this number of ms.
    @inlinable
    package static func milliseconds(_ number: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: number * 1_000_000)
    }

    /// A length of this number of seconds.
    @inlinable
    package static func seconds(_ number: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: number * 1_000_000_000)
    }

    /// The length in seconds, for rates.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1e9 }
}

extension Nanoseconds: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}

// Written out so that they are inlined in other modules; synthesized ones are not.
extension Nanoseconds {
    /// Whether both lengths are the same.
    @inlinable
    package static func == (left: Nanoseconds, right: Nanoseconds) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first length is shorter.
    @inlinable
    package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The sum of two lengths; traps on overflow.
    @inlinable
    package static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(rawValue: left.rawValue + right.rawValue)
    }

    /// The difference of two lengths; traps on overflow.
    @inlinable
    package static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(rawValue: left.rawValue - right.rawValue)
    }

    /// Lengthens by another length; traps on overflow.
    @inlinable
    package static func += (left: inout Nanoseconds, right: Nanoseconds) {
        left.rawValue += right.rawValue
    }

    /// Shortens by another length; traps on overflow.
    @inlinable
    package static func -= (left: inout Nanoseconds, right: Nanoseconds) {
        left.rawValue -= right.rawValue
    }

    /// A part of a length, rounded towards zero.
    @inlinable
    package static func / (length: Nanoseconds, divisor: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: length.rawValue / divisor)
    }
}

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
}

extension MonotonicTime {
    /// The whole ms of an exact time.
    @inlinable
    package init(_ time: ExactTime) { rawValue = time.rawValue / 1_000_000 }
}
