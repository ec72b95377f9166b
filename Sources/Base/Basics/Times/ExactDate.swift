/// An exact date, in ns: a reading of the wall clock, for what is written with µs and for the
/// comparison of both clocks.
@frozen @usableFromInline
package struct ExactDate: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of ns since 1970-01-01T00:00:00Z.
    @usableFromInline package var rawValue: Int64

    /// The date this number of ns after 1970-01-01T00:00:00Z.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The date of a wall clock, which may be set to anything: a date that cannot be expressed,
    /// before 1970 or after 2262, becomes the nearest one that can.
    ///
    /// - Parameters:
    ///   - seconds: the whole seconds since 1970.
    ///   - nanoseconds: the rest, from 0 to 999,999,999.
    package init(clamping seconds: Int64, nanoseconds: Int64) {
        let last = (Int64.max - nanoseconds) / 1_000_000_000
        let isBefore = seconds < 0
        rawValue = isBefore ? 0 : min(seconds, last) * 1_000_000_000 + nanoseconds
    }

    /// Whether both dates are the same.
    @inlinable
    package static func == (left: ExactDate, right: ExactDate) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first date is earlier.
    @inlinable
    package static func < (left: ExactDate, right: ExactDate) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The date in seconds since 1970-01-01T00:00:00Z.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1e9 }
}

extension WallTime {
    /// The whole ms of an exact date after 1970.
    @inlinable
    package init(_ date: ExactDate) { self.init(rawValue: date.rawValue / 1_000_000) }
}

extension ExactDate: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}
