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

    /// A length of this number of seconds, rounded towards zero; the longest one if it does not
    /// fit.
    @inlinable
    package init(seconds: Double) {
        let number = seconds * 1e9
        rawValue = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    /// A length that no operation exceeds.
    @inlinable package static var max: Nanoseconds { Nanoseconds(rawValue: .max) }

    /// The length in seconds, for rates.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1e9 }

    /// The length in ms, for people.
    @inlinable package var inMilliseconds: Double { Double(rawValue) / 1e6 }

    /// The length in µs, for people.
    @inlinable package var inMicroseconds: Double { Double(rawValue) / 1e3 }

    /// The length in ns as a number for quotients: `length.inNanoseconds / Double(count)`.
    @inlinable package var inNanoseconds: Double { Double(rawValue) }
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

    /// A multiple of a length; traps on overflow.
    @inlinable
    package static func * (length: Nanoseconds, factor: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: length.rawValue * factor)
    }

    /// A part of a length, rounded towards zero.
    @inlinable
    package static func / (length: Nanoseconds, divisor: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: length.rawValue / divisor)
    }

    /// How often the second length fits into the first.
    @inlinable
    package static func / (length: Nanoseconds, unit: Nanoseconds) -> Int64 {
        length.rawValue / unit.rawValue
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
