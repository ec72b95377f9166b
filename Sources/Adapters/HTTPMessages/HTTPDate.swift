/// A date as HTTP writes it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package struct HTTPDate: Sendable {
    /// The second that the text says, since 1970.
    private var second: Int64
    /// The text, 29 bytes of ASCII.
    package private(set) var text: [UInt8]

    /// The date of a second since 1970.
    package init(_ second: Int64) {
        self.second = second
        text = Self.text(second)
    }

    /// Makes it the date of another second; costs nothing if it is the same.
    package mutating func set(_ second: Int64) {
        if second == self.second { return }
        self = HTTPDate(second)
    }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func text(_ second: Int64) -> [UInt8] {
        let second = max(0, second)
        let day = Int(second / 86_400)
        let time = Int(second % 86_400)
        let (year, month, dayOfMonth) = calendar(day)
        let words = [
            days[day % 7] + ",", two(dayOfMonth), months[month - 1], String(year),
            [two(time / 3_600), two(time / 60 % 60), two(time % 60)].joined(separator: ":"), "GMT",
        ]
        return Array(words.joined(separator: " ").utf8)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Year, month and day of the month of a day since 1970.
    private static func calendar(_ day: Int) -> (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that the leap day is the last one (Howard Hinnant's
        // algorithm).
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
