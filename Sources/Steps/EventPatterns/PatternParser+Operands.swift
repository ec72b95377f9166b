internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// Values: those of the pattern itself, and those that each widget brings.
extension PatternParser {
    /// Reads a string, number, boolean or null; the value must be one.
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

    /// Reads a string: itself, or a placeholder.
    mutating func stringOperand() throws(PatternError) -> PatternOperand {
        let start = reader.offset
        let text = reader.readString().string
        try checkLength(text.utf8.count, at: start, "string")
        switch Placeholder(text) {
        case .none: return .value(.string(text))
        case .parameter(let name): return .parameter(name)
        case .malformed:
            throw error(
                .placeholder,
                at: start,
                "a placeholder must be the whole string and of the form ${configuration.NAME}, "
                    + "with a name of 1 to \(Placeholder.nameLimit) bytes without braces"
            )
        }
    }

    private mutating func number() throws(PatternError) -> String {
        let start = reader.offset
        let text = reader.readNumber()
        try checkLength(text.count, at: start, "number")
        return text.string
    }

    // MARK: - Strings of operators

    /// Reads what an operator on strings is given: one string, or where they may be, several.
    mutating func textOperands(
        _ text: TextOperator,
        _ name: String,
        mayBeList: Bool
    ) throws(PatternError) -> [PatternOperand] {
        if mayBeList && reader.peek() == .array {
            return try list { parser throws(PatternError) in
                try parser.textOperand(text, name, "strings")
            }
        }
        return [try textOperand(text, name, mayBeList ? "a string or a list of them" : "a string")]
    }

    private mutating func textOperand(
        _ text: TextOperator,
        _ name: String,
        _ expected: String
    ) throws(PatternError) -> PatternOperand {
        let start = reader.offset
        guard reader.peek() == .string else {
            throw error(.operand, at: start, "\(name) is given \(found()); it takes \(expected)")
        }
        let operand = try stringOperand()
        guard case .value(.string(let literal)) = operand else { return operand }
        if let problem = LiteralChecks.problem(literal, for: text) {
            throw error(problem.code, at: start, problem.sentence)
        }
        return operand
    }

    // MARK: - Bounds of numbers

    /// Reads the list of `numeric`: comparisons and numbers in turn.
    mutating func bounds() throws(PatternError) -> [NumericBound] {
        let start = reader.offset
        guard reader.peek() == .array else {
            throw error(
                .numeric,
                at: start,
                "numeric is given \(found()); it takes a list such as [\">=\", 0, \"<\", 10]"
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
                at: start,
                "the list is empty; it must have a comparison and a number, such as [\">\", 0]"
            )
        }
        if bounds.count == 2 && LiteralChecks.isEmpty(bounds[0], bounds[1]) {
            throw error(.range, at: start, "no number is in the range; exchange its bounds")
        }
        return bounds
    }

    private mutating func bound(after others: [NumericBound]) throws(PatternError) -> NumericBound {
        let start = reader.offset
        let text = reader.rawValue().string
        let comparison = NumericComparison.allCases.first { "\"\($0.rawValue)\"" == text }
        guard let comparison else {
            throw error(
                .numeric,
                at: start,
                "a comparison must stand here: \"=\", \"!=\", \"<\", \"<=\", \">\" or \">=\""
            )
        }
        if let problem = problem(with: comparison, after: others) {
            throw error(.numeric, at: start, problem)
        }
        let operandStart = reader.offset
        guard reader.nextElement() else {
            throw error(.numeric, at: operandStart, "the comparison has no number behind it")
        }
        path.leave()
        path.enter(element: 2 * others.count + 1)
        return NumericBound(comparison, try numericOperand())
    }

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

    private mutating func numericOperand() throws(PatternError) -> PatternOperand {
        let start = reader.offset
        if reader.peek() == .number { return .value(.number(try number())) }
        let noun = found()
        if reader.peek() == .string, case .parameter(let name) = try stringOperand() {
            return .parameter(name)
        }
        throw error(
            .numeric,
            at: start,
            "the comparison is followed by \(noun); a number or \"${configuration.NAME}\" must "
                + "stand here"
        )
    }
}

extension NumericComparison {
    /// Which end of a range it bounds: true the lower, false the upper.
    fileprivate var side: Bool? {
        switch self {
        case .greater, .greaterOrEqual: true
        case .less, .lessOrEqual: false
        case .equal, .notEqual: nil
        }
    }
}
