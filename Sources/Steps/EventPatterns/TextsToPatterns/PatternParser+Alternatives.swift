internal import Basics

/// Parsing what a field's list contains: values, and objects with one operator each.
extension PatternParser {
    /// Parses one alternative of a field; within `all-of`, another `all-of` is refused.
    mutating func alternative(mayBeAllOf: Bool) throws(PatternError) -> PatternTest {
        switch reader.peek() {
        case .string, .number, .true, .false, .null: return .equals(try scalarOperand())
        case .object:
            return try single { (parser, name) throws(PatternError) in
                try parser.operation(name, mayBeAllOf: mayBeAllOf)
            }
        case .array:
            throw error(
                "a list stands in the list; an alternative is a string, number, boolean, null or "
                    + "an object with one operator",
                code: .alternative
            )
        }
    }

    /// Parses what follows the operator `name`.
    private mutating func operation(
        _ name: String,
        mayBeAllOf: Bool
    ) throws(PatternError) -> PatternTest {
        let known = try operation(name, of: PatternOperator.allCases)
        switch known {
        case .anythingBut: return .anythingBut(try excluded())
        case .numeric: return .numeric(try bounds())
        case .exists: return .exists(try existence())
        case .allOf:
            if mayBeAllOf { return try allOf() }
            throw error(
                "all-of stands within all-of; put its tests into the outer list",
                code: .alternative
            )
        case .prefix, .suffix, .equalsIgnoreCase, .wildcard, .regexp, .cidr:
            let (text, operands) = try textTest(known, mayBeList: false)
            return .text(text, operands[0])
        }
    }

    // MARK: - Operators

    /// Parses what follows `exists`: true or false.
    private mutating func existence() throws(PatternError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else {
            throw error("exists is given \(nounOfNext()); it takes true or false", code: .operand)
        }
        return reader.readBoolean()
    }

    /// Parses what follows `all-of`: a list of alternatives or a placeholder.
    private mutating func allOf() throws(PatternError) -> PatternTest {
        if reader.peek() == .array {
            return .allOf(
                try list { parser throws(PatternError) in
                    try parser.alternative(mayBeAllOf: false)
                }
            )
        }
        let start = reader.offset
        if reader.peek() == .string, case .parameter(let name) = try stringOperand() {
            return .allOfParameter(name)
        }
        throw error(
            "all-of takes a list of alternatives, or \"${configuration.NAME}\" for all values of "
                + "the parameter",
            code: .operand,
            at: start
        )
    }

    /// Parses what follows `anything-but`: a value, a list of values, or an object with one
    /// operator.
    private mutating func excluded() throws(PatternError) -> [PatternTest] {
        switch reader.peek() {
        case .string, .number, .true, .false, .null: return [.equals(try scalarOperand())]
        case .array:
            return try list { parser throws(PatternError) in
                try parser.excludedValue()
            }
        case .object:
            return try single { (parser, name) throws(PatternError) in
                try parser.excludedOperation(name)
            }
        }
    }

    /// Parses a value in the list of `anything-but`.
    private mutating func excludedValue() throws(PatternError) -> PatternTest {
        let kind = reader.peek()
        if kind == .object || kind == .array {
            throw error(
                "\(nounOfNext()) stands in the list of anything-but, which takes values; to exclude "
                    + "by an operator write {\"anything-but\": {\"prefix\": [\"…\", \"…\"]}}",
                code: .operand
            )
        }
        return .equals(try scalarOperand())
    }

    /// Parses what follows an operator within `anything-but`, which may take a list of strings.
    private mutating func excludedOperation(_ name: String) throws(PatternError) -> [PatternTest] {
        let known = try operation(name, of: PatternOperator.negatable, within: "anything-but")
        if known == .numeric { return [.numeric(try bounds())] }
        let (text, operands) = try textTest(known, mayBeList: true)
        return operands.map { .text(text, $0) }
    }

    /// Parses what follows an operator on strings: one string or, if `mayBeList`, a list of them;
    /// or an object with `equals-ignore-case`, which selects the variant that ignores case.
    private mutating func textTest(
        _ known: PatternOperator,
        mayBeList: Bool
    ) throws(PatternError) -> (TextOperator, [PatternOperand]) {
        guard let text = known.text else { preconditionFailure("\(known) is on strings") }
        guard reader.peek() == .object, let ignoringCase = known.textIgnoringCase else {
            return (text, try textOperands(text, of: known.rawValue, mayBeList: mayBeList))
        }
        let operands = try single { (parser, name) throws(PatternError) in
            _ = try parser.operation(name, of: [.equalsIgnoreCase], within: known.rawValue)
            return try parser.textOperands(ignoringCase, of: name, mayBeList: mayBeList)
        }
        return (ignoringCase, operands)
    }

    // MARK: - Names of operators

    /// Parses an object with exactly one member, the operator; `body` parses its value.
    private mutating func single<Value>(
        _ body: (inout PatternParser, String) throws(PatternError) -> Value
    ) throws(PatternError) -> Value {
        let start = reader.offset
        reader.enterObject()
        guard let key = reader.nextKey() else {
            throw error(
                "the object is empty; it must have one operator, such as {\"prefix\": \"…\"}",
                code: .emptyObject,
                at: start
            )
        }
        let name = key.string
        path.enter(member: name)
        let value = try body(&self, name)
        path.leave()
        if let second = reader.nextKey() {
            path.enter(member: second.string)
            throw error(
                "a second operator stands in the object; give each an object of its own, in the "
                    + "list if one must hold, in {\"all-of\": […]} if all must",
                code: .operatorCount
            )
        }
        return value
    }

    /// The operator with this name, if it is allowed here; `outer` is the operator around it, for
    /// errors.
    private func operation(
        _ name: String,
        of allowed: [PatternOperator],
        within outer: String? = nil
    ) throws(PatternError) -> PatternOperator {
        if let known = PatternOperator(rawValue: name) {
            if allowed.contains(known) { return known }
            throw error(
                "\(name) cannot stand within \(outer ?? "a list"); there can only "
                    + PatternOperator.names(allowed),
                code: .operand
            )
        }
        throw error(unknownOperator(name, allowed: allowed), code: .operatorUnknown)
    }

    /// The message for an unknown operator, with a suggestion if one is near.
    private func unknownOperator(_ name: String, allowed: [PatternOperator]) -> String {
        var message = "there is no operator " + (name.utf8.count <= 64 ? name : "of this name")
        if let form = PatternOperator.suggestion(for: name) {
            message += "; write \(form)"
        } else if reader.peek() == .array || reader.peek() == .object {
            message += "; a pattern for members of the field stands there without the list"
        }
        return message + "; known are \(PatternOperator.names(allowed))"
    }
}
