internal import Foundation

/// The trading hours of the stock market: weekdays from 9:30 to 16:00 in New York, holidays not
/// considered.
enum MarketHours {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
        return calendar
    }()

    static func isOpen(at date: Date) -> Bool {
        guard let day = trading(onDayOf: date) else { return false }
        return day.contains(date)
    }

    /// The next time after `date` at which trading begins.
    static func opening(after date: Date) -> Date {
        next(after: date) { $0.lowerBound }
    }

    /// The next time after `date` at which trading ends.
    static func closing(after date: Date) -> Date {
        next(after: date) { $0.upperBound }
    }

    private static func next(after date: Date, end: (Range<Date>) -> Date) -> Date {
        // Enough for a weekend and one more day.
        for days in 0...4 {
            let day = calendar.date(byAdding: .day, value: days, to: date) ?? date
            if let trading = trading(onDayOf: day), end(trading) > date { return end(trading) }
        }
        return date + 86_400
    }

    /// The trading hours of a date's day; nil at weekends.
    private static func trading(onDayOf date: Date) -> Range<Date>? {
        if calendar.isDateInWeekend(date) { return nil }
        guard let start = calendar.date(bySettingHour: 9, minute: 30, second: 0, of: date),
            let end = calendar.date(bySettingHour: 16, minute: 0, second: 0, of: date)
        else { return nil }
        return start..<end
    }

    /// When a price should be fetched again: in a quarter of an hour or, while the market is
    /// closed, when it opens.
    static func nextQuote(after date: Date) -> Date {
        isOpen(at: date) ? date + 900 : opening(after: date)
    }
}
