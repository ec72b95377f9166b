/// Why a pattern was refused: what is wrong, where, and what would be right.
package struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error, as listed in `protocol/patterns.md`.
    ///
    /// Codes are stable; the sentence beside a code is for people and may change.
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

        // The operand of an operator.
        case operand = "pattern-operand"
        case placeholder = "pattern-placeholder"
        case numeric = "pattern-numeric"
        case range = "pattern-range"
        case wildcard = "pattern-wildcard"
        case regexp = "pattern-regexp"
        case cidr = "pattern-cidr"

        // Beyond one of `PatternLimits`.
        case limit = "pattern-limit"
    }

    /// The stable code of the error.
    package let code: Code
    /// Byte of the text at which the error was detected, from 0.
    package let offset: Int
    /// Path of the wrong value, such as `place.region[0].prefix`; empty for the pattern itself.
    package let path: String
    /// What is wrong, as one sentence without a capital or full stop.
    package let message: String

    /// The code, the path if there is one, and the message, on one line.
    package var description: String {
        "\(code.rawValue)\(path.isEmpty ? "" : " " + path): \(message)"
    }
}
