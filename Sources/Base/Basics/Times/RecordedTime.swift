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

extension RecordedTime: CustomStringConvertible {
    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }
}
