import Basics
import EventPatterns

/// The pattern that a text is.
func parse(_ text: String) throws(PatternError) -> EventPattern {
    try parse(Array(text.utf8))
}

func parse(_ bytes: [UInt8]) throws(PatternError) -> EventPattern {
    try bytes.withByteView { view throws(PatternError) in try PatternParser.parse(view) }
}

/// Why a text is refused; nil if it is not.
func refusal(_ text: String) -> PatternError? {
    do throws(PatternError) {
        _ = try parse(text)
        return nil
    } catch {
        return error
    }
}

/// Writes patterns in one form each: what the parser reads of it must be the pattern again.
enum PatternPrinter {
    static func text(_ pattern: EventPattern) -> String {
        "{" + pattern.conditions.map(condition).joined(separator: ",") + "}"
    }

    private static func condition(_ condition: PatternCondition) -> String {
        switch condition {
        case .field(let name, let tests): quoted(name) + ":" + list(tests.map(test))
        case .nested(let name, let pattern): quoted(name) + ":" + text(pattern)
        case .anyOf(let patterns): "\"$or\":" + list(patterns.map(text))
        }
    }

    private static func test(_ test: PatternTest) -> String {
        switch test {
        case .equals(let operand): value(operand)
        case .text(let operation, let operand): Self.operation(operation, value(operand))
        case .numeric(let bounds): numeric(bounds)
        case .exists(let isThere): #"{"exists":\#(isThere)}"#
        case .anythingBut(let tests): #"{"anything-but":\#(excluded(tests))}"#
        case .allOf(let tests): #"{"all-of":\#(list(tests.map(Self.test)))}"#
        case .allOfParameter(let name): #"{"all-of":\#(value(.parameter(name)))}"#
        }
    }

    private static func excluded(_ tests: [PatternTest]) -> String {
        var operation: TextOperator?
        var operands: [String] = []
        for test in tests {
            switch test {
            case .equals(let operand): operands.append(value(operand))
            case .text(let common, let operand):
                operation = common
                operands.append(value(operand))
            case .numeric(let bounds): return numeric(bounds)
            case .exists, .anythingBut, .allOf, .allOfParameter: return "no such thing"
            }
        }
        return operation.map { Self.operation($0, list(operands)) } ?? list(operands)
    }

    private static func operation(_ operation: TextOperator, _ operand: String) -> String {
        switch operation {
        case .prefixIgnoringCase: #"{"prefix":{"equals-ignore-case":\#(operand)}}"#
        case .suffixIgnoringCase: #"{"suffix":{"equals-ignore-case":\#(operand)}}"#
        default: #"{"\#(operation.rawValue)":\#(operand)}"#
        }
    }

    private static func numeric(_ bounds: [NumericBound]) -> String {
        let elements = bounds.flatMap { [quoted($0.comparison.rawValue), value($0.operand)] }
        return #"{"numeric":\#(list(elements))}"#
    }

    private static func value(_ operand: PatternOperand) -> String {
        switch operand {
        case .parameter(let name): quoted("${configuration.\(name)}")
        case .value(.string(let text)): quoted(text)
        case .value(.number(let text)): text
        case .value(.boolean(let value)): value ? "true" : "false"
        case .value(.null): "null"
        }
    }

    private static func list(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..<" ":
                "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + scalars.joined() + "\""
    }
}
