internal import DataStructures
internal import EventPatterns
internal import ReloadModel

extension TextOperator {
    /// Whether the operator holds for a text; a wildcard must be valid.
    ///
    /// Compiled expressions are kept in different ways by those who ask, so matching one is theirs.
    @inline(__always)
    func holds(_ text: ByteView, _ operand: ByteView, regexp: () -> Bool) -> Bool {
        switch self {
        case .prefix: return text.count >= operand.count && text.slice(0, operand.count) == operand
        case .suffix:
            return text.count >= operand.count
                && text.slice(text.count - operand.count, text.count) == operand
        case .equalsIgnoringCase: return CaseFolding.equals(text, operand)
        case .prefixIgnoringCase: return CaseFolding.hasPrefix(text, operand)
        case .suffixIgnoringCase: return CaseFolding.hasSuffix(text, operand)
        case .wildcard: return WildcardPattern.matches(operand, text)
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
    /// Whether a number compares in this way with a bound, of which it is the `order`: below zero
    /// if the number is less, above if it is greater.
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
