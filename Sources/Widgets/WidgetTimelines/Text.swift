public import Foundation

/// Text, with dates in it that are written anew as time goes by.
///
///     Text("Full in \(full, style: .relative)")
///
/// Source: <https://developer.apple.com/documentation/widgetkit/displaying-dynamic-dates>.
public struct Text: ContentView {
    /// How a date is written.
    public struct DateStyle: Equatable, Sendable {
        enum Choice { case relative, offset, timer, date, time }

        let choice: Choice

        /// How far away it is, in its two largest units: `11 min, 14 sec`.
        public static let relative = DateStyle(choice: .relative)
        /// How far away it is, in its largest unit; to come with a minus: `-11 minutes`.
        public static let offset = DateStyle(choice: .offset)
        /// Counts down to it, and then up: `15:00`.
        public static let timer = DateStyle(choice: .timer)
        /// The day: `April 1, 2020`.
        public static let date = DateStyle(choice: .date)
        /// The time of day: `9:41AM`.
        public static let time = DateStyle(choice: .time)
    }

    private let parts: [TextPart]

    /// The text.
    public var content: ViewContent { .text(parts) }

    /// Text as it is in a variable.
    @_disfavoredOverload
    public init(_ text: some StringProtocol) {
        parts = [.literal(String(text))]
    }

    /// Text as it is.
    public init(verbatim text: String) {
        parts = [.literal(text)]
    }

    /// Text in which dates may stand.
    public init(_ text: DynamicText) {
        parts = text.parts
    }

    /// A date alone.
    public init(_ date: Date, style: DateStyle) {
        parts = [.date(date, style)]
    }

    /// From when until when: `9:30AM-2:45PM`.
    public init(_ dates: ClosedRange<Date>) {
        parts = [.interval(dates)]
    }

    /// From when until when: `9:30AM-2:45PM`.
    public init(_ interval: DateInterval) {
        parts = [.interval(interval.start...interval.end)]
    }
}

/// A piece of a text.
public enum TextPart: Equatable, Sendable {
    case literal(String)
    case date(Date, Text.DateStyle)
    case interval(ClosedRange<Date>)
}

/// A literal in which dates may stand: `"Time: \(date, style: .time)"`.
public struct DynamicText: ExpressibleByStringInterpolation, Equatable, Sendable {
    let parts: [TextPart]

    /// Text without dates.
    public init(stringLiteral value: String) {
        parts = [.literal(value)]
    }

    /// Text with dates or values in it.
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [TextPart] = []

        /// Begins a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Text between the values.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.literal(literal)) }
        }

        /// A value as it describes itself.
        public mutating func appendInterpolation(_ value: some Any) {
            parts.append(.literal("\(value)"))
        }

        /// A date.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            parts.append(.date(date, style))
        }

        /// From when until when.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            parts.append(.interval(dates))
        }

        /// From when until when.
        public mutating func appendInterpolation(_ interval: DateInterval) {
            parts.append(.interval(interval.start...interval.end))
        }
    }
}
