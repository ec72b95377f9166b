package import Basics

/// Where a pattern says something else to Amazon EventBridge than here.
package struct EventBridgeDifference: Equatable {
    /// The member, alternative or operator, in the form of `PatternError`'s paths.
    package let path: String
    /// What differs; a sentence without capital and full stop.
    package let sentence: String
}

/// `protocol/patterns.md`, "If you come from EventBridge", has the same differences, and where each
/// is known from. That a placeholder is an ordinary text there is no difference in this list.
extension EventPattern {
    /// All differences, in the order of the pattern.
    package var differencesFromEventBridge: [EventBridgeDifference] { differences(in: "") }

    fileprivate func differences(in path: String) -> [EventBridgeDifference] {
        conditions.flatMap { $0.differences(in: path) }
    }
}

extension PatternCondition {
    /// The words that make EventBridge read a `$or` as the name of a member, or refuse it.
    private static let reserved: Set<String> = [
        "exactly", "equals-ignore-case", "prefix", "suffix", "anything-but", "exists", "wildcard",
        "numeric", "cidr", "=", "<", "<=", ">", ">=", "regex", "not-wildcard",
        "not-equals-ignore-case", "date-after", "date-on-or-after", "date-before",
        "date-on-or-before", "in-date-range", "ip-address-in-range", "ip-address-not-in-range",
    ]

    fileprivate func differences(in path: String) -> [EventBridgeDifference] {
        switch self {
        case .field(let name, let tests):
            let path = Self.path(path, member: name)
            return Self.ofName(name, at: path)
                + tests.enumerated().flatMap { $1.differences(at: "\(path)[\($0)]") }
        case .nested(let name, let pattern):
            let path = Self.path(path, member: name)
            return Self.ofName(name, at: path) + pattern.differences(in: path)
        case .anyOf(let patterns):
            let path = Self.path(path, member: "$or")
            return Self.ofBranches(patterns, at: path)
                + patterns.enumerated().flatMap { $1.differences(in: "\(path)[\($0)]") }
        }
    }

    private static func path(_ outer: String, member: String) -> String {
        (outer.isEmpty ? "" : outer + ".") + quotation(member)
    }

    private static func ofName(_ name: String, at path: String) -> [EventBridgeDifference] {
        if !name.utf8.contains(UInt8(ascii: ".")) { return [] }
        return [
            EventBridgeDifference(
                path: path,
                sentence: "there the points in the name also lead into nested objects; here it is "
                    + "the name of one member"
            )
        ]
    }

    private static func ofBranches(
        _ branches: [EventPattern],
        at path: String
    ) -> [EventBridgeDifference] {
        var sentences: [String] = []
        if branches.count < 2 {
            sentences.append("$or with one branch is refused there, or read as a member's name")
        }
        if let word = branches.lazy.flatMap(\.ownNames).first(where: reserved.contains) {
            sentences.append(
                "$or with a member named \(quotation(word)) is refused there, or read as a "
                    + "member's name"
            )
        }
        return sentences.map { EventBridgeDifference(path: path, sentence: $0) }
    }
}

extension EventPattern {
    /// The names of the members of the object itself, without those in branches of `$or`.
    fileprivate var ownNames: [String] {
        conditions.compactMap { condition in
            switch condition {
            case .field(let name, _), .nested(let name, _): name
            case .anyOf: nil
            }
        }
    }
}

extension PatternTest {
    /// The fewest stars of a wildcard that EventBridge may refuse as too complex: LocalStack does,
    /// and the service has refused six.
    private static var manyStars: Int { 5 }
    /// The decimal digits that every binary64 keeps.
    private static var exactDigits: Int { 15 }

    fileprivate func differences(at path: String) -> [EventBridgeDifference] {
        if case .allOf(let tests) = self {
            let path = path + ".all-of"
            return [.init(path: path, sentence: "EventBridge has no all-of, and refuses it")]
                + tests.enumerated().flatMap { $1.differences(at: "\(path)[\($0)]") }
        }
        return sentences.map {
            EventBridgeDifference(path: path + $0.member, sentence: $0.sentence)
        }
    }

    /// What differs, and the operator's name with the point before it.
    private var sentences: [(member: String, sentence: String)] {
        switch self {
        case .exists:
            let sentence =
                "there only a value counts, so objects and empty lists are absent; here they are "
                + "present"
            return [(".exists", sentence)]
        case .anythingBut(let tests):
            return (Self.ofAnythingBut(tests) + tests.flatMap(\.ofExcluded)).map {
                (".anything-but", $0)
            }
        case .allOfParameter: return [(".all-of", "EventBridge has no all-of, and refuses it")]
        case .text(.regexp, _): return [(".regexp", "EventBridge has no regexp, and refuses it")]
        case .text(let text, let operand): return Self.ofText(text, operand: operand)
        case .numeric(let bounds): return Self.ofBounds(bounds).map { (".numeric", $0) }
        case .equals(let operand):
            return Self.isLong(operand)
                ? [("", "there a number of so many digits may be compared as a text or rounded")]
                : []
        case .allOf: return []
        }
    }

    private static func ofAnythingBut(_ tests: [PatternTest]) -> [String] {
        var sentences = [
            "of a list it holds there if one element is not excluded, and here only if none is; it "
                + "holds there for no object and no empty list, and here for all"
        ]
        var types: Set<String> = []
        for case .equals(.value(let value)) in tests { types.insert(value.type) }
        if types.count > 1 {
            sentences.append("values of several types in one list are refused there")
        }
        return sentences
    }

    /// What differs because a test stands in `anything-but`.
    private var ofExcluded: [String] {
        switch self {
        case .equals(.value(.null)), .equals(.value(.boolean)):
            ["null and booleans are refused there; here they are values like others"]
        case .text(.prefixIgnoringCase, _), .text(.suffixIgnoringCase, _):
            ["equals-ignore-case within prefix or suffix is refused there"]
        case .numeric: ["numeric is refused there"]
        case .text(let text, let operand): Self.ofText(text, operand: operand).map(\.sentence)
        case .equals, .exists, .anythingBut, .allOf, .allOfParameter: []
        }
    }

    private static func ofText(
        _ text: TextOperator,
        operand: PatternOperand
    ) -> [(member: String, sentence: String)] {
        guard case .value(.string(let literal)) = operand else { return [] }
        switch text {
        case .wildcard where literal.utf8.count(where: { $0 == 0x2a }) >= manyStars:
            return [(".wildcard", "a wildcard with so many stars may be refused there")]
        case .cidr where literal.utf8.contains(0x3a) && literal.utf8.contains(0x2e):
            return [(".cidr", "IPv6 with an IPv4 tail is refused there")]
        case .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase:
            if literal.utf8.allSatisfy({ $0 < 0x80 }) { return [] }
            let sentence = "there letters beyond ASCII are compared by other rules: ß equals SS"
            return [(".equals-ignore-case", sentence)]
        case .wildcard, .cidr, .prefix, .suffix, .regexp: return []
        }
    }

    private static func ofBounds(_ bounds: [NumericBound]) -> [String] {
        var sentences: [String] = []
        if bounds.contains(where: { $0.comparison == .notEqual }) {
            sentences.append("EventBridge has no !=, and refuses it")
        }
        let first = bounds.first?.comparison
        if bounds.count > 1 && (first == .less || first == .lessOrEqual) {
            sentences.append("an upper bound before the lower one is refused there")
        }
        if bounds.contains(where: { isLong($0.operand) }) {
            sentences.append("there numbers are rounded or refused; here they are exact")
        }
        return sentences
    }

    /// Whether a number has more digits than a double keeps.
    private static func isLong(_ operand: PatternOperand) -> Bool {
        guard case .value(.number(let text)) = operand else { return false }
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        return digits.drop { $0 == "0" }.count > exactDigits
    }
}

extension PatternValue {
    fileprivate var type: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        }
    }
}
