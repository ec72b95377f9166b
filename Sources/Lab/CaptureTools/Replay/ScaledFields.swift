internal import DataStructures
internal import ReloadModel

/// Which fields of an app's payloads, and which parameters of its widgets, find each other: what
/// differs between the copies of a scaled replay.
///
/// A field is one of these if rules compare it with parameters for equality and with nothing else
/// than literal values, which stay as they are. A parameter is, if it is compared with such fields
/// only. What operators such as `prefix` or `numeric` look at stays as it is in all copies.
struct ScaledFields {
    private static let hashKey = HashKey.ofRuntime

    /// Names of members by their hashes; the root is the payload.
    struct Node {
        var isScaled = false
        var members: ContiguousArray<(hash: UInt64, node: Int)> = []
    }

    private(set) var nodes: ContiguousArray<Node> = [Node()]
    /// Values that rules name literally.
    private var literals: Set<UInt64> = []
    /// Of each kind, by the hash of its name.
    private var parameters: [UInt64: Set<UInt64>] = [:]
    /// Kinds without a rule: each parameter is compared with the member of its name.
    private var unruled: Set<UInt64> = []
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
        var node = 0
        for name in path {
            let hash = Self.hash(name)
            if let next = member(of: node, hash) {
                node = next
            } else {
                nodes.append(Node())
                nodes[node].members.append((hash, nodes.count - 1))
                node = nodes.count - 1
            }
        }
        return node
    }

    func member(of node: Int, _ hash: UInt64) -> Int? {
        for member in nodes[node].members where member.hash == hash { return member.node }
        return nil
    }

    /// Whether a payload's member differs between copies although no rule names it.
    func isScaledWithoutRule(_ member: UInt64) -> Bool {
        !unruled.isEmpty && !blockedMembers.contains(member)
    }

    func isScaled(parameter: UInt64, kind: UInt64) -> Bool {
        if unruled.contains(kind) { return !blockedMembers.contains(parameter) }
        return parameters[kind]?.contains(parameter) ?? false
    }

    func isLiteral(_ value: UInt64) -> Bool { literals.contains(value) }

    static let kinds = hash("kinds")
}

/// How the rules of an app use the fields of payloads.
private struct FieldUses {
    struct Equality {
        let kind: String
        let parameter: String
        let path: [String]
    }

    private(set) var equalities: [Equality] = []
    private(set) var blockedPaths: Set<[String]> = [["kinds"]]
    private(set) var literals: Set<String> = []
    /// A parameter of a kind that is compared otherwise.
    private var blockedParameters: Set<[String]> = []

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

    /// What is compared with something that stays as it is stays so, too.
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
