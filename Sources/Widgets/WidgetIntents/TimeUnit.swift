import Foundation

/// A unit of time in English, as CLDR 48 has it.
enum TimeUnit: String {
    case year, month, week, day, hour, minute, second

    /// The whole word for some of them.
    func name(of count: Int) -> String { count == 1 ? rawValue : rawValue + "s" }

    /// The short form for distances, without a plural; days have none.
    var relativeShort: String {
        switch self {
        case .year: "yr."
        case .month: "mo."
        case .week: "wk."
        case .day: "day"
        case .hour: "hr."
        case .minute: "min."
        case .second: "sec."
        }
    }

    /// The narrow form for distances, without a plural.
    var narrow: String {
        switch self {
        case .year: "y"
        case .month: "mo"
        case .week: "w"
        case .day: "d"
        case .hour: "h"
        case .minute: "m"
        case .second: "s"
        }
    }

    /// The narrow form for durations.
    var narrowDuration: String { self == .month ? "m" : narrow }

    /// The short form for durations.
    func shortDuration(of count: Int) -> String {
        switch self {
        case .year: count == 1 ? "yr" : "yrs"
        case .month: count == 1 ? "mth" : "mths"
        case .week: count == 1 ? "wk" : "wks"
        case .day: name(of: count)
        case .hour: "hr"
        case .minute: "min"
        case .second: "sec"
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
