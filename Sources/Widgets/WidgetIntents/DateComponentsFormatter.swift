public import Foundation

/// Formats a length of time, in English as CLDR 48 has it: `1 hour, 10 minutes`, `1h 10m`, `1:10`.
/// Foundation on Linux has the name alone, as unavailable.
///
/// Source: <https://developer.apple.com/documentation/foundation/datecomponentsformatter>.
public final class DateComponentsFormatter: Formatter {
    /// How units are written.
    public var unitsStyle = UnitsStyle.positional
    /// The units that may be written; if none is named, all but weeks.
    public var allowedUnits: NSCalendar.Unit = []
    /// Which units that are zero are left out.
    public var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// The most units that are written, 0 for all; the others are dropped.
    public var maximumUnitCount = 0
    /// The calendar by which the distance of two dates is counted.
    public var calendar: Calendar? = .current
    /// The date from which a length is counted: without one, a month has 30 days, and a year 365.
    public var referenceDate: Date?
    /// Whether `About` stands before the text.
    public var includesApproximationPhrase = false
    /// Whether `remaining` stands after the text.
    public var includesTimeRemainingPhrase = false
    /// Whether parts of the smallest unit are written, which has no effect.
    public var allowsFractionalUnits = false
    /// Whether a small largest unit becomes the next one, which has no effect.
    public var collapsesLargestUnit = false
    /// The context, which has no effect.
    public var formattingContext = Formatter.Context.unknown

    /// A length in seconds.
    public func string(from interval: TimeInterval) -> String? {
        if let referenceDate {
            return string(from: referenceDate, to: referenceDate.addingTimeInterval(interval))
        }
        guard let seconds = Int(exactly: interval.rounded(.towardZero)) else { return nil }
        var rest = seconds
        var counts: [(CalendarUnit, Int)] = []
        for unit in allowed {
            counts.append((unit, rest / unit.seconds))
            rest %= unit.seconds
        }
        return text(counts)
    }

    /// The distance from one date to another.
    public func string(from start: Date, to end: Date) -> String? {
        let set = Set(allowed.map(\.component))
        let calendar = calendar ?? .current
        return string(from: calendar.dateComponents(set, from: start, to: end))
    }

    /// The units that are given, of those that are allowed.
    public func string(from components: DateComponents) -> String? {
        text(
            allowed.compactMap { unit in
                components.value(for: unit.component).map { (unit, $0) }
            }
        )
    }

    /// A length in a style.
    public static func localizedString(
        from components: DateComponents,
        unitsStyle: UnitsStyle
    ) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    /// A length of seconds or of components; nil for other values.
    public override func string(for object: Any?) -> String? {
        switch object {
        case let interval as TimeInterval: string(from: interval)
        case let components as DateComponents: string(from: components)
        default: nil
        }
    }

    private var allowed: [CalendarUnit] {
        CalendarUnit.allCases.filter { unit in
            allowedUnits.isEmpty ? unit != .week : allowedUnits.contains(unit.option)
        }
    }

    // MARK: - Text

    private func text(_ counts: [(CalendarUnit, Int)]) -> String? {
        if counts.isEmpty { return nil }
        var shown = kept(counts)
        if maximumUnitCount > 0 { shown = Array(shown.prefix(maximumUnitCount)) }
        let isNegative = shown.contains { $0.1 < 0 }
        let parts = shown.map { ($0.0, Int($0.1.magnitude)) }
        var text = unitsStyle == .positional ? positional(parts) : joined(parts)
        if isNegative { text = "-" + text }
        if includesApproximationPhrase { text = "About " + text }
        if includesTimeRemainingPhrase { text += " remaining" }
        return text
    }

    /// The units without the zeros that are left out; one unit stays.
    private func kept(_ counts: [(CalendarUnit, Int)]) -> [(CalendarUnit, Int)] {
        if zeroFormattingBehavior.contains(.pad) { return counts }
        var behavior = zeroFormattingBehavior
        if behavior.contains(.default) {
            behavior.formUnion(unitsStyle == .positional ? .dropLeading : .dropAll)
        }
        let first = counts.firstIndex { $0.1 != 0 }
        guard let first, let last = counts.lastIndex(where: { $0.1 != 0 }) else {
            return behavior.isEmpty ? counts : [counts[counts.count - 1]]
        }
        return counts.enumerated().filter { index, count in
            if count.1 != 0 { return true }
            if index < first { return !behavior.contains(.dropLeading) }
            if index > last { return !behavior.contains(.dropTrailing) }
            return !behavior.contains(.dropMiddle)
        }.map(\.element)
    }

    /// `1:02:05`; days and larger units stand before it with their letters: `3d 1:00:00`.
    private func positional(_ parts: [(CalendarUnit, Int)]) -> String {
        let clock = parts.filter { $0.0.isOfClock }
        var words = parts.filter { !$0.0.isOfClock }.map { "\($0.1)\($0.0.narrowDuration)" }
        if clock.count == 1 && !words.isEmpty {
            words.append("\(clock[0].1)\(clock[0].0.narrowDuration)")
        } else if !clock.isEmpty {
            let digits = clock.enumerated().map { index, part in
                index > 0 && part.1 < 10 ? "0\(part.1)" : "\(part.1)"
            }
            words.append(digits.joined(separator: ":"))
        }
        return words.joined(separator: " ")
    }

    private func joined(_ parts: [(CalendarUnit, Int)]) -> String {
        let words = parts.map { unit, count in
            switch unitsStyle {
            case .positional, .abbreviated: "\(count)\(unit.narrowDuration)"
            case .brief: "\(count)\(unit.shortDuration(of: count))"
            case .short: "\(count) \(unit.shortDuration(of: count))"
            case .full: "\(count) \(unit.name(of: count))"
            case .spellOut: "\(CalendarUnit.words(count)) \(unit.name(of: count))"
            }
        }
        let isNarrow = unitsStyle == .abbreviated || unitsStyle == .brief
        return words.joined(separator: isNarrow ? " " : ", ")
    }
}
