/// Dates as text (RFC 3339), the form in which files and operators write them.
extension WallTime {
    // MARK: - Reading

    /// Reads `2026-11-21T12:00:00Z`, or the same with an offset such as `+01:00` in place of `Z`.
    ///
    /// Seconds may be left out and may have up to three decimal places. Nil if the text has another
    /// form or names a day that there is not.
    package init?(rfc3339 text: String) {
        var reader = Reader(text: Array(text.utf8))
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
                guard let fraction = reader.fraction() else { return nil }
                ofMinute += fraction
            }
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = Self.days(year, month: month, day: day)
        // Day 31 of a month with 30 days comes out as the next month's first.
        guard Self.date(ofDay: days) == (year, month, day) else { return nil }
        let midnight = WallTime.zero + .days(days)
        self = midnight + .hours(hour) + .minutes(minute) - offset + ofMinute
    }

    /// A position in a text, and steps that read one part and move past it.
    private struct Reader {
        let text: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == text.count }

        /// Skips a character; false, without moving, if another one is next.
        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: character) else {
                return false
            }
            position += 1
            return true
        }

        /// Reads exactly `digits` decimal digits; nil if there are fewer.
        mutating func number(_ digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Reads one to three decimal places of a second.
        mutating func fraction() -> Milliseconds? {
            guard var value = digit() else { return nil }
            for _ in 0..<2 { value = value * 10 + (digit() ?? 0) }
            return .milliseconds(value)
        }

        /// Reads `Z`, `+HH:MM` or `-HH:MM`: how far local time is ahead of UTC.
        mutating func offset() -> Milliseconds? {
            if skip("Z") { return .zero }
            let isEast = skip("+")
            guard isEast || skip("-"), let hours = number(2), skip(":"),
                let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            let length = Milliseconds.hours(hours) + .minutes(minutes)
            return isEast ? length : -length
        }

        private mutating func digit() -> Int64? {
            guard position < text.count, (0x30...0x39).contains(text[position]) else { return nil }
            position += 1
            return Int64(text[position - 1] - 0x30)
        }
    }

    // MARK: - Writing

    /// The date in UTC to the second: `2026-11-21T12:04:12Z`.
    package var rfc3339: String {
        let second = (self - .zero).wholeSeconds % 86_400
        let (year, month, day) = Self.date(ofDay: (self - .zero) / .days(1))
        let date = [Self.padded(year, to: 4), Self.padded(month, to: 2), Self.padded(day, to: 2)]
        let parts = [second / 3_600, second / 60 % 60, second % 60]
        let time = parts.map { Self.padded($0, to: 2) }
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
    }

    /// The date in UTC to the millisecond: `2026-11-21T12:04:12.345Z`.
    package var rfc3339Milliseconds: String {
        let fraction = rawValue % 1_000
        return "\(rfc3339.dropLast()).\(Self.padded(fraction, to: 3))Z"
    }

    private static func padded(_ value: Int64, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
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
        return (
            years + era * 400 + (civil <= 2 ? 1 : 0), civil, ofYear - (153 * month + 2) / 5 + 1
        )
    }
}
