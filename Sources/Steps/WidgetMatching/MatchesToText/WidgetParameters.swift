internal import Basics

/// The parameters of one widget, for `RuleExplainer`.
struct WidgetParameters {
    private let members: [JSONValue.Member]

    init(_ members: [JSONValue.Member]) {
        self.members = members
    }

    /// The value of a parameter, which may be a list; nil if the widget does not have it.
    func value(of name: String) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The values for which an operand stands; none for a missing parameter.
    func values(of operand: PatternOperand) -> [JSONValue] {
        switch operand {
        case .value(let value): [JSONValue(value)]
        case .parameter(let name): value(of: name)?.elements ?? []
        }
    }

    /// The parameters that a condition names and the widget does not have, each once.
    func missing(in condition: PatternCondition) -> [String] {
        condition.parameterNames.reduce(into: []) { missing, name in
            if value(of: name) == nil && !missing.contains(name) { missing.append(name) }
        }
    }
}

extension JSONValue {
    /// The JSON value that a rule's value stands for.
    init(_ value: PatternValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .number(let text): .number(text)
            case .boolean(let value): .boolean(value)
            case .null: .null
            }
    }
}

extension PatternCondition {
    /// The parameters named anywhere in the condition; may repeat.
    fileprivate var parameterNames: [String] {
        switch self {
        case .field(_, let tests): tests.flatMap(\.parameterNames)
        case .nested(_, let pattern): pattern.conditions.flatMap(\.parameterNames)
        case .anyOf(let patterns):
            patterns.flatMap { $0.conditions.flatMap(\.parameterNames) }
        }
    }
}

extension PatternTest {
    /// The parameters named in the test; may repeat.
    fileprivate var parameterNames: [String] {
        switch self {
        case .equals(let operand), .text(_, let operand): operand.parameterNames
        case .numeric(let bounds): bounds.flatMap(\.operand.parameterNames)
        case .exists: []
        case .anythingBut(let tests), .allOf(let tests): tests.flatMap(\.parameterNames)
        case .allOfParameter(let name): [name]
        }
    }
}

extension PatternOperand {
    /// The parameter that the operand is, if it is one.
    fileprivate var parameterNames: [String] {
        if case .parameter(let name) = self { return [name] }
        return []
    }
}
