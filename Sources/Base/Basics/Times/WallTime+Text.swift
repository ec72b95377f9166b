/// Dates as text (RFC 3339), the form in which files and operators write them.
extension WallTime {
    // MARK: - Reading

    /// Reads `2026-11-21T12:00:00Z`, or the same with an offset such as `+01:00` in place of `Z`.
    ///
    /// Seconds may be left out and may have up to three decimal places. Nil if the text has another
    /// form or names a day that there is not.
    package init?(rfc3339 text: String) {
        var reader = DateReader(Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2), reader.skip("T"),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60
        else { return nil }
        var ofMinute = Milliseconds.zero
        if reader.skip(":") {
            guard let second = reader.number(2), second < 60 else { return nil }
            ofMinute = .seconds(second)
            if reader.skip(".") {
                guard let fraction = reader.fraction(places: 3) else { return nil }
                ofMinute += Milliseconds.milliseconds(fraction)
            }
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = Self.days(year, month: month, day: day)
        // Day 31 of a month with 30 days comes out as the next month's first.
        guard Self.date(ofDay: days) == (year, month, day) else { return nil }
        let midnight = WallTime.zero + .days(days)
        self =
            midnight + .hours(hour) + .minutes(minute) - .seconds(offset)
            + ofMinute
    }

    // MARK: - Writing

    /// The date in UTC to the second: `2026-11-21T12:04:12Z`.
    package var rfc3339: String {
        let second = (self - .zero).wholeSeconds % 86_400
        let (year, month, day) = Self.date(ofDay: (self - .zero) / .days(1))
        let date = [padded(year, to: 4), padded(month, to: 2), padded(day, to: 2)]
        let parts = [second / 3_600, second / 60 % 60, second % 60]
        let time = parts.map { padded($0, to: 2) }
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
    }

    /// The date in UTC to the millisecond: `2026-11-21T12:04:12.345Z`.
    package var rfc3339Milliseconds: String {
        let fraction = rawValue % 1_000
        return "\(rfc3339.dropLast()).\(padded(fraction, to: 3))Z"
    }

    // MARK: - Days

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that
    // the leap day is the last one; 719,468 days lie between 1 March of the year 0 and 1970.

    /// Days from 1970 to a date.
    package static func days(_ year: Int64, month: Int64, day: Int64) -> Int64 {
        assert((1...12).contains(month) && (1...31).contains(day), "no such day of a year")
        let year = month > 2 ? year : year - 1
        let era = year / 400
        let ofEra = year % 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// The date of a day counted from 1970.
    package static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let years = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * years + years / 4 - years / 100)
        let month = (5 * ofYear + 2) / 153
        let civil = month < 10 ? month + 3 : month - 9
        return (years + era * 400 + (civil <= 2 ? 1 : 0), civil, ofYear - (153 * month + 2) / 5 + 1)
    }
}

/// A number in decimal, with zeros in front up to a number of digits.
package func padded(_ number: some BinaryInteger, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
