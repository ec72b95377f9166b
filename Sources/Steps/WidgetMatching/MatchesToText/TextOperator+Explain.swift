internal import Basics
internal import EventPatterns

/// Evaluating string operators for `RuleExplainer`.
extension TextOperator {
    /// The operator's name for people.
    var name: String {
        switch self {
        case .prefixIgnoringCase: "prefix (ignoring case)"
        case .suffixIgnoringCase: "suffix (ignoring case)"
        case .prefix, .suffix, .equalsIgnoringCase, .wildcard, .regexp, .cidr: rawValue
        }
    }

    /// Whether the operator holds for a scalar of the payload and an operand; false if one of them
    /// is no string, or the operand is not valid for the operator.
    func holds(_ scalar: JSONValue, operand wanted: JSONValue) -> Bool {
        guard case .string(let scalar) = scalar, case .string(let wanted) = wanted else {
            return false
        }
        if problem(.string(wanted)) != nil { return false }
        return scalar.withByteView { text in
            wanted.withByteView { wanted in
                holds(text, operand: wanted) {
                    guard let expression = try? RegularExpression(wanted) else { return false }
                    var scratch = RegexScratch()
                    return expression.matches(text, using: &scratch)
                }
            }
        }
    }

    /// Why a value can never match as the operator's operand, as the rest of a sentence that begins
    /// with the value; nil if it can.
    func problem(_ value: JSONValue) -> String? {
        guard case .string(let text) = value else { return "is not a string" }
        return text.withByteView { text in
            switch self {
            case .wildcard: WildcardPattern.problem(text).map { "is not a wildcard, as \($0)" }
            case .regexp:
                (try? RegularExpression(text)) == nil ? "is not a regular expression" : nil
            case .cidr: AddressBlock(text) == nil ? "is not a block of addresses" : nil
            case .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase:
                nil
            }
        }
    }
}

/// Evaluating comparisons for `RuleExplainer`.
extension NumericComparison {
    /// Whether the comparison holds for a scalar of the payload and a bound; false if one of them
    /// is no number.
    func holds(_ scalar: JSONValue, bound wanted: JSONValue) -> Bool {
        guard case .number(let scalar) = scalar, case .number(let wanted) = wanted else {
            return false
        }
        return holds(DecimalOrder.compare(scalar, to: wanted))
    }

    /// Why a value can never match as a bound, as the rest of a sentence that begins with the
    /// value; nil if it can.
    static func problem(_ value: JSONValue) -> String? {
        if case .number = value { return nil }
        return "is not a number"
    }
}
