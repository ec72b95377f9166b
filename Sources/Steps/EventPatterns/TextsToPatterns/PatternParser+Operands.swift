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
                .placeholder,
                message:
                    "a placeholder must be the whole string and of the form ${configuration.NAME}, "
                    + "with a name of 1 to \(Placeholder.nameLimit) bytes without braces",
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
            throw error(.operand, message: "\(name) is given \(nounOfNext()); it takes \(expected)")
        }
        let operand = try stringOperand()
        guard case .value(.string(let literal)) = operand else { return operand }
        if let problem = LiteralChecks.problem(literal, for: text) {
            throw error(problem.code, message: problem.sentence, at: start)
        }
        if isExcluded && !isStored, let place = text.placeOfEmptyText, literal.isEmpty {
            throw error(
                .operand,
                message: "every string \(place) the empty text, so anything-but would exclude them "
                    + "all; name the text that is not wanted there",
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
                .numeric,
                message:
                    "numeric is given \(nounOfNext()); it takes a list such as [\">=\", 0, \"<\", 10]"
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
                .emptyList,
                message:
                    "the list is empty; it must have a comparison and a number, such as [\">\", 0]",
                at: start
            )
        }
        if bounds.count == 2 && LiteralChecks.isEmpty(bounds[0], and: bounds[1]) {
            throw error(
                .range,
                message: "no number is in the range; exchange its bounds",
                at: start
            )
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
                .numeric,
                message:
                    "a comparison must stand here: \"=\", \"!=\", \"<\", \"<=\", \">\" or \">=\"",
                at: start
            )
        }
        if let problem = problem(with: comparison, after: others) {
            throw error(.numeric, message: problem, at: start)
        }
        let operandStart = reader.offset
        guard reader.nextElement() else {
            throw error(
                .numeric,
                message: "the comparison has no number behind it",
                at: operandStart
            )
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
            .numeric,
            message:
                "the comparison is followed by \(noun); a number or \"${configuration.NAME}\" must "
                + "stand here",
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
