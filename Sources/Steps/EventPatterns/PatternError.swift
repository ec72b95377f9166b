/// Why a pattern was refused: what is wrong, where, and what would be right.
package struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of thing is wrong: the codes of `protocol/patterns.md`.
    ///
    /// A code is stable; the sentence beside it is for people and may change.
    package enum Code: String, CaseIterable, Sendable {
        // The text is not one strict JSON object.
        case notUTF8 = "pattern-not-utf8"
        case notJSON = "pattern-not-json"
        case notObject = "pattern-not-object"
        case tooDeep = "pattern-too-deep"
        case duplicateKey = "pattern-duplicate-key"
        case numberRange = "pattern-number-range"

        // The shape of the pattern.
        case emptyObject = "pattern-empty-object"
        case emptyList = "pattern-empty-list"
        case scalar = "pattern-scalar"
        case alternative = "pattern-alternative"
        case or = "pattern-or"
        case operatorUnknown = "pattern-operator-unknown"
        case operatorCount = "pattern-operator-count"

        // What an operator is given.
        case operand = "pattern-operand"
        case placeholder = "pattern-placeholder"
        case numeric = "pattern-numeric"
        case range = "pattern-range"
        case wildcard = "pattern-wildcard"
        case regexp = "pattern-regexp"
        case cidr = "pattern-cidr"

        case limit = "pattern-limit"
    }

    package let code: Code
    /// The byte of the text at which it was seen, from 0.
    package let offset: Int
    /// The value that is wrong, such as `place.region[0].prefix`; empty for the pattern itself.
    package let path: String
    /// One sentence.
    package let message: String

    package var description: String {
        "\(code.rawValue)\(path.isEmpty ? "" : " " + path): \(message)"
    }
}
