internal import Basics
internal import EventPatterns

/// Evaluating operators on single values, both for matching and for explanations.
extension TextOperator {
    /// Whether the operator holds for a text; the operand of `wildcard` must be valid.
    ///
    /// The closure `regexp` matches the compiled expression, because each caller keeps compiled
    /// expressions in its own way.
    @inline(__always)
    func holds(_ text: ByteView, operand: ByteView, regexp: () -> Bool) -> Bool {
        switch self {
        case .prefix:
            return text.count >= operand.count && text.slice(0, to: operand.count) == operand
        case .suffix:
            return text.count >= operand.count
                && text.slice(text.count - operand.count, to: text.count) == operand
        case .equalsIgnoringCase: return CaseFolding.equals(text, and: operand)
        case .prefixIgnoringCase: return CaseFolding.hasPrefix(text, prefix: operand)
        case .suffixIgnoringCase: return CaseFolding.hasSuffix(text, suffix: operand)
        case .wildcard: return WildcardPattern.matches(operand, value: text)
        case .regexp: return regexp()
        case .cidr:
            guard let address = IPAddress(text), let block = AddressBlock(operand) else {
                return false
            }
            return block.contains(address)
        }
    }
}

extension NumericComparison {
    /// Whether the comparison holds for a number whose order relative to the bound is `order`:
    /// negative if the number is less, positive if it is greater.
    @inline(__always)
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
