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
