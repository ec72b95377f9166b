internal import Basics

/// The fields of an app's payloads and the parameters of its widgets that get another value in each
/// copy of a scaled replay, so that the pushes of a copy concern only the widgets of that copy.
///
/// A field is scaled if rules compare it for equality with parameters, and apart from that only
/// with literal values, which stay as they are. A parameter is scaled if it is compared only with
/// such fields. Fields that operators such as `prefix` or `numeric` test stay the same in all
/// copies.
struct ScaledFields {
    /// The scaled fields, as the names on the way to them.
    private var paths: Set<[String]> = []
    /// The strings that rules compare with literally.
    private var literals: Set<String> = []
    /// The scaled parameters of each kind.
    private var parameters: [String: Set<String>] = [:]
    /// Kinds without a rule: each parameter is compared with the member of the same name.
    private var unruled: Set<String> = []
    /// Members of the payload that are never scaled.
    private var blockedMembers: Set<String> = []

    init(_ app: AppDeclaration) {
        var uses = FieldUses()
        for kind in app.kinds {
            if let rule = kind.rule {
                uses.add(rule, of: kind.kind)
            } else {
                unruled.insert(kind.kind)
            }
        }
        uses.settle()
        literals = uses.literals
        for use in uses.equalities where !uses.blockedPaths.contains(use.path) {
            paths.insert(use.path)
            parameters[use.kind, default: []].insert(use.parameter)
        }
        blockedMembers = Set(uses.blockedPaths.filter { $0.count == 1 }.map { $0[0] })
    }

    /// Returns true if the field at a path is scaled. A member of the payload may be scaled
    /// although no rule names it: it may match a parameter of a kind without a rule.
    func isScaled(_ path: [String]) -> Bool {
        paths.contains(path)
            || path.count == 1 && !unruled.isEmpty && !blockedMembers.contains(path[0])
    }

    /// Returns true if a parameter of a kind is scaled.
    func isScaled(parameter: String, kind: String) -> Bool {
        if unruled.contains(kind) { return !blockedMembers.contains(parameter) }
        return parameters[kind]?.contains(parameter) ?? false
    }

    /// Returns true if rules compare with the string literally.
    func isLiteral(_ value: String) -> Bool { literals.contains(value) }
}

/// How the rules of an app use the fields of payloads.
private struct FieldUses {
    /// A comparison for equality of a parameter with the field at a path.
    struct Equality {
        let kind: String
        let parameter: String
        let path: [String]
    }

    private(set) var equalities: [Equality] = []
    /// Fields that must not be scaled, as the names on the way to them.
    private(set) var blockedPaths: Set<[String]> = []
    private(set) var literals: Set<String> = []
    /// Parameters that are compared by other operators, as kind and name.
    private var blockedParameters: Set<[String]> = []

    /// Adds the uses of fields in a rule.
    mutating func add(_ pattern: EventPattern, of kind: String, at path: [String] = []) {
        for condition in pattern.conditions {
            switch condition {
            case .field(let name, let tests):
                for test in tests { add(test, of: kind, at: path + [name]) }
            case .nested(let name, let pattern): add(pattern, of: kind, at: path + [name])
            case .anyOf(let patterns): for pattern in patterns { add(pattern, of: kind, at: path) }
            }
        }
    }

    private mutating func add(_ test: PatternTest, of kind: String, at path: [String]) {
        switch test {
        case .equals(.parameter(let name)), .allOfParameter(let name):
            equalities.append(Equality(kind: kind, parameter: name, path: path))
        case .equals(.value(let value)): if case .string(let text) = value { literals.insert(text) }
        case .exists: break
        case .anythingBut(let tests), .allOf(let tests):
            for test in tests { add(test, of: kind, at: path) }
        case .text(_, let operand): block(operand, of: kind, at: path)
        case .numeric(let bounds): for bound in bounds { block(bound.operand, of: kind, at: path) }
        }
    }

    private mutating func block(_ operand: PatternOperand, of kind: String, at path: [String]) {
        blockedPaths.insert(path)
        if case .parameter(let name) = operand { blockedParameters.insert([kind, name]) }
    }

    /// Blocks every field and parameter that is compared with a blocked one, directly or through
    /// others.
    mutating func settle() {
        var hasChanged = true
        while hasChanged {
            let before = blockedPaths.count + blockedParameters.count
            for use in equalities {
                let parameter = [use.kind, use.parameter]
                if blockedPaths.contains(use.path) || blockedParameters.contains(parameter) {
                    blockedPaths.insert(use.path)
                    blockedParameters.insert(parameter)
                }
            }
            hasChanged = blockedPaths.count + blockedParameters.count > before
        }
    }
}
