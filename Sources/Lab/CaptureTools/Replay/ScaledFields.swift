internal import Basics

/// The fields of an app's payloads and the parameters of its widgets that get another value in each
/// copy of a scaled replay, so that the pushes of a copy concern only the widgets of that copy.
///
/// A field is scaled if rules compare it for equality with parameters, and apart from that only
/// with literal values, which stay as they are. A parameter is scaled if it is compared only with
/// such fields. Fields that operators such as `prefix` or `numeric` test stay the same in all
/// copies.
struct ScaledFields {
    private static let hashKey = HashKey.ofRuntime

    /// An object in a payload, with its members by the hashes of their names; node 0 is the
    /// payload.
    struct Node {
        var isScaled = false
        var members: ContiguousArray<(hash: UInt64, node: Int)> = []
    }

    private(set) var nodes: ContiguousArray<Node> = [Node()]
    /// Hashes of the strings that rules compare with literally.
    private var literals: Set<UInt64> = []
    /// The scaled parameters of each kind; all names are hashes.
    private var parameters: [UInt64: Set<UInt64>] = [:]
    /// Kinds without a rule, by the hashes of their names: each parameter is compared with the
    /// member of the same name.
    private var unruled: Set<UInt64> = []
    /// Members of the payload that are never scaled, by the hashes of their names.
    private var blockedMembers: Set<UInt64> = []

    static func hash(_ bytes: ByteView) -> UInt64 { hashKey.hash(bytes) }
    static func hash(_ text: String) -> UInt64 { text.withByteView { hash($0) } }

    init(_ app: AppDeclaration) {
        var uses = FieldUses()
        for kind in app.kinds {
            if let rule = kind.rule {
                uses.add(rule, of: kind.kind)
            } else {
                unruled.insert(Self.hash(kind.kind))
            }
        }
        uses.settle()
        literals = Set(uses.literals.map { Self.hash($0) })
        for use in uses.equalities where !uses.blockedPaths.contains(use.path) {
            nodes[insert(use.path)].isScaled = true
            parameters[Self.hash(use.kind), default: []].insert(Self.hash(use.parameter))
        }
        for path in uses.blockedPaths where path.count == 1 {
            blockedMembers.insert(Self.hash(path[0]))
        }
    }

    private mutating func insert(_ path: [String]) -> Int {
        assert(!path.isEmpty, "the payload itself is no field")
        var node = 0
        for name in path {
            let hash = Self.hash(name)
            if let next = member(of: node, hash: hash) {
                node = next
            } else {
                nodes.append(Node())
                nodes[node].members.append((hash, nodes.count - 1))
                node = nodes.count - 1
            }
        }
        return node
    }

    /// Returns the node of a member, by the hash of its name; nil if no rule scales it or a member
    /// within it.
    func member(of node: Int, hash: UInt64) -> Int? {
        for member in nodes[node].members where member.hash == hash { return member.node }
        return nil
    }

    /// Returns true if a member of the payload is scaled although no rule names it: it may match a
    /// parameter of a kind without a rule.
    func isScaledWithoutRule(_ member: UInt64) -> Bool {
        !unruled.isEmpty && !blockedMembers.contains(member)
    }

    /// Returns true if a parameter of a kind is scaled; both are hashes of names.
    func isScaled(parameter: UInt64, kind: UInt64) -> Bool {
        if unruled.contains(kind) { return !blockedMembers.contains(parameter) }
        return parameters[kind]?.contains(parameter) ?? false
    }

    /// Returns true if rules compare with the string of this hash literally.
    func isLiteral(_ value: UInt64) -> Bool { literals.contains(value) }
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
            case .anyOf(let patterns):
                for pattern in patterns { add(pattern, of: kind, at: path) }
            }
        }
    }

    private mutating func add(_ test: PatternTest, of kind: String, at path: [String]) {
        switch test {
        case .equals(.parameter(let name)), .allOfParameter(let name):
            equalities.append(Equality(kind: kind, parameter: name, path: path))
        case .equals(.value(let value)):
            if case .string(let text) = value { literals.insert(text) }
        case .exists: break
        case .anythingBut(let tests), .allOf(let tests):
            for test in tests { add(test, of: kind, at: path) }
        case .text(_, let operand): block(operand, of: kind, at: path)
        case .numeric(let bounds):
            for bound in bounds { block(bound.operand, of: kind, at: path) }
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
