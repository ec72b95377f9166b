import Foundation

/// A unit of time, with its words in English as CLDR 48 has them.
package enum CalendarUnit: String, CaseIterable {
    // From the largest to the smallest.
    case year, month, week, day, hour, minute, second

    /// The length in seconds: a month has 30 days, and a year 365.
    package var seconds: Int { facts.seconds }

    /// The unit in a date's components, and among the units that a formatter may write.
    var component: Calendar.Component { facts.component }
    var option: NSCalendar.Unit { facts.option }

    /// Whether the unit is of a clock and not of a calendar.
    var isOfClock: Bool { self == .hour || self == .minute || self == .second }

    /// The whole word for some of them.
    package func name(of count: Int) -> String { count == 1 ? rawValue : rawValue + "s" }

    /// The short form for durations.
    package func shortDuration(of count: Int) -> String { count == 1 ? facts.one : facts.many }

    /// The short form for distances, without a plural; days have none.
    var relativeShort: String { facts.relative }

    /// The narrow form for distances, without a plural.
    var narrow: String { facts.narrow }

    /// The narrow form for durations.
    var narrowDuration: String { self == .month ? "m" : narrow }

    private typealias Facts = (
        seconds: Int, component: Calendar.Component, option: NSCalendar.Unit, relative: String,
        narrow: String, one: String, many: String
    )

    private var facts: Facts {
        switch self {
        case .year: (31_536_000, .year, .year, "yr.", "y", "yr", "yrs")
        case .month: (2_592_000, .month, .month, "mo.", "mo", "mth", "mths")
        case .week: (604_800, .weekOfMonth, .weekOfMonth, "wk.", "w", "wk", "wks")
        case .day: (86_400, .day, .day, "day", "d", "day", "days")
        case .hour: (3_600, .hour, .hour, "hr.", "h", "hr", "hr")
        case .minute: (60, .minute, .minute, "min.", "m", "min", "min")
        case .second: (1, .second, .second, "sec.", "s", "sec", "sec")
        }
    }

    /// A number in words.
    static func words(_ number: Int) -> String {
        let formatter = NumberFormatter()
        formatter.locale = Locale(identifier: "en_US")
        formatter.numberStyle = .spellOut
        return formatter.string(from: NSNumber(value: number)) ?? "\(number)"
    }
}
