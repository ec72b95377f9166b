internal import Basics

/// Formatting of values and tests in explanations.
enum ExplanationText {
    /// The longest text of a value, in characters.
    private static let valueLimit = 64
    /// The longest text of a test or a list of alternatives, in characters.
    private static let testLimit = 240

    /// A value as JSON, or `missing`.
    static func value(_ value: JSONValue?) -> String {
        value.map { cut($0.text, to: valueLimit) } ?? ConditionOutcome.missing
    }

    /// Alternatives, joined by "or".
    static func alternatives(_ tests: [String]) -> String { cut(tests.joined(separator: " or ")) }

    /// A text, cut with an ellipsis if it is too long for a test.
    static func cut(_ test: String) -> String { cut(test, to: testLimit) }

    /// A text of at most `limit` characters, of which the last is an ellipsis if it was cut.
    private static func cut(_ text: String, to limit: Int) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }
}

/// The path of a condition's field in a payload, such as `lines[2].stop`; for people.
struct ConditionPath {
    /// The path as text; empty for the payload itself.
    private(set) var text = ""

    /// The path of a member of the object at this path.
    func member(_ name: String) -> ConditionPath {
        ConditionPath(text: text.isEmpty ? Self.readable(name) : "\(text).\(Self.readable(name))")
    }

    /// The path of an element of the list at this path.
    func element(_ index: Int) -> ConditionPath { ConditionPath(text: "\(text)[\(index)]") }

    /// A name for a path, in quotation marks if it could be misread.
    private static func readable(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && ![".", "[", "]", "\"", "\\"].contains(scalar)
        }
        return isPlain && !name.isEmpty ? name : JSONValue.string(name).text
    }
}
