internal import DataStructures
internal import EventPatterns
internal import ReloadModel
internal import StrictJSON

extension TextOperator {
    /// The operator in words.
    var name: String {
        switch self {
        case .prefixIgnoringCase: "prefix (ignoring case)"
        case .suffixIgnoringCase: "suffix (ignoring case)"
        case .prefix, .suffix, .equalsIgnoringCase, .wildcard, .regexp, .cidr: rawValue
        }
    }

    /// Whether the operator holds for a payload's scalar and a value of the rule or the widget.
    func holds(_ scalar: JSONValue, _ wanted: JSONValue) -> Bool {
        guard case .string(let scalar) = scalar, case .string(let wanted) = wanted else {
            return false
        }
        if problem(.string(wanted)) != nil { return false }
        return scalar.withByteView { text in
            wanted.withByteView { wanted in
                holds(text, wanted) {
                    guard let expression = try? RegularExpression(wanted) else { return false }
                    var scratch = RegexScratch()
                    return expression.matches(text, &scratch)
                }
            }
        }
    }

    /// Why a value can never hold as the operator's operand, to follow the value in a sentence.
    func problem(_ value: JSONValue) -> String? {
        guard case .string(let text) = value else { return "is no string" }
        return text.withByteView { text in
            switch self {
            case .wildcard: WildcardPattern.problem(text).map { "is no wildcard, as \($0)" }
            case .regexp:
                (try? RegularExpression(text)) == nil ? "is no regular expression" : nil
            case .cidr: AddressBlock(text) == nil ? "is no block of addresses" : nil
            case .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase:
                nil
            }
        }
    }
}
