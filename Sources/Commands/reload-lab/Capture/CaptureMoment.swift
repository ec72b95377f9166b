import Basics
import CaptureFormat
import CommandSupport

/// A position in a recording as it is typed on the command line: seconds from the beginning, a time
/// of day, or a date.
struct CaptureMoment {
    private enum Form {
        case offset(RecordedTime)
        case date(WallDate)
        /// The length of time since midnight, UTC.
        case timeOfDay(Milliseconds)
    }

    private let form: Form

    /// The forms, for help and messages.
    static let help =
        "seconds into the recording (12.5), a time of its day in UTC (20:15:00Z), or "
        + "a date (2026-11-21T20:15:00Z)"

    /// Reads `12.5`, `20:15:00Z` or `2026-11-21T20:15:00Z`; nil if it is none of them.
    init?(_ text: String) {
        if let offset = Self.offset(text) {
            form = .offset(offset)
        } else if text.contains("T"), let date = WallDate(text) {
            form = .date(date)
        } else if text.contains(":"), let date = WallDate("2000-01-01T" + text) {
            form = .timeOfDay(.milliseconds(date.moment.rawValue % 86_400_000))
        } else {
            return nil
        }
    }

    /// Reads a number of seconds: digits with up to six decimal places.
    private static func offset(_ text: String) -> RecordedTime? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let seconds = digits(parts[0]),
            seconds < 1 << 40
        else { return nil }
        if parts.count == 1 { return RecordedTime(rawValue: seconds * 1_000_000) }
        let places = parts[1].utf8.count
        guard places <= 6, var fraction = digits(parts[1]) else { return nil }
        for _ in places..<6 { fraction *= 10 }
        return RecordedTime(rawValue: seconds * 1_000_000 + fraction)
    }

    private static func digits(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    /// Returns the position; zero for a date before the recording began.
    ///
    /// A time of day means its first occurrence after the recording began.
    func offset(in header: CaptureHeader) -> RecordedTime {
        let start = header.startedAt
        switch form {
        case .offset(let offset): return offset
        case .date(let date): return .zero + max(.zero, RecordedDate(exactly: date.moment) - start)
        case .timeOfDay(let time):
            let day = Microseconds(.days(1))
            let ofDay = (start.rawValue % day.rawValue + day.rawValue) % day.rawValue
            let ahead = Microseconds(time) - Microseconds(rawValue: ofDay)
            return .zero + (ahead < .zero ? ahead + day : ahead)
        }
    }
}
