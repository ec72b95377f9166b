internal import StrictJSON

/// How explanations write values and tests.
enum ExplanationText {
    /// Longest value, in characters.
    private static let valueLimit = 64
    /// Longest test or list of alternatives, in characters.
    private static let testLimit = 240

    static func value(_ value: JSONValue?) -> String {
        value.map { cut($0.text, valueLimit) } ?? ConditionOutcome.missing
    }

    static func alternatives(_ tests: [String]) -> String {
        cut(tests.joined(separator: " or "))
    }

    static func cut(_ test: String) -> String { cut(test, testLimit) }

    private static func cut(_ text: String, _ limit: Int) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }
}
