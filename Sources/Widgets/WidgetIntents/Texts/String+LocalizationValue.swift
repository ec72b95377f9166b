public import Foundation

extension String {
    /// A text for people, made from a literal.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Hashable, Sendable {
        /// The text.
        package let text: String

        /// Makes a value from a text.
        public init(_ text: String) {
            self.text = text
        }

        /// Makes a value from a literal without interpolations.
        public init(stringLiteral text: String) {
            self.text = text
        }

        /// Makes a value from the pieces of a literal.
        public init(stringInterpolation: StringInterpolation) {
            text = stringInterpolation.text
        }

        /// Collects the pieces of a literal.
        public struct StringInterpolation: StringInterpolationProtocol {
            var text = ""

            /// Starts a literal.
            public init(literalCapacity: Int, interpolationCount: Int) {
                text.reserveCapacity(literalCapacity)
            }

            /// Adds the text between two interpolations.
            public mutating func appendLiteral(_ literal: String) {
                text += literal
            }

            /// Adds a value by its description.
            public mutating func appendInterpolation(_ value: some Any) {
                text += "\(value)"
            }

            /// Adds the text of a resource.
            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                text += resource.text
            }

            /// Adds a formatted value.
            public mutating func appendInterpolation<Format: FormatStyle>(
                _ value: Format.FormatInput,
                format: Format
            ) where Format.FormatOutput == String {
                text += format.format(value)
            }

            /// Adds a number in the format of C's `printf`.
            public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) {
                text += String(format: specifier, value)
            }
        }
    }
}
