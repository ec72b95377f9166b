internal import Basics

/// Parsing operands: values written in the pattern, and placeholders for values of each widget.
extension PatternParser {
    /// Parses a string, number, boolean or null; the caller has made sure that it is one of them.
    mutating func scalarOperand() throws(PatternError) -> PatternOperand {
        switch reader.peek() {
        case .string: return try stringOperand()
        case .number: return .value(.number(try number()))
        case .true, .false: return .value(.boolean(reader.readBoolean()))
        case .null, .object, .array:
            reader.skipValue()
            return .value(.null)
        }
    }

    /// Parses a string: a literal or a placeholder.
    mutating func stringOperand() throws(PatternError) -> PatternOperand {
        let start = reader.offset
        let text = reader.readString().string
        try checkLength(text.utf8.count, at: start, of: "string")
        switch Placeholder(text) {
        case .none: return .value(.string(text))
        case .parameter(let name): return .parameter(name)
        case .malformed:
            throw error(
                "a placeholder must be the whole string and of the form ${configuration.NAME}, "
                    + "with a name of 1 to \(Placeholder.nameLimit) bytes without braces",
                code: .placeholder,
                at: start
            )
        }
    }

    /// The number as it is written.
    private mutating func number() throws(PatternError) -> String {
        let start = reader.offset
        let text = reader.readNumber()
        try checkLength(text.count, at: start, of: "number")
        return text.string
    }

    // MARK: - Operands of string operators

    /// Parses the operand of the string operator `name`: one string or, if `mayBeList`, a list of
    /// them.
    mutating func textOperands(
        _ text: TextOperator,
        of name: String,
        mayBeList: Bool
    ) throws(PatternError) -> [PatternOperand] {
        if mayBeList && reader.peek() == .array {
            return try list { parser throws(PatternError) in
                try parser.textOperand(text, of: name, expected: "strings", isExcluded: true)
            }
        }
        return [
            try textOperand(
                text,
                of: name,
                expected: mayBeList ? "a string or a list of them" : "a string",
                isExcluded: mayBeList
            )
        ]
    }

    /// Parses one string and checks that the operator can use it; `expected` names what it takes,
    /// for errors. If `isExcluded`, it stands in `anything-but`.
    private mutating func textOperand(
        _ text: TextOperator,
        of name: String,
        expected: String,
        isExcluded: Bool
    ) throws(PatternError) -> PatternOperand {
        let start = reader.offset
        guard reader.peek() == .string else {
            throw error("\(name) is given \(nounOfNext()); it takes \(expected)", code: .operand)
        }
        let operand = try stringOperand()
        guard case .value(.string(let literal)) = operand else { return operand }
        if let problem = LiteralChecks.problem(literal, for: text) {
            throw error(problem.sentence, code: problem.code, at: start)
        }
        if isExcluded && !isStored, let place = text.placeOfEmptyText, literal.isEmpty {
            throw error(
                "every string \(place) the empty text, so anything-but would exclude them "
                    + "all; name the text that is not wanted there",
                code: .operand,
                at: start
            )
        }
        return operand
    }

    // MARK: - Bounds of `numeric`

    /// Parses the list of `numeric`: comparisons and numbers alternate. Ranges that contain no
    /// number are refused.
    mutating func bounds() throws(PatternError) -> [NumericBound] {
        let start = reader.offset
        guard reader.peek() == .array else {
            throw error(
                "numeric is given \(nounOfNext()); it takes a list such as [\">=\", 0, \"<\", 10]",
                code: .numeric
            )
        }
        reader.enterArray()
        var bounds: [NumericBound] = []
        while reader.nextElement() {
            path.enter(element: 2 * bounds.count)
            bounds.append(try bound(after: bounds))
            path.leave()
        }
        if bounds.isEmpty {
            throw error(
                "the list is empty; it must have a comparison and a number, such as [\">\", 0]",
                code: .emptyList,
                at: start
            )
        }
        if bounds.count == 2 && LiteralChecks.isEmpty(bounds[0], and: bounds[1]) {
            throw error("no number is in the range; exchange its bounds", code: .range, at: start)
        }
        return bounds
    }

    /// Parses one comparison and its number; `others` are the bounds before it.
    private mutating func bound(after others: [NumericBound]) throws(PatternError) -> NumericBound {
        let start = reader.offset
        let text = reader.rawValue().string
        let comparison = NumericComparison.allCases.first { "\"\($0.rawValue)\"" == text }
        guard let comparison else {
            throw error(
                "a comparison must stand here: \"=\", \"!=\", \"<\", \"<=\", \">\" or \">=\"",
                code: .numeric,
                at: start
            )
        }
        if let problem = problem(with: comparison, after: others) {
            throw error(problem, code: .numeric, at: start)
        }
        let operandStart = reader.offset
        guard reader.nextElement() else {
            throw error("the comparison has no number behind it", code: .numeric, at: operandStart)
        }
        path.leave()
        path.enter(element: 2 * others.count + 1)
        return NumericBound(comparison, operand: try numericOperand())
    }

    /// Why a comparison cannot follow other bounds; nil if it can.
    private func problem(
        with comparison: NumericComparison,
        after others: [NumericBound]
    ) -> String? {
        guard let other = others.first else { return nil }
        if comparison.side == nil || other.comparison.side == nil {
            return "= and != stand alone; a range has one of > and >=, and one of < and <="
        }
        if others.contains(where: { $0.comparison.side == comparison.side }) {
            return "a range has at most one of > and >=, and at most one of < and <="
        }
        return nil
    }

    /// Parses a number or a placeholder.
    private mutating func numericOperand() throws(PatternError) -> PatternOperand {
        let start = reader.offset
        if reader.peek() == .number { return .value(.number(try number())) }
        let noun = nounOfNext()
        if reader.peek() == .string, case .parameter(let name) = try stringOperand() {
            return .parameter(name)
        }
        throw error(
            "the comparison is followed by \(noun); a number or \"${configuration.NAME}\" must "
                + "stand here",
            code: .numeric,
            at: start
        )
    }
}

extension NumericComparison {
    /// The end of a range that the comparison bounds: true for the lower, false for the upper; nil
    /// for neither.
    fileprivate var side: Bool? {
        switch self {
        case .greater, .greaterOrEqual: true
        case .less, .lessOrEqual: false
        case .equal, .notEqual: nil
        }
    }
}

extension TextOperator {
    /// How every string has the empty text, if the operator asks for it so.
    fileprivate var placeOfEmptyText: String? {
        switch self {
        case .prefix, .prefixIgnoringCase: "begins with"
        case .suffix, .suffixIgnoringCase: "ends with"
        case .equalsIgnoringCase, .wildcard, .regexp, .cidr: nil
        }
    }
}

/// How a string of a pattern is to be read: literally, or as the placeholder
/// `${configuration.NAME}`.
///
/// Bytes are compared, not characters: `String` would not find a `${` followed by a combining mark.
enum Placeholder: Equatable {
    /// The string has no `${` and stands for itself.
    case none
    /// A placeholder for the widget's parameter of this name.
    case parameter(String)
    /// The string contains `${` but is not a placeholder.
    case malformed

    /// The longest name of a parameter, in bytes.
    static var nameLimit: Int { 128 }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let opening = Array("${configuration.".utf8)
        guard Self.hasOpening(bytes) else {
            self = .none
            return
        }
        let name = bytes.dropFirst(opening.count).dropLast()
        let isWellFormed =
            bytes.starts(with: opening) && bytes.last == 0x7d
            && (1...Self.nameLimit).contains(name.count)
            && !name.contains(0x7b) && !name.contains(0x7d)
        self = isWellFormed ? .parameter(String(decoding: name, as: UTF8.self)) : .malformed
    }

    /// Whether `${` occurs anywhere.
    private static func hasOpening(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == 0x24 && bytes[$0 + 1] == 0x7b }
    }
}
