internal import Basics
internal import EventPatterns

/// Compiles a rule into nodes, for widgets whose configurations have the same parameter names.
///
/// The functions that call each other are never inlined: the optimiser would write each into the
/// others again and again, which took it 23 s, for code that runs when an app file is installed.
struct PatternCompiler {
    /// The positions of parameters in the layout, by name.
    private let positions: [[UInt8]: Int]
    /// The nodes compiled so far, in depth-first order.
    private(set) var nodes: [PatternNode] = []
    /// Whether the rule names a parameter that the widgets do not have, so that it never holds.
    private(set) var isMissingParameter = false

    /// Creates a compiler for widgets with these parameters, in the order of the layout.
    init(parameters: [[UInt8]]) {
        var positions: [[UInt8]: Int] = [:]
        for (position, name) in parameters.enumerated() { positions[name] = position }
        self.positions = positions
    }

    // MARK: - Equalities

    /// The node indexes of required fields whose tests are all equalities: one for each attribute,
    /// sorted by attribute. Their values can form a key together.
    var equalities: [UInt32] {
        var fields: [UInt32] = []
        for index in requiredFields where isEquality(index) {
            let attribute = nodes[index].attribute
            if fields.contains(where: { nodes[Int($0)].attribute == attribute }) { continue }
            fields.append(UInt32(index))
        }
        return fields.sorted { nodes[Int($0)].attribute < nodes[Int($1)].attribute }
    }

    /// Whether a key of all equalities decides the whole rule.
    var isDecidedByEqualities: Bool {
        requiredFields.count == equalities.count && !nodes.contains { $0.form == .any }
    }

    /// The node indexes of fields outside of `$or`, which must hold for the rule to hold.
    private var requiredFields: [Int] {
        var fields: [Int] = []
        var index = 0
        while index < nodes.count {
            switch nodes[index].form {
            case .all, .nested: index += 1
            default:
                if nodes[index].form == .field { fields.append(index) }
                index = Int(nodes[index].end)
            }
        }
        return fields
    }

    /// Whether all tests of a field are equalities.
    private func isEquality(_ field: Int) -> Bool {
        assert(nodes[field].form == .field, "node \(field) is no field")
        return nodes[field + 1..<Int(nodes[field].end)].allSatisfy { $0.form == .equals }
    }

    // MARK: - Rules

    /// Compiles a kind's rule. The nodes hold references to attributes and values until `release`.
    mutating func compile(
        _ rule: EventPattern,
        of app: AppID,
        vocabulary: inout Vocabulary,
        values: inout ValueTable
    ) {
        add(PatternNode(.all)) { compiler in
            compiler.compile(rule, below: .root(app), vocabulary: &vocabulary, values: &values)
        }
    }

    /// Compiles the implied rule of a kind without one: each parameter equals the field of its
    /// name.
    mutating func compileParameters(
        _ names: [NameID],
        of app: AppID,
        vocabulary: inout Vocabulary
    ) {
        add(PatternNode(.all)) { compiler in
            for (position, name) in names.enumerated() {
                let attribute = vocabulary.acquire(name, below: .root(app))
                compiler.add(PatternNode(.field, attribute: attribute)) { compiler in
                    var node = PatternNode(.equals, attribute: attribute)
                    node.parameter = position
                    compiler.add(node) { _ in }
                }
            }
        }
    }

    /// Releases the references that nodes hold.
    static func release(
        _ program: PatternProgram,
        vocabulary: inout Vocabulary,
        values: inout ValueTable
    ) {
        for index in 0..<program.count {
            let node = program[index]
            if node.form == .field { vocabulary.release(node.attribute) }
            if node.hasOperand && !node.isParameter { values.release(node.value) }
        }
    }

    private mutating func compile(
        _ pattern: EventPattern,
        below parent: AttributeID,
        vocabulary: inout Vocabulary,
        values: inout ValueTable
    ) {
        for condition in pattern.conditions {
            compile(condition, below: parent, vocabulary: &vocabulary, values: &values)
        }
    }

    @inline(never)
    private mutating func compile(
        _ condition: PatternCondition,
        below parent: AttributeID,
        vocabulary: inout Vocabulary,
        values: inout ValueTable
    ) {
        switch condition {
        case .field(let name, let tests):
            let attribute = vocabulary.acquire(name, below: parent)
            add(PatternNode(.field, attribute: attribute)) { compiler in
                for test in tests { compiler.compile(test, at: attribute, values: &values) }
            }
        case .nested(let name, let pattern):
            let attribute = vocabulary.acquire(name, below: parent)
            add(PatternNode(.nested, attribute: attribute)) { compiler in
                compiler.compile(
                    pattern,
                    below: attribute,
                    vocabulary: &vocabulary,
                    values: &values
                )
            }
            // The attributes below keep this one alive; its own value is not needed.
            vocabulary.release(attribute)
        case .anyOf(let patterns):
            add(PatternNode(.any)) { compiler in
                for pattern in patterns {
                    compiler.add(PatternNode(.all)) { compiler in
                        compiler.compile(
                            pattern,
                            below: parent,
                            vocabulary: &vocabulary,
                            values: &values
                        )
                    }
                }
            }
        }
    }

    // MARK: - Tests

    @inline(never)
    private mutating func compile(
        _ test: PatternTest,
        at attribute: AttributeID,
        values: inout ValueTable
    ) {
        switch test {
        case .equals(let operand):
            add(PatternNode(.equals, attribute: attribute), operand: operand, values: &values)
        case .text(let name, let operand):
            var node = PatternNode(.text, attribute: attribute)
            node.textOperator = name
            add(node, operand: operand, values: &values)
        case .numeric(let bounds):
            add(PatternNode(.numeric, attribute: attribute)) { compiler in
                for bound in bounds {
                    var node = PatternNode(.bound, attribute: attribute)
                    node.comparison = bound.comparison
                    compiler.add(node, operand: bound.operand, values: &values)
                }
            }
        case .exists(let isThere):
            add(PatternNode(isThere ? .exists : .absent, attribute: attribute)) { _ in }
        case .anythingBut(let tests):
            add(.anythingBut, tests: tests, at: attribute, values: &values)
        case .allOf(let tests): add(.allOf, tests: tests, at: attribute, values: &values)
        case .allOfParameter(let name):
            let node = PatternNode(.allOfParameter, attribute: attribute)
            add(node, operand: .parameter(name), values: &values)
        }
    }

    /// Adds a node whose children are tests.
    private mutating func add(
        _ form: PatternNode.Form,
        tests: [PatternTest],
        at attribute: AttributeID,
        values: inout ValueTable
    ) {
        add(PatternNode(form, attribute: attribute)) { compiler in
            for test in tests { compiler.compile(test, at: attribute, values: &values) }
        }
    }

    /// Adds a test with an operand.
    private mutating func add(
        _ node: PatternNode,
        operand: PatternOperand,
        values: inout ValueTable
    ) {
        var node = node
        switch operand {
        case .value(let value): node.value = Self.acquire(value, in: &values)
        case .parameter(let name):
            let position = positions[Array(name.utf8)]
            if position == nil { isMissingParameter = true }
            node.parameter = position ?? 0
        }
        add(node) { _ in }
    }

    /// Adds a node, and the nodes below it, which `children` adds.
    private mutating func add(_ node: PatternNode, children: (inout PatternCompiler) -> Void) {
        let position = nodes.count
        nodes.append(node)
        children(&self)
        nodes[position].end = UInt32(nodes.count)
    }

    /// The number of a rule's value, with one more reference.
    private static func acquire(_ value: PatternValue, in values: inout ValueTable) -> ValueID {
        switch value {
        case .string(let text):
            return text.withByteView { values.acquire(TypedValue(tag: .string, bytes: $0)).value }
        case .number(let text):
            return text.withByteView { text in
                withCanonicalNumber(text) {
                    values.acquire(TypedValue(tag: .number, bytes: $0)).value
                }
            }
        case .boolean(let value):
            return values.acquire(TypedValue(tag: value ? .true : .false, bytes: .empty)).value
        case .null: return values.acquire(TypedValue(tag: .null, bytes: .empty)).value
        }
    }
}
