/// Formats dates as widgets display them, in English.
///
/// The formats are those printed in Apple's documentation, which writes the twelve-hour clock
/// without a space: <https://developer.apple.com/documentation/widgetkit/displaying-dynamic-dates>.
package struct DateText {
    /// The moment for which the text is formatted.
    let now: Date
    /// The device's calendar, whose time zone counts.
    let calendar: Calendar

    /// - Parameters:
    ///   - now: the moment for which the text is formatted.
    ///   - calendar: the device's calendar.
    package init(now: Date, calendar: Calendar) {
        self.now = now.nearestDisplayable
        self.calendar = calendar
    }

    /// Formats a piece of a text.
    package func text(_ part: TextPart) -> String {
        switch part {
        case .symbol(let name): "[\(name)]"
        case .run(let parts, _): parts.map(text).joined()
        case .literal(let text): text
        case .interval(let dates): interval(dates)
        case .clock(let dates, let countsDown, let showsHours):
            clock(dates, countsDown: countsDown, showsHours: showsHours)
        case .date(let date, let style): text(date, style: style)
        }
    }

    private func text(_ date: Date, style: Text.DateStyle) -> String {
        let date = date.nearestDisplayable
        // Rounded up to whole seconds: 15 minutes are 15:00 until a second has passed. The
        // subtraction may be wrong by half a millisecond.
        let distance = Int((date.timeIntervalSince(now) - 0.0005).rounded(.up))
        return switch style.choice {
        case .relative: Self.relative(abs(distance))
        case .offset: Self.offset(distance)
        case .timer: Self.timer(abs(distance))
        case .date: day(date)
        case .time: time(date)
        }
    }

    // MARK: - Distances

    /// The distance in its largest unit and, unless it is zero, the next smaller one.
    private static func relative(_ distance: Int) -> String {
        assert(distance >= 0, "a relative distance has no sign")
        let units = CalendarUnit.allCases.drop { distance < $0.seconds }
        guard let unit = units.first else { return "0 sec" }
        let text = short(distance, in: unit)
        guard let next = units.dropFirst().first else { return text }
        let rest = distance % unit.seconds
        return rest < next.seconds ? text : "\(text), \(short(rest, in: next))"
    }

    private static func short(_ distance: Int, in unit: CalendarUnit) -> String {
        let count = distance / unit.seconds
        return "\(count) \(unit.shortDuration(of: count))"
    }

    /// The distance in its largest unit: a minus for the future, a plus for the past.
    private static func offset(_ distance: Int) -> String {
        let unit = CalendarUnit.allCases.first { abs(distance) >= $0.seconds } ?? .second
        let count = abs(distance) / unit.seconds
        return "\(distance > 0 ? "-" : "+")\(count) \(unit.name(of: count))"
    }

    /// The time that is left of an interval, or has passed of it: nothing before it, all after it.
    private func clock(_ dates: ClosedRange<Date>, countsDown: Bool, showsHours: Bool) -> String {
        let start = dates.lowerBound.nearestDisplayable
        let end = dates.upperBound.nearestDisplayable
        let now = min(max(now, start), end)
        let left = end.timeIntervalSince(now) - 0.0005
        let distance = countsDown ? left.rounded(.up) : now.timeIntervalSince(start).rounded(.down)
        return Self.timer(max(0, Int(distance)), showsHours: showsHours)
    }

    /// The distance as hours, minutes and seconds: `0:09`, `15:00`, `1:00:00`.
    private static func timer(_ distance: Int, showsHours: Bool = true) -> String {
        assert(distance >= 0, "a timer has no sign")
        let seconds = distance % 60
        let hours = showsHours ? distance / 3_600 : 0
        let minutes = distance / 60 - hours * 60
        if hours == 0 { return "\(minutes):\(twoDigits(seconds))" }
        return "\(hours):\(twoDigits(minutes)):\(twoDigits(seconds))"
    }

    private static func twoDigits(_ number: Int) -> String {
        assert((0..<100).contains(number), "a number has more than two digits")
        return number < 10 ? "0\(number)" : "\(number)"
    }

    // MARK: - Days and times

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    private func day(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let month = parts.month ?? 1
        // Some calendars have more than twelve months.
        let name = month <= Self.months.count ? Self.months[month - 1] : "\(month)"
        return "\(name) \(parts.day ?? 0), \(parts.year ?? 0)"
    }

    private func time(_ date: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let hour = parts.hour ?? 0
        let clock = hour % 12 == 0 ? 12 : hour % 12
        return "\(clock):\(Self.twoDigits(parts.minute ?? 0))\(hour < 12 ? "AM" : "PM")"
    }

    /// Formats two times, with their days only if these differ.
    private func interval(_ dates: ClosedRange<Date>) -> String {
        let start = dates.lowerBound.nearestDisplayable
        let end = dates.upperBound.nearestDisplayable
        if calendar.isDate(start, inSameDayAs: end) { return "\(time(start))-\(time(end))" }
        return "\(day(start)), \(time(start))-\(day(end)), \(time(end))"
    }
}

extension Date {
    /// The first second of the year 1 BC and the last one of the year 9999, in UTC, as seconds
    /// since 1970. The range begins so early because a calendar makes a date of such a year from
    /// hours and minutes without a day.
    private static let displayable = -62_167_219_200.0...253_402_300_799

    /// The nearest date that a widget can display, which is one of the years 1 BC to 9999; for a
    /// date that is no number, the beginning of 1970.
    var nearestDisplayable: Date {
        let seconds = timeIntervalSince1970
        if Self.displayable.contains(seconds) { return self }
        if seconds.isNaN { return Date(timeIntervalSince1970: 0) }
        let (first, last) = (Self.displayable.lowerBound, Self.displayable.upperBound)
        return Date(timeIntervalSince1970: min(max(seconds, first), last))
    }
}

extension ClosedRange<Date> {
    /// How much of the interval has passed at a moment, or is left, from 0 to 1.
    func progress(at now: Date, countsDown: Bool) -> Double {
        let length = upperBound.timeIntervalSince(lowerBound)
        let passed = now.timeIntervalSince(lowerBound)
        let fraction = length > 0 ? Swift.min(1, Swift.max(0, passed / length)) : 1
        return countsDown ? 1 - fraction : fraction
    }
}

extension ClosedRange where Bound: BinaryFloatingPoint {
    /// Where a value is between the bounds, from 0 to 1.
    func fraction(of value: Bound) -> Double {
        let length = upperBound - lowerBound
        return length > 0 ? Double((value - lowerBound) / length) : 0
    }
}
