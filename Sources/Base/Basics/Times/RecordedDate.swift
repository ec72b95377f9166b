/// The date at which a recording began or continues, in whole µs since 1970-01-01T00:00:00Z.
@frozen @usableFromInline
package struct RecordedDate: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of µs since 1970-01-01T00:00:00Z.
    @usableFromInline package var rawValue: Int64

    /// The date this number of µs after 1970-01-01T00:00:00Z.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The whole µs of an exact date after 1970.
    @inlinable
    package init(_ date: ExactDate) { rawValue = date.rawValue / 1_000 }

    /// A date in whole ms, exactly; traps on overflow (292,000 years).
    @inlinable
    package init(exactly date: WallTime) { rawValue = date.rawValue * 1_000 }

    /// Whether both dates are the same.
    @inlinable
    package static func == (left: RecordedDate, right: RecordedDate) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first date is earlier.
    @inlinable
    package static func < (left: RecordedDate, right: RecordedDate) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The length of time from the second date to the first; traps on overflow.
    @inlinable
    package static func - (end: RecordedDate, start: RecordedDate) -> Microseconds {
        Microseconds(rawValue: end.rawValue - start.rawValue)
    }

    /// The date a length after another; traps on overflow.
    @inlinable
    package static func + (date: RecordedDate, length: Microseconds) -> RecordedDate {
        RecordedDate(rawValue: date.rawValue + length.rawValue)
    }
}

extension WallTime {
    /// The whole ms of a recording's date, rounded towards zero.
    @inlinable
    package init(_ date: RecordedDate) { self.init(rawValue: date.rawValue / 1_000) }
}

extension RecordedDate: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}
