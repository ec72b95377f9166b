/// A time in a recording, in whole µs since the recording began.
///
///     time - time = length       time + length = time       date + length = date
///
/// Its numbers are those of capture files, which limit them (`CaptureHeader.timeLimit`), so that
/// sums of a few do not overflow.
@frozen @usableFromInline
package struct RecordedTime: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of µs since the recording began.
    @usableFromInline package var rawValue: UInt64

    /// The time this number of µs after the recording began.
    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// When the recording began.
    @inlinable package static var zero: RecordedTime { RecordedTime(rawValue: 0) }

    /// A time after all others.
    @inlinable package static var max: RecordedTime { RecordedTime(rawValue: .max) }

    /// Whether both times are the same.
    @inlinable
    package static func == (left: RecordedTime, right: RecordedTime) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first time is earlier.
    @inlinable
    package static func < (left: RecordedTime, right: RecordedTime) -> Bool {
        left.rawValue < right.rawValue
    }

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
    package static func += (time: inout RecordedTime, length: Microseconds) {
        time = time + length
    }

    /// The time since the recording began.
    @inlinable package var sinceBegin: Microseconds { self - .zero }

    /// The whole seconds since the recording began.
    @inlinable package var wholeSeconds: UInt64 { rawValue / 1_000_000 }
}

/// A length of time in whole µs, as recordings have it.
@frozen @usableFromInline
package struct Microseconds: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The number of µs; negative for a distance back.
    @usableFromInline package var rawValue: Int64

    /// A length of this number of µs.
    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The whole µs of a measured length, rounded towards zero.
    @inlinable
    package init(_ length: Nanoseconds) { rawValue = length.rawValue / 1_000 }

    /// A length of whole ms, exactly; traps on overflow (292,000 years).
    @inlinable
    package init(_ length: Milliseconds) { rawValue = length.rawValue * 1_000 }

    /// No time at all.
    @inlinable package static var zero: Microseconds { Microseconds(rawValue: 0) }

    /// A length of this number of ms.
    @inlinable
    package static func milliseconds(_ number: Int64) -> Microseconds {
        Microseconds(rawValue: number * 1_000)
    }

    /// A length of this number of seconds.
    @inlinable
    package static func seconds(_ number: Int64) -> Microseconds {
        Microseconds(rawValue: number * 1_000_000)
    }

    /// The length in seconds, for rates and for people.
    @inlinable package var inSeconds: Double { Double(rawValue) / 1e6 }

    /// The length in µs as a number for quotients.
    @inlinable package var inMicroseconds: Double { Double(rawValue) }

    /// Whether both lengths are the same.
    @inlinable
    package static func == (left: Microseconds, right: Microseconds) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether the first length is shorter.
    @inlinable
    package static func < (left: Microseconds, right: Microseconds) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The sum of two lengths; traps on overflow.
    @inlinable
    package static func + (left: Microseconds, right: Microseconds) -> Microseconds {
        Microseconds(rawValue: left.rawValue + right.rawValue)
    }

    /// A multiple of a length; traps on overflow.
    @inlinable
    package static func * (length: Microseconds, factor: Int64) -> Microseconds {
        Microseconds(rawValue: length.rawValue * factor)
    }

    /// A part of a length, rounded towards zero.
    @inlinable
    package static func / (length: Microseconds, divisor: Int64) -> Microseconds {
        Microseconds(rawValue: length.rawValue / divisor)
    }

    /// How often the second length fits into the first.
    @inlinable
    package static func / (length: Microseconds, unit: Microseconds) -> Int64 {
        length.rawValue / unit.rawValue
    }

    /// The difference of two lengths; traps on overflow.
    @inlinable
    package static func - (left: Microseconds, right: Microseconds) -> Microseconds {
        Microseconds(rawValue: left.rawValue - right.rawValue)
    }
}

extension Milliseconds {
    /// The whole ms of a length, rounded towards zero.
    @inlinable
    package init(_ length: Microseconds) { self.init(rawValue: length.rawValue / 1_000) }
}

extension Nanoseconds {
    /// A length of whole µs, exactly; traps on overflow (292 years).
    @inlinable
    package init(_ length: Microseconds) { self.init(rawValue: length.rawValue * 1_000) }
}

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

extension RecordedTime: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}

extension Microseconds: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}

extension RecordedDate: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}
