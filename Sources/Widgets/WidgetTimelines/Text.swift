public import Foundation

/// A view of text, in which dates are formatted anew as time passes.
///
///     Text("Full in \(full, style: .relative)")
///
/// Source: <https://developer.apple.com/documentation/widgetkit/displaying-dynamic-dates>.
public struct Text: ContentView {
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

    private let parts: [TextPart]

    /// The text as content.
    public var content: ViewContent { .text(parts) }

    /// Makes text from a string, unchanged.
    @_disfavoredOverload
    public init(_ text: some StringProtocol) {
        parts = [.literal(String(text))]
    }

    /// Makes text from a string, unchanged.
    public init(verbatim text: String) {
        parts = [.literal(text)]
    }

    /// Makes text from a literal that may contain dates.
    public init(_ text: DynamicText) {
        parts = text.parts
    }

    /// Makes text from a date.
    public init(_ date: Date, style: DateStyle) {
        parts = [.date(date, style)]
    }

    /// Makes text from the two ends of an interval: `9:30AM-2:45PM`.
    public init(_ dates: ClosedRange<Date>) {
        parts = [.interval(dates)]
    }

    /// Makes text from the two ends of an interval: `9:30AM-2:45PM`.
    public init(_ interval: DateInterval) {
        parts = [.interval(interval.start...interval.end)]
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

/// A string literal that may contain dates: `"Time: \(date, style: .time)"`.
public struct DynamicText: ExpressibleByStringInterpolation, Equatable, Sendable {
    let parts: [TextPart]

    /// Makes text without dates.
    public init(stringLiteral value: String) {
        parts = [.literal(value)]
    }

    /// Makes text from the pieces of a literal.
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [TextPart] = []

        /// Starts a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Adds the text between two interpolations.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.literal(literal)) }
        }

        /// Adds a value by its description.
        public mutating func appendInterpolation(_ value: some Any) {
            parts.append(.literal("\(value)"))
        }

        /// Adds a date.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            parts.append(.date(date, style))
        }

        /// Adds the two ends of an interval.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            parts.append(.interval(dates))
        }

        /// Adds the two ends of an interval.
        public mutating func appendInterpolation(_ interval: DateInterval) {
            parts.append(.interval(interval.start...interval.end))
        }
    }
}
