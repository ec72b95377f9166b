/// A length of time in whole units of one size: a wait, a limit, a distance between two times;
/// negative for a distance back.
///
///     length + length = length      length * number = length      length / length = number
///
/// Each unit has its own type, so that lengths of different units cannot be mixed. A length takes
/// 8 bytes and one instruction for a sum; Swift's `Duration` takes 16 bytes and counts attoseconds.
@usableFromInline
package protocol TimeLength: TimeNumber where RawValue == Int64 {
    /// How many units a second has: a power of 1,000.
    static var unitsPerSecond: Int64 { get }
}

extension TimeLength {
    /// A length of this number of ms; traps on overflow.
    @inlinable
    package static func milliseconds(_ number: Int64) -> Self {
        Self(rawValue: number * (unitsPerSecond / 1_000))
    }

    /// A length of this number of seconds; traps on overflow.
    @inlinable
    package static func seconds(_ number: Int64) -> Self { Self(rawValue: number * unitsPerSecond) }

    /// A length of this number of seconds, rounded towards zero; the longest one if it does not
    /// fit.
    @inlinable
    package init(seconds: Double) {
        let number = (seconds * Double(Self.unitsPerSecond)).rounded(.towardZero)
        self.init(rawValue: Int64(exactly: number) ?? (number < 0 ? .min : .max))
    }

    /// The length in seconds, for rates and for people.
    @inlinable package var inSeconds: Double { Double(rawValue) / Double(Self.unitsPerSecond) }

    /// The whole seconds of the length, rounded towards zero.
    @inlinable package var wholeSeconds: Int64 { rawValue / Self.unitsPerSecond }

    /// The sum of two lengths; traps on overflow.
    @inlinable
    package static func + (left: Self, right: Self) -> Self {
        Self(rawValue: left.rawValue + right.rawValue)
    }

    /// The difference of two lengths; traps on overflow.
    @inlinable
    package static func - (left: Self, right: Self) -> Self {
        Self(rawValue: left.rawValue - right.rawValue)
    }

    /// The same distance in the other direction.
    @inlinable
    package static prefix func - (length: Self) -> Self { Self(rawValue: -length.rawValue) }

    /// Lengthens by another length; traps on overflow.
    @inlinable
    package static func += (left: inout Self, right: Self) { left.rawValue += right.rawValue }

    /// Shortens by another length; traps on overflow.
    @inlinable
    package static func -= (left: inout Self, right: Self) { left.rawValue -= right.rawValue }

    /// A multiple of a length; traps on overflow.
    @inlinable
    package static func * (length: Self, factor: Int64) -> Self {
        Self(rawValue: length.rawValue * factor)
    }

    /// A part of a length, rounded towards zero.
    @inlinable
    package static func / (length: Self, divisor: Int64) -> Self {
        Self(rawValue: length.rawValue / divisor)
    }

    /// How often the second length fits into the first.
    @inlinable
    package static func / (length: Self, unit: Self) -> Int64 { length.rawValue / unit.rawValue }

    /// The sum of two lengths; the largest or smallest number instead of an overflow.
    @inlinable
    package func adding(clamped other: Self) -> Self { adding(clamped: other.rawValue) }
}

/// A length of time in whole ms: a wait, a limit, a distance between two times of one clock.
@frozen @usableFromInline
package struct Milliseconds: TimeLength {
    /// The number of ms; negative for a distance back.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of ms.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// How many ms a second has.
    @inlinable package static var unitsPerSecond: Int64 { 1_000 }

    /// A length of this number of ms, or the longest one if it does not fit.
    @inlinable
    package init(_ number: some BinaryInteger) { rawValue = Int64(clamping: number) }

    /// The whole ms of a measured length, rounded towards zero.
    @inlinable
    package init(_ length: Nanoseconds) { rawValue = length.rawValue / 1_000_000 }

    /// The whole ms of a length, rounded towards zero.
    @inlinable
    package init(_ length: Microseconds) { rawValue = length.rawValue / 1_000 }

    /// A length of this number of minutes; traps on overflow.
    @inlinable
    package static func minutes(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 60_000)
    }

    /// A length of this number of hours; traps on overflow.
    @inlinable
    package static func hours(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 3_600_000)
    }

    /// A length of this number of days of 24 hours; traps on overflow.
    @inlinable
    package static func days(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 86_400_000)
    }
}

/// A length of time in whole µs, as recordings have it.
@frozen @usableFromInline
package struct Microseconds: TimeLength {
    /// The number of µs; negative for a distance back.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of µs.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// How many µs a second has.
    @inlinable package static var unitsPerSecond: Int64 { 1_000_000 }

    /// The whole µs of a measured length, rounded towards zero.
    @inlinable
    package init(_ length: Nanoseconds) { rawValue = length.rawValue / 1_000 }

    /// A length of whole ms, exactly; traps on overflow (292,000 years).
    @inlinable
    package init(_ length: Milliseconds) { rawValue = length.rawValue * 1_000 }

    /// The length in µs as a number for quotients.
    @inlinable package var inMicroseconds: Double { Double(rawValue) }
}

/// A measured length of time in ns: how long code ran, or how much CPU time it used.
@frozen @usableFromInline
package struct Nanoseconds: TimeLength {
    /// The number of ns; negative for a distance back.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of ns.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// How many ns a second has.
    @inlinable package static var unitsPerSecond: Int64 { 1_000_000_000 }

    /// A length of whole ms, exactly; traps on overflow (292 years).
    @inlinable
    package init(_ length: Milliseconds) { rawValue = length.rawValue * 1_000_000 }

    /// A length of whole µs, exactly; traps on overflow (292 years).
    @inlinable
    package init(_ length: Microseconds) { rawValue = length.rawValue * 1_000 }

    /// A length of this number of µs; traps on overflow.
    @inlinable
    package static func microseconds(_ number: Int64) -> Nanoseconds {
        Nanoseconds(rawValue: number * 1_000)
    }

    /// The length in ms, for people.
    @inlinable package var inMilliseconds: Double { Double(rawValue) / 1e6 }

    /// The length in µs, for people.
    @inlinable package var inMicroseconds: Double { Double(rawValue) / 1e3 }

    /// The length in ns as a number for quotients: `length.inNanoseconds / Double(count)`.
    @inlinable package var inNanoseconds: Double { Double(rawValue) }
}
