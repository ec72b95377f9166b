public import Foundation

/// A string literal that may contain dates: `"Time: \(date, style: .time)"`.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    let parts: [TextPart]

    /// Makes text without dates.
    public init(_ value: String) {
        parts = [.literal(value)]
    }

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

        /// Adds a formatted value.
        public mutating func appendInterpolation<Format: FormatStyle>(
            _ value: Format.FormatInput,
            format: Format
        ) where Format.FormatOutput == String {
            parts.append(.literal(format.format(value)))
        }

        /// Adds a number in the format of C's `printf`.
        public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) {
            parts.append(.literal(String(format: specifier, value)))
        }

        /// Adds a value and a formatter.
        public mutating func appendInterpolation(
            _ subject: some Any,
            formatter: Formatter
        ) {
            parts.append(.literal(formatter.string(for: subject) ?? ""))
        }

        /// Adds a text.
        public mutating func appendInterpolation(_ text: Text) {
            parts += text.parts
        }

        /// Adds a picture: its name.
        public mutating func appendInterpolation(_ image: Image) {
            parts.append(.literal(image.mark))
        }

        /// Adds a resource.
        public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
            parts.append(.literal(resource.text))
        }

        /// Adds an attributed text, without its attributes.
        public mutating func appendInterpolation(_ text: AttributedString) {
            parts.append(.literal(String(text.characters)))
        }

        /// Adds a clock that runs during an interval.
        public mutating func appendInterpolation(
            timerInterval dates: ClosedRange<Date>,
            pauseTime: Date? = nil,
            countsDown: Bool = true,
            showsHours: Bool = true
        ) {
            parts +=
                Text(
                    timerInterval: dates,
                    pauseTime: pauseTime,
                    countsDown: countsDown,
                    showsHours: showsHours
                ).parts
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
