package import Basics
import Glibc
import Platform
import ReloadScheduling

/// A date of the wall clock with its text form (RFC 3339).
package struct WallDate: Equatable {
    /// The date itself.
    package var moment: WallTime

    /// The last moment for which a router can plan a reload, in 2096.
    package static let latest = WallDate(WallTime(rawValue: SlotLedger.latest.rawValue))
    /// The moments that `init` accepts: from 1971 to `latest`.
    private static let range = WallTime.zero + .days(365)...latest.moment

    /// Makes the text form of a date.
    package init(_ moment: WallTime) { self.moment = moment }

    /// The current time of the wall clock, cut to the second.
    package static var now: WallDate {
        let now = WallTime.now
        return WallDate(now - now.offsetInSecond)
    }

    /// Reads `2026-11-21T12:00:00Z`, the same with an offset such as `+01:00` in place of `Z`, or
    /// milliseconds since 1970.
    ///
    /// Seconds may be left out and may have up to three decimal places. Nil if the text is neither
    /// form, or the moment is out of range.
    package init?(_ text: String) {
        let number = Int64(text).map { WallTime(rawValue: $0) }
        let found = number ?? WallTime(rfc3339: text)
        guard let found, Self.range.contains(found) else { return nil }
        moment = found
    }

    // MARK: - Writing

    /// `2026-11-21T12:04:12Z`.
    package var text: String { moment.rfc3339 }

    /// `12:04:12Z`, in UTC.
    package var time: String { String(text.suffix(9)) }

    /// `2026-11-21`, in UTC.
    package var day: String { String(text.prefix(10)) }
}

/// A date as the clock on the wall shows it here, for people.
package enum LocalTime {
    /// `01:12:08`, or `2026-11-27 01:12:08` if the date, in ms since 1970, is half a day away or
    /// more from now, in seconds. A part of a second counts as a whole one, so that the text is
    /// never too early.
    package static func text(_ date: Int64, now: Int64 = Int64(time(nil))) -> String {
        var seconds = time_t(date / 1_000 + (date % 1_000 > 0 ? 1 : 0))
        var parts = unsafe tm()
        _ = unsafe localtime_r(&seconds, &parts)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
            .joined(separator: ":")
        if abs(Int64(seconds) - now) < 43_200 { return clock }
        let year = unsafe String(parts.tm_year + 1_900)
        let day = unsafe [parts.tm_mon + 1, parts.tm_mday].map(twoDigits).joined(separator: "-")
        return "\(year)-\(day) \(clock)"
    }

    private static func twoDigits(_ number: CInt) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
