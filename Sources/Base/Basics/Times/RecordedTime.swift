/// A time in a recording, in whole µs since the recording began.
///
///     time - time = length       time + length = time       date + length = date
///
/// Its numbers are those of capture files, which limit them (`CaptureHeader.timeLimit`), so that
/// sums of a few do not overflow.
@frozen @usableFromInline
package struct RecordedTime: TimeNumber {
    /// The number of µs since the recording began.
    @usableFromInline package var rawValue: UInt64

    /// The time this number of µs after the recording began.
    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The length of time from the second time, which is not later, to the first; traps otherwise.
    @inlinable
    package static func - (end: RecordedTime, start: RecordedTime) -> Microseconds {
        Microseconds(rawValue: Int64(end.rawValue - start.rawValue))
    }

    /// The time a length after another; traps on overflow.
    @inlinable
    package static func + (time: RecordedTime, length: Microseconds) -> RecordedTime {
        RecordedTime(rawValue: UInt64(Int64(time.rawValue) + length.rawValue))
    }

    /// Moves a time by a length; traps on overflow.
    @inlinable
    package static func += (time: inout RecordedTime, length: Microseconds) { time = time + length }

    /// The time since the recording began.
    @inlinable package var sinceBegin: Microseconds { self - .zero }

    /// The whole seconds since the recording began.
    @inlinable package var wholeSeconds: UInt64 { rawValue / 1_000_000 }
}

/// The date at which a recording began or continues, in whole µs since 1970-01-01T00:00:00Z.
@frozen @usableFromInline
package struct RecordedDate: ClockTime {
    /// Its unit.
    @usableFromInline package typealias Length = Microseconds

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
}
