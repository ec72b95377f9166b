import Basics

extension EventPattern {
    /// The parameters that are named anywhere, as often as they are.
    var parameterNames: [String] {
        conditions.flatMap { condition -> [String] in
            switch condition {
            case .field(_, let tests): tests.flatMap(\.parameterNames)
            case .nested(_, let pattern): pattern.parameterNames
            case .anyOf(let patterns): patterns.flatMap(\.parameterNames)
            }
        }
    }
}

extension PatternTest {
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
    fileprivate var parameterNames: [String] {
        if case .parameter(let name) = self { return [name] }
        return []
    }
}
