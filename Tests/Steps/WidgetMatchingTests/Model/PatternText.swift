import Basics

extension EventPattern {
    /// The pattern as an app file has it, for messages.
    var json: String {
        "{\(conditions.map(\.json).joined(separator: ","))}"
    }
}

extension PatternCondition {
    fileprivate var json: String {
        switch self {
        case .field(let name, let tests): "\(quoted(name)):[\(list(tests))]"
        case .nested(let name, let pattern): "\(quoted(name)):\(pattern.json)"
        case .anyOf(let patterns): #""$or":[\#(patterns.map(\.json).joined(separator: ","))]"#
        }
    }
}

extension PatternTest {
    fileprivate var json: String {
        switch self {
        case .equals(let operand): operand.json
        case .text(let textOperator, let operand): "{\(textOperator.json(operand.json))}"
        case .numeric(let bounds):
            #"{"numeric":[\#(bounds.map(\.json).joined(separator: ","))]}"#
        case .exists(let wanted): #"{"exists":\#(wanted)}"#
        case .anythingBut(let tests): #"{"anything-but":\#(Self.excluded(tests))}"#
        case .allOf(let tests): #"{"all-of":[\#(list(tests))]}"#
        case .allOfParameter(let name): #"{"all-of":"${configuration.\#(name)}"}"#
        }
    }

    /// The operand of `anything-but`: one operator with a list, or a list of values.
    private static func excluded(_ tests: [PatternTest]) -> String {
        switch tests[0] {
        case .text(let textOperator, _):
            let operands = tests.map { test -> String in
                if case .text(textOperator, let operand) = test { return operand.json }
                return test.json
            }
            return "{\(textOperator.json("[\(operands.joined(separator: ","))]"))}"
        case .numeric: return tests[0].json
        case .equals, .exists, .anythingBut, .allOf, .allOfParameter: return "[\(list(tests))]"
        }
    }
}

extension TextOperator {
    fileprivate func json(_ operand: String) -> String {
        switch self {
        case .prefixIgnoringCase: #""prefix":{"equals-ignore-case":\#(operand)}"#
        case .suffixIgnoringCase: #""suffix":{"equals-ignore-case":\#(operand)}"#
        case .prefix, .suffix, .equalsIgnoringCase, .wildcard, .regexp, .cidr:
            "\(quoted(rawValue)):\(operand)"
        }
    }
}

extension NumericBound {
    fileprivate var json: String { "\(quoted(comparison.rawValue)),\(operand.json)" }
}

extension PatternOperand {
    fileprivate var json: String {
        switch self {
        case .parameter(let name): quoted("${configuration.\(name)}")
        case .value(.string(let text)): quoted(text)
        case .value(.number(let text)): text
        case .value(.boolean(let value)): "\(value)"
        case .value(.null): "null"
        }
    }
}

private func list(_ tests: [PatternTest]) -> String {
    tests.map(\.json).joined(separator: ",")
}

private func quoted(_ text: String) -> String {
    ModelValue.string(text).json
}
