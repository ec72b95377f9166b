internal import Basics

/// Reading rules and values, both to store a widget and to match one.
extension WidgetIndex {
    // MARK: - Rules

    /// The rule of a widget whose shape has one (`RuleShape.Use.rule`).
    @inline(__always)
    func rule(of record: StoredWidget) -> WidgetRule {
        WidgetRule(
            program: shapes.program(record.shape),
            shape: record.shape,
            values: record.values,
            hasSingleValue: shapes[record.shape].parameterCount == 1
        )
    }

    /// The widget's value at a position of the layout.
    @inline(__always)
    func value(of rule: WidgetRule, at position: Int) -> ValueID {
        rule.hasSingleValue ? rule.values.only : storedValue(in: rule.values.block, at: position)
    }

    // MARK: - Values

    /// The widget's value at a position of the layout.
    @inline(__always)
    func value(of widget: StoredWidget, at position: Int) -> ValueID {
        assert(position < Int(shapes[widget.shape].parameterCount), "parameter \(position)")
        if shapes[widget.shape].parameterCount == 1 { return widget.values.only }
        return storedValue(in: widget.values.block, at: position)
    }

    /// The value at a position of a block in `configurations`.
    @inline(__always)
    func storedValue(in block: ArenaBlock, at position: Int) -> ValueID {
        assert(block != .none && position >= 0, "value \(position) of no block")
        return unsafe configurations.pointer(block).load(
            fromByteOffset: position << 2,
            as: ValueID.self
        )
    }

    // MARK: - Operands

    /// The number of values of a node's operand: the elements of a list parameter, otherwise 1.
    @inline(__always)
    func operandCount(of node: PatternNode, in rule: WidgetRule) -> Int {
        if !node.isParameter { return 1 }
        let value = value(of: rule, at: node.parameter)
        return values.tag(of: value) == .list ? values.elementCount(of: value) : 1
    }

    @inline(__always)
    func operand(of node: PatternNode, in rule: WidgetRule, at position: Int) -> ValueID {
        assert(node.hasOperand && position >= 0, "operand \(position) of a node without any")
        if !node.isParameter { return node.value }
        let value = value(of: rule, at: node.parameter)
        return values.tag(of: value) == .list ? values.element(of: value, at: position) : value
    }
}
