import Glibc

/// A date as the clock on the wall shows it here, for people.
package enum LocalTime {
    /// `01:12:08`, or `2026-11-27 01:12:08` if the date is half a day away or more.
    ///
    /// - Parameters:
    ///   - date: the date, in ms since 1970; a part of a second counts as a whole one, so that the
    ///     text is never too early.
    ///   - now: the present time, in seconds since 1970.
    /// - Returns: the text.
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
