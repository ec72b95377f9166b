internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// Checks of what a pattern itself brings; a widget's value that is of no use holds nothing.
enum LiteralChecks {
    typealias Problem = (code: PatternError.Code, sentence: String)

    /// What is wrong with an operator's string.
    static func problem(_ text: String, for operation: TextOperator) -> Problem? {
        switch operation {
        case .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase: nil
        case .wildcard: lengthProblem(text, "wildcard") ?? wildcardProblem(text)
        case .regexp: lengthProblem(text, "regular expression") ?? regexpProblem(text)
        case .cidr: cidrProblem(text)
        }
    }

    private static func lengthProblem(_ text: String, _ noun: String) -> Problem? {
        if text.utf8.count <= PatternLimits.expressionBytes { return nil }
        return (.limit, "the \(noun) is longer than \(PatternLimits.expressionBytes) bytes")
    }

    private static func wildcardProblem(_ text: String) -> Problem? {
        text.withByteView(WildcardPattern.problem).map { (.wildcard, clause($0)) }
    }

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

    private static func cidrProblem(_ text: String) -> Problem? {
        if text.withByteView({ AddressBlock($0) }) != nil { return nil }
        return (
            .cidr,
            "the string is no block of addresses; write one such as 10.0.0.0/8 or 2001:db8::/32"
        )
    }

    /// A sentence as it stands behind a colon.
    private static func clause(_ sentence: String) -> String {
        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Whether no number is within both bounds; of bounds that widgets bring nobody knows.
    static func isEmpty(_ first: NumericBound, _ second: NumericBound) -> Bool {
        guard case .value(.number(let left)) = first.operand,
            case .value(.number(let right)) = second.operand
        else { return false }
        let order = compare(left, right)
        if order == 0 { return first.comparison.excludesItself || second.comparison.excludesItself }
        let isFirstLower = first.comparison == .greater || first.comparison == .greaterOrEqual
        return isFirstLower ? order > 0 : order < 0
    }

    private static func compare(_ left: String, _ right: String) -> Int {
        canonical(left).withByteView { left in
            canonical(right).withByteView { right in DecimalOrder.compare(left, right) }
        }
    }

    private static func canonical(_ number: String) -> [UInt8] {
        number.withByteView { text in
            unsafe [UInt8](unsafeUninitializedCapacity: text.count + 16) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                count = unsafe CanonicalNumber.write(text, into: UnsafeMutableRawPointer(base))
            }
        }
    }
}

extension NumericComparison {
    fileprivate var excludesItself: Bool { self == .less || self == .greater }
}
