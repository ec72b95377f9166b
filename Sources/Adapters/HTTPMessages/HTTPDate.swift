internal import Basics

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
        let day = second / 86_400
        let time = second % 86_400
        let (year, month, dayOfMonth) = WallTime.date(ofDay: day)
        let words = [
            days[Int(day % 7)] + ",", two(dayOfMonth), months[Int(month) - 1], String(year),
            [two(time / 3_600), two(time / 60 % 60), two(time % 60)].joined(separator: ":"), "GMT",
        ]
        return Array(words.joined(separator: " ").utf8)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
