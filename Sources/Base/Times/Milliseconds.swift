/// A length of time in whole ms: a wait, a limit, a distance between two times of one clock.
///
/// It takes 8 bytes and one instruction for a sum; Swift's `Duration` takes 16 and counts
/// attoseconds.
@frozen @usableFromInline
package struct Milliseconds: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of ms; negative for a distance back.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of ms.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// A length of this number of ms, or the longest one if it does not fit.
    @inlinable
    package init(_ number: some BinaryInteger) { rawValue = Int64(clamping: number) }

    /// A length of this number of seconds, rounded towards zero; the longest one if it does not
    /// fit.
    @inlinable
    package init(seconds: Double) {
        let number = (seconds * 1_000).rounded(.towardZero)
        rawValue = Int64(exactly: number) ?? (number < 0 ? .min : .max)
    }

    /// The whole ms of a measured length, rounded towards zero.
    @inlinable
    package init(_ length: Nanoseconds) { rawValue = length.rawValue / 1_000_000 }

    /// No time at all.
    @inlinable package static var zero: Milliseconds { Milliseconds(rawValue: 0) }

    /// A length that no wait exceeds.
    @inlinable package static var max: Milliseconds { Milliseconds(rawValue: .max) }

    /// The largest distance back.
    @inlinable package static var min: Milliseconds { Milliseconds(rawValue: .min) }

    /// A length of this number of ms.
    @inlinable
    package static func milliseconds(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number)
    }

    /// A length of this number of seconds.
    @inlinable
    package static func seconds(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 1_000)
    }

    /// A length of this number of minutes.
    @inlinable
    package static func minutes(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 60_000)
    }

    /// A length of this number of hours.
    @inlinable
    package static func hours(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 3_600_000)
    }

    /// A length of this number of days of 24 hours.
    @inlinable
    package static func days(_ number: Int64) -> Milliseconds {
        Milliseconds(rawValue: number * 86_400_000)
    }

    /// The length in seconds, for rates and for people.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1_000 }

    /// The whole seconds of the length, rounded towards zero.
    @inlinable package var wholeSeconds: Int64 { rawValue / 1_000 }
}

extension Milliseconds: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}

// Written out so that they are inlined in other modules; synthesized ones are not.
extension Milliseconds {
    /// Whether both lengths are the same.
    @inlinable
    package static func == (left: Milliseconds, right: Milliseconds) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first length is shorter.
    @inlinable
    package static func < (left: Milliseconds, right: Milliseconds) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The sum of two lengths; traps on overflow.
    @inlinable
    package static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(rawValue: left.rawValue + right.rawValue)
    }

    /// The difference of two lengths; traps on overflow.
    @inlinable
    package static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(rawValue: left.rawValue - right.rawValue)
    }

    /// The same distance in the other direction.
    @inlinable
    package static prefix func - (length: Milliseconds) -> Milliseconds {
        Milliseconds(rawValue: -length.rawValue)
    }

    /// Lengthens by another length; traps on overflow.
    @inlinable
    package static func += (left: inout Milliseconds, right: Milliseconds) {
        left.rawValue += right.rawValue
    }

    /// Shortens by another length; traps on overflow.
    @inlinable
    package static func -= (left: inout Milliseconds, right: Milliseconds) {
        left.rawValue -= right.rawValue
    }

    /// A multiple of a length; traps on overflow.
    @inlinable
    package static func * (length: Milliseconds, factor: Int64) -> Milliseconds {
        Milliseconds(rawValue: length.rawValue * factor)
    }

    /// A part of a length, rounded towards zero.
    @inlinable
    package static func / (length: Milliseconds, divisor: Int64) -> Milliseconds {
        Milliseconds(rawValue: length.rawValue / divisor)
    }

    /// How often the second length fits into the first.
    @inlinable
    package static func / (length: Milliseconds, unit: Milliseconds) -> Int64 {
        length.rawValue / unit.rawValue
    }

    /// The sum of two lengths; the largest or smallest number of ms instead of an overflow.
    @inlinable
    package func adding(clamped other: Milliseconds) -> Milliseconds {
        let (sum, isTooLarge) = rawValue.addingReportingOverflow(other.rawValue)
        return Milliseconds(rawValue: isTooLarge ? (other.rawValue < 0 ? .min : .max) : sum)
    }
}
