internal import Foundation

/// The header `Retry-After`: seconds, or a date as HTTP writes it.
enum RetryAfter {
    /// How long to wait; nil if the text is neither of them.
    static func duration(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return .seconds(Int(seconds)) }
        let format = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
                \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                \(minute: .twoDigits):\(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian)
        )
        guard let date = try? Date(text, strategy: format.parseStrategy) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}
