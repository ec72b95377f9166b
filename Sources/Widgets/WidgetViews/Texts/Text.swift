public import Foundation

/// A view of text, in which dates are formatted anew as time passes.
///
///     Text("Full in \(full, style: .relative)")
///
/// Source: <https://developer.apple.com/documentation/widgetkit/displaying-dynamic-dates>.
public struct Text: ContentView, Equatable {
    /// The format of a date.
    public struct DateStyle: Equatable, Sendable {
        enum Choice { case relative, offset, timer, date, time }

        let choice: Choice

        /// The distance in its two largest units: `11 min, 14 sec`.
        public static let relative = DateStyle(choice: .relative)
        /// The distance in its largest unit, with a minus for the future: `-11 minutes`.
        public static let offset = DateStyle(choice: .offset)
        /// The distance as a clock that counts down to the date, and then up: `15:00`.
        public static let timer = DateStyle(choice: .timer)
        /// The day: `April 1, 2020`.
        public static let date = DateStyle(choice: .date)
        /// The time of day: `9:41AM`.
        public static let time = DateStyle(choice: .time)
    }

    let parts: [TextPart]
    let notes: [ViewNote]

    init(parts: [TextPart], notes: [ViewNote] = []) {
        self.parts = parts
        self.notes = notes
    }

    /// The text as content.
    public var viewContent: ViewContent {
        notes.reduce(.text(parts)) { .noted($0, $1) }
    }

    /// The text with a note.
    func adding(_ name: String, value: String? = nil) -> Text {
        Text(parts: parts, notes: notes + [ViewNote(name, value: value ?? "")])
    }

    /// One text after the other.
    public static func + (left: Text, right: Text) -> Text {
        Text(parts: left.parts + right.parts, notes: left.notes)
    }
}

extension Text {
    /// Makes text from a string, unchanged.
    @_disfavoredOverload
    public init(_ text: some StringProtocol) {
        self.init(parts: [.literal(String(text))])
    }

    /// Makes text from a string, unchanged.
    public init(verbatim text: String) {
        self.init(parts: [.literal(text)])
    }

    /// Makes text from a literal that may contain dates; it is not translated.
    public init(
        _ text: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        self.init(parts: text.parts)
    }

    /// Makes text from a resource, which is not translated.
    @_disfavoredOverload
    public init(_ resource: LocalizedStringResource) {
        self.init(parts: [.literal(resource.text)])
    }

    /// Makes text from an attributed one, without its attributes.
    @_disfavoredOverload
    public init(_ text: AttributedString) {
        self.init(parts: [.literal(String(text.characters))])
    }

    /// Makes text from a date.
    public init(_ date: Date, style: DateStyle) {
        self.init(parts: [.date(date, style)])
    }

    /// Makes text from the two ends of an interval: `9:30AM-2:45PM`.
    public init(_ dates: ClosedRange<Date>) {
        self.init(parts: [.interval(dates)])
    }

    /// Makes text from the two ends of an interval: `9:30AM-2:45PM`.
    public init(_ interval: DateInterval) {
        self.init(parts: [.interval(interval.start...interval.end)])
    }

    /// Makes text from an image: its name.
    public init(_ image: Image) {
        self.init(parts: [.literal(image.mark)])
    }

    /// Makes text from a formatted value.
    public init<Format: FormatStyle>(_ input: Format.FormatInput, format: Format)
    where Format.FormatOutput == String {
        self.init(parts: [.literal(format.format(input))])
    }

    /// Makes text from a value and a formatter.
    public init(_ subject: some Any, formatter: Formatter) {
        self.init(parts: [.literal(formatter.string(for: subject) ?? "")])
    }

    /// Makes a clock that runs during an interval.
    ///
    /// - Parameters:
    ///   - dates: the interval.
    ///   - pauseTime: when the clock stops; nil if it runs to the end.
    ///   - countsDown: whether the clock shows the time that is left.
    ///   - showsHours: whether the clock shows hours.
    public init(
        timerInterval dates: ClosedRange<Date>,
        pauseTime: Date? = nil,
        countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        let date = countsDown ? dates.upperBound : dates.lowerBound
        if let pauseTime {
            let clock = DateText(now: pauseTime, calendar: .current)
            self.init(parts: [.literal(clock.text(.date(date, .timer)))])
        } else {
            self.init(parts: [.date(date, .timer)])
        }
    }
}

/// A piece of a text.
public enum TextPart: Equatable, Sendable {
    /// Text that does not change.
    case literal(String)
    /// A date, formatted for the moment of display.
    case date(Date, Text.DateStyle)
    /// The two ends of an interval.
    case interval(ClosedRange<Date>)
}
