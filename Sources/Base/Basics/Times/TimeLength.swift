/// A length of time in whole units of one size: a wait, a limit, a distance between two times.
///
///     length + length = length      length * number = length      length / length = number
///
/// Each unit has its own type, so that lengths of different units cannot be mixed. A length takes
/// 8 bytes and one instruction for a sum; Swift's `Duration` takes 16 bytes and counts attoseconds.
@usableFromInline
package protocol TimeLength: Comparable, Hashable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    /// The number of units; negative for a distance back.
    var rawValue: Int64 { get set }

    /// A length of this number of units.
    init(rawValue: Int64)

    /// How many units a second has: a power of 1,000.
    static var unitsPerSecond: Int64 { get }
}

extension TimeLength {
    /// No time at all.
    @inlinable package static var zero: Self { Self(rawValue: 0) }

    /// A length that no wait and no operation exceeds.
    @inlinable package static var max: Self { Self(rawValue: .max) }

    /// The largest distance back.
    @inlinable package static var min: Self { Self(rawValue: .min) }

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

    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}

// Written out so that they are inlined in other modules; synthesized ones are not.
extension TimeLength {
    /// Whether both lengths are the same.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Whether the first length is shorter.
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether the first length is longer.
    @inlinable
    package static func > (left: Self, right: Self) -> Bool { left.rawValue > right.rawValue }

    /// Whether the first length is not longer.
    @inlinable
    package static func <= (left: Self, right: Self) -> Bool { left.rawValue <= right.rawValue }

    /// Whether the first length is not shorter.
    @inlinable
    package static func >= (left: Self, right: Self) -> Bool { left.rawValue >= right.rawValue }

    /// Feeds the number of units to a hasher.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

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
    package func adding(clamped other: Self) -> Self {
        let (sum, isTooLarge) = rawValue.addingReportingOverflow(other.rawValue)
        return Self(rawValue: isTooLarge ? (other.rawValue < 0 ? .min : .max) : sum)
    }
}
