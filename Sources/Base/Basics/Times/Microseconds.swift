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
