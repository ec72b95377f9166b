internal import Basics

/// Checks of values written in a pattern itself.
///
/// Parameters of widgets are not checked here: a value that an operator cannot use only fails to
/// match.
enum LiteralChecks {
    /// The code and the sentence of a `PatternError`.
    typealias Problem = (code: PatternError.Code, sentence: String)

    /// What is wrong with the string of an operator; nil if the operator can use it.
    static func problem(_ text: String, for operation: TextOperator) -> Problem? {
        switch operation {
        case .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase: nil
        case .wildcard: lengthProblem(text, noun: "wildcard") ?? wildcardProblem(text)
        case .regexp: lengthProblem(text, noun: "regular expression") ?? regexpProblem(text)
        case .cidr: cidrProblem(text)
        }
    }

    /// What is wrong if an expression has too many bytes; else nil.
    private static func lengthProblem(_ text: String, noun: String) -> Problem? {
        if text.utf8.count <= PatternLimits.expressionBytes { return nil }
        return (.limit, "the \(noun) is longer than \(PatternLimits.expressionBytes) bytes")
    }

    /// What is wrong with a wildcard; nil if it is valid.
    private static func wildcardProblem(_ text: String) -> Problem? {
        text.withByteView(WildcardPattern.problem).map { (.wildcard, clause($0)) }
    }

    /// What is wrong with a regular expression; nil if it is valid.
    private static func regexpProblem(_ text: String) -> Problem? {
        text.withByteView { text in
            do throws(RegularExpressionError) {
                _ = try RegularExpression(text)
                return nil
            } catch {
                return (.regexp, "byte \(error.offset) of the expression: " + clause(error.reason))
            }
        }
    }

    /// What is wrong with a block of addresses; nil if it is valid.
    private static func cidrProblem(_ text: String) -> Problem? {
        if text.withByteView({ AddressBlock($0) }) != nil { return nil }
        return (
            .cidr,
            "the string is not a block of addresses; write one such as 10.0.0.0/8 or 2001:db8::/32"
        )
    }

    /// A sentence in the form in which it follows a colon: lower case, without its full stop.
    private static func clause(_ sentence: String) -> String {
        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Whether no number satisfies both bounds of a range; false if either comes from a widget.
    static func isEmpty(_ first: NumericBound, and second: NumericBound) -> Bool {
        guard case .value(.number(let left)) = first.operand,
            case .value(.number(let right)) = second.operand
        else { return false }
        let order = DecimalOrder.compare(left, to: right)
        if order == 0 { return first.comparison.excludesItself || second.comparison.excludesItself }
        let isFirstLower = first.comparison == .greater || first.comparison == .greaterOrEqual
        return isFirstLower ? order > 0 : order < 0
    }
}

extension NumericComparison {
    /// Whether the bound itself is outside of the range.
    fileprivate var excludesItself: Bool { self == .less || self == .greater }
}
