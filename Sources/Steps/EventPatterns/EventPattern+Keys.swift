package import Basics

/// Where a rule says of which entity an event is.
extension EventPattern {
    /// The paths of the members that the rule compares for equality with values of the
    /// configuration, each once, in the order of the rule: an event's values there say of which
    /// entity it is.
    package var keyPaths: [[String]] {
        var paths: [[String]] = []
        collectKeys(within: [], into: &paths)
        return paths
    }

    /// The paths of the members that an event must have, or that an alternative needs: those of all
    /// fields that do not hold for an absent member.
    package var expectedPaths: [[String]] {
        var paths: [[String]] = []
        collectExpected(within: [], into: &paths)
        return paths
    }

    private func collectExpected(within outer: [String], into paths: inout [[String]]) {
        for condition in conditions {
            switch condition {
            case .field(let name, let tests) where !tests.contains(where: \.holdsForAbsent):
                let path = outer + [name]
                if !paths.contains(where: { Self.isSame($0, as: path) }) { paths.append(path) }
            case .field: break
            case .nested(let name, let pattern):
                // What an event says of itself is not in its payload.
                if outer.isEmpty && name == "$event" { continue }
                pattern.collectExpected(within: outer + [name], into: &paths)
            case .anyOf(let patterns):
                for pattern in patterns { pattern.collectExpected(within: outer, into: &paths) }
            }
        }
    }

    /// The names of the parameters that the rule has, each at least once.
    package var parameterNames: [String] {
        conditions.flatMap { condition in
            switch condition {
            case .field(_, let tests): tests.flatMap(\.parameterNames)
            case .nested(_, let pattern): pattern.parameterNames
            case .anyOf(let patterns): patterns.flatMap(\.parameterNames)
            }
        }
    }

    private func collectKeys(within outer: [String], into paths: inout [[String]]) {
        for condition in conditions {
            switch condition {
            case .field(let name, let tests) where tests.contains(where: \.isOfConfiguration):
                let path = outer + [name]
                if !paths.contains(where: { Self.isSame($0, as: path) }) { paths.append(path) }
            case .field: break
            case .nested(let name, let pattern):
                pattern.collectKeys(within: outer + [name], into: &paths)
            case .anyOf(let patterns):
                for pattern in patterns { pattern.collectKeys(within: outer, into: &paths) }
            }
        }
    }

    /// Whether two paths are the same byte for byte.
    private static func isSame(_ left: [String], as right: [String]) -> Bool {
        left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension PatternTest {
    fileprivate var parameterNames: [String] {
        switch self {
        case .equals(.parameter(let name)), .text(_, .parameter(let name)),
            .allOfParameter(let name):
            [name]
        case .numeric(let bounds):
            bounds.compactMap { if case .parameter(let name) = $0.operand { name } else { nil } }
        case .anythingBut(let tests), .allOf(let tests): tests.flatMap(\.parameterNames)
        case .equals, .text, .exists: []
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
}

extension PatternTest {
    /// Whether the test holds for a member that an event does not have.
    fileprivate var holdsForAbsent: Bool {
        switch self {
        case .exists(let isThere): !isThere
        case .allOf(let tests): tests.allSatisfy(\.holdsForAbsent)
        default: false
        }
    }
}
