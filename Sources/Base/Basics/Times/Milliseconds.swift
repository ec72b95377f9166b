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
