internal import DataStructures

/// What of rules and values is read both to store a widget and to find one.
extension WidgetIndex {
    // MARK: - Rules

    /// A widget's rule; its shape has one.
    @inline(__always)
    func rule(of record: StoredWidget) -> WidgetRule {
        WidgetRule(
            program: shapes.program(record.shape),
            shape: record.shape,
            values: record.values,
            hasSingleValue: shapes[record.shape].parameterCount == 1
        )
    }

    /// One of a widget's values, by its position in the layout.
    @inline(__always)
    func value(of rule: WidgetRule, _ position: Int) -> ValueID {
        rule.hasSingleValue ? rule.values : storedValue(rule.values, position)
    }

    // MARK: - Values

    /// One of a widget's values, by its position in the layout.
    @inline(__always)
    func value(of widget: StoredWidget, _ position: Int) -> ValueID {
        if shapes[widget.shape].parameterCount == 1 { return widget.values }
        return storedValue(widget.values, position)
    }

    /// One of a block of several values.
    @inline(__always)
    func storedValue(_ block: UInt32, _ position: Int) -> ValueID {
        unsafe configurations.pointer(block).load(
            fromByteOffset: position << 2,
            as: UInt32.self
        )
    }

    // MARK: - Operands

    /// How many values an operand has.
    @inline(__always)
    func operandCount(_ node: PatternNode, _ rule: WidgetRule) -> Int {
        if !node.isParameter { return 1 }
        let value = value(of: rule, Int(node.operand))
        return values.tag(of: value) == .list ? values.elementCount(of: value) : 1
    }

    /// One of an operand's values.
    @inline(__always)
    func operand(_ node: PatternNode, _ rule: WidgetRule, _ position: Int) -> ValueID {
        if !node.isParameter { return node.operand }
        let value = value(of: rule, Int(node.operand))
        return values.tag(of: value) == .list ? values.element(value, position) : value
    }
}
