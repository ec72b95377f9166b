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

    /// The parameters that a rule names and the widget does not have, each once.
    func missing(in names: [String]) -> [String] {
        names.reduce(into: []) { missing, name in
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
