public import Foundation

/// Formats the distance between two dates, in English: `in 2 hours`, `3 days ago`. Foundation has
/// it on Apple's systems only.
///
/// Source: <https://developer.apple.com/documentation/foundation/relativedatetimeformatter>.
public final class RelativeDateTimeFormatter: Formatter {
    /// How units are written.
    public enum UnitsStyle: Int, Sendable {
        case full
        case spellOut
        case short
        case abbreviated
    }

    /// Whether the present has a name.
    public enum DateTimeStyle: Int, Sendable {
        case numeric
        case named
    }

    /// How units are written.
    public var unitsStyle = UnitsStyle.full
    /// Whether the present is `now`.
    public var dateTimeStyle = DateTimeStyle.numeric
    /// The language, which has no effect.
    public var locale: Locale! = .current
    /// The calendar, which has no effect.
    public var calendar: Calendar! = .current
    /// The context, which has no effect.
    public var formattingContext = Formatter.Context.unknown

    /// The units, from the largest to the smallest: seconds, name and short name.
    private static let units: [(seconds: Int, name: String, short: String)] = [
        (31_536_000, "year", "yr."), (2_592_000, "month", "mo."), (604_800, "week", "wk."),
        (86_400, "day", "day"), (3_600, "hour", "hr."), (60, "minute", "min."),
        (1, "second", "sec."),
    ]

    /// The distance of a date from another one.
    public func localizedString(for date: Date, relativeTo reference: Date) -> String {
        localizedString(fromTimeInterval: date.timeIntervalSince(reference))
    }

    /// A distance in seconds; negative for the past.
    public func localizedString(fromTimeInterval interval: TimeInterval) -> String {
        let seconds = Int(exactly: interval.rounded()) ?? 0
        if seconds == 0, dateTimeStyle == .named { return "now" }
        let unit = Self.units.first { seconds.magnitude >= $0.seconds } ?? Self.units[6]
        let count = Int(seconds.magnitude) / unit.seconds
        let isShort = unitsStyle == .short || unitsStyle == .abbreviated
        let name = isShort ? unit.short : unit.name + (count == 1 ? "" : "s")
        return seconds < 0 ? "\(count) \(name) ago" : "in \(count) \(name)"
    }

    /// The distance of a date from now; nil for other values.
    public override func string(for object: Any?) -> String? {
        (object as? Date).map { localizedString(for: $0, relativeTo: .now) }
    }
}
