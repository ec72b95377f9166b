extension EventPattern {
    /// Whether two patterns are the same byte for byte.
    ///
    /// Stricter than `==`: Swift's strings are equal if they are canonically equivalent, but the
    /// names and values of patterns are matched byte by byte.
    package func isIdentical(to other: EventPattern) -> Bool {
        self == other
            && texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// All names and values of the pattern, in their order.
    private var texts: [String] { conditions.flatMap(\.texts) }
}

extension PatternCondition {
    fileprivate var texts: [String] {
        switch self {
        case .field(let name, let tests): [name] + tests.flatMap(\.texts)
        case .nested(let name, let pattern): [name] + pattern.conditions.flatMap(\.texts)
        case .anyOf(let patterns): patterns.flatMap { $0.conditions.flatMap(\.texts) }
        }
    }
}

extension PatternTest {
    fileprivate var texts: [String] {
        switch self {
        case .equals(let operand), .text(_, let operand): operand.texts
        case .numeric(let bounds): bounds.flatMap(\.operand.texts)
        case .exists: []
        case .anythingBut(let tests), .allOf(let tests): tests.flatMap(\.texts)
        case .allOfParameter(let name): [name]
        }
    }
}

extension PatternOperand {
    fileprivate var texts: [String] {
        switch self {
        case .value(.string(let text)), .value(.number(let text)), .parameter(let text): [text]
        case .value(.boolean), .value(.null): []
        }
    }
}
