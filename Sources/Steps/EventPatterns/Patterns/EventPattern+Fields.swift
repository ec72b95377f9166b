package import Basics

/// What a pattern says of the members of an event.
extension EventPattern {
    /// A member that the pattern tests.
    package typealias Field = (path: [String], tests: [PatternTest])

    /// Each field with its tests, also in branches of `$or`, in the order of the pattern.
    package var fields: [Field] {
        conditions.flatMap { condition -> [Field] in
            switch condition {
            case .field(let name, let tests): [([name], tests)]
            case .nested(let name, let pattern): pattern.fields.map { ([name] + $0.path, $0.tests) }
            case .anyOf(let patterns): patterns.flatMap(\.fields)
            }
        }
    }

    /// The paths of the members that the rule compares for equality with values of the
    /// configuration, each once, in the order of the rule: an event's values there say of which
    /// entity it is.
    package var keyPaths: [[String]] {
        Self.distinctPaths(of: fields.filter { $0.tests.contains(where: \.isOfConfiguration) })
    }

    /// The paths of the members that an event must have, or that an alternative needs: those of all
    /// fields that do not hold for an absent member.
    package var expectedPaths: [[String]] {
        Self.distinctPaths(
            of: fields.filter { field in
                // What an event says of itself is not in its payload.
                !(field.path.count > 1 && field.path[0] == "$event")
                    && !field.tests.contains(where: \.holdsForAbsent)
            }
        )
    }

    /// The names of the parameters that the rule has, each at least once.
    package var parameterNames: [String] { fields.flatMap(\.tests).flatMap(\.parameterNames) }

    /// The paths of fields, each once byte for byte.
    private static func distinctPaths(of fields: [Field]) -> [[String]] {
        fields.reduce(into: []) { paths, field in
            let isKnown = paths.contains {
                $0.elementsEqual(field.path) { $0.utf8.elementsEqual($1.utf8) }
            }
            if !isKnown { paths.append(field.path) }
        }
    }
}

extension PatternTest {
    /// The tests of which `all-of` or `anything-but` is made, or else the test itself.
    package var parts: [PatternTest] {
        switch self {
        case .anythingBut(let tests), .allOf(let tests): tests.flatMap(\.parts)
        case .equals, .text, .numeric, .exists, .allOfParameter: [self]
        }
    }

    /// The parameters that the test names; may repeat.
    package var parameterNames: [String] {
        parts.flatMap { part -> [String] in
            switch part {
            case .equals(.parameter(let name)), .text(_, .parameter(let name)),
                .allOfParameter(let name):
                [name]
            case .numeric(let bounds):
                bounds.compactMap {
                    if case .parameter(let name) = $0.operand { name } else { nil }
                }
            case .equals, .text, .exists, .anythingBut, .allOf: []
            }
        }
    }

    /// Whether the test is equality with a value of the configuration.
    fileprivate var isOfConfiguration: Bool {
        switch self {
        case .equals(.parameter), .allOfParameter: true
        case .allOf(let tests): tests.contains(where: \.isOfConfiguration)
        case .equals, .text, .numeric, .exists, .anythingBut: false
        }
    }

    /// Whether the test holds for a member that an event does not have.
    fileprivate var holdsForAbsent: Bool {
        switch self {
        case .exists(let isThere): !isThere
        case .allOf(let tests): tests.allSatisfy(\.holdsForAbsent)
        case .equals, .text, .numeric, .anythingBut, .allOfParameter: false
        }
    }
}
