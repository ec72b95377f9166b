public import Foundation

/// Formats the distance between two dates, in English as CLDR 48 has it: `in 2 hours`,
/// `3 days ago`, `yesterday`. Foundation has it on Apple's systems only.
///
/// Source: <https://developer.apple.com/documentation/foundation/relativedatetimeformatter>.
public final class RelativeDateTimeFormatter: Formatter {
    /// How units are written.
    public var unitsStyle = UnitsStyle.full
    /// Whether near dates are named: `now`, `yesterday`, `next week`.
    public var dateTimeStyle = DateTimeStyle.numeric
    /// The language, which has no effect.
    public var locale: Locale! = .current
    /// The calendar by which the distance of two dates is counted.
    public var calendar: Calendar! = .current
    /// Whether the text begins a sentence.
    public var formattingContext = Formatter.Context.unknown

    /// The distance of a date from another one.
    public func localizedString(for date: Date, relativeTo reference: Date) -> String {
        let components = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: reference,
            to: date
        )
        return localizedString(from: components)
    }

    /// A distance in seconds; negative for the past. A month has 30 days, and a year 365.
    public func localizedString(fromTimeInterval interval: TimeInterval) -> String {
        let seconds = Int(exactly: interval.rounded()) ?? 0
        let unit = CalendarUnit.allCases.first { seconds.magnitude >= $0.seconds } ?? .second
        return text(seconds / unit.seconds, unit: unit)
    }

    /// A distance, of which the largest unit that is not zero counts; 0 of the smallest one that is
    /// given if all are.
    public func localizedString(from components: DateComponents) -> String {
        var counts: [(CalendarUnit, Int)] = []
        func add(_ unit: CalendarUnit, _ count: Int?) {
            if let count { counts.append((unit, count)) }
        }
        let weeks = components.weekOfMonth ?? components.weekOfYear
        add(.year, components.year)
        add(.month, components.month)
        add(.week, weeks ?? components.day.flatMap { $0.magnitude < 7 ? nil : $0 / 7 })
        add(.day, components.day)
        add(.hour, components.hour)
        add(.minute, components.minute)
        add(.second, components.second)
        let (unit, count) = counts.first { $0.1 != 0 } ?? counts.last ?? (.second, 0)
        return text(count, unit: unit)
    }

    /// The distance of a date from now; nil for other values.
    public override func string(for object: Any?) -> String? {
        (object as? Date).map { localizedString(for: $0, relativeTo: .now) }
    }

    private func text(_ count: Int, unit: CalendarUnit) -> String {
        let name = dateTimeStyle == .named ? name(of: count, unit: unit) : nil
        let text = name ?? (count < 0 ? "\(number(count, unit)) ago" : "in \(number(count, unit))")
        if formattingContext != .beginningOfSentence { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// The number without its sign, and the unit: `2 hours`, `2h`.
    private func number(_ count: Int, _ unit: CalendarUnit) -> String {
        let number = Int(count.magnitude)
        return switch unitsStyle {
        case .full: "\(number) \(unit.name(of: number))"
        case .spellOut: "\(CalendarUnit.words(number)) \(unit.name(of: number))"
        case .short: "\(number) \(unit == .day ? unit.name(of: number) : unit.relativeShort)"
        case .abbreviated: "\(number)\(unit.narrow)"
        }
    }

    /// What the last, this and the next unit are called; nil for others.
    private func name(of count: Int, unit: CalendarUnit) -> String? {
        let isLong = unitsStyle == .full || unitsStyle == .spellOut
        let names: [String?]
        switch unit {
        case .year, .month, .week:
            let unit = isLong ? unit.rawValue : unit.relativeShort
            names = ["last \(unit)", "this \(unit)", "next \(unit)"]
        case .day: names = ["yesterday", "today", "tomorrow"]
        case .hour, .minute: names = [nil, "this \(unit.rawValue)", nil]
        case .second: names = [nil, "now", nil]
        }
        return (-1...1).contains(count) ? names[count + 1] : nil
    }
}
