internal import Basics

/// The compiled rule of one widget, and the widget's values for its parameters.
struct WidgetRule: BitwiseCopyable {
    let program: PatternProgram
    let shape: ShapeID
    /// The widget's values, in the form of `StoredWidget.values`.
    let values: StoredValues
    /// Whether the widget has one parameter, so that `values` is the value itself.
    let hasSingleValue: Bool

    /// Whether the rule is one condition with one alternative, outside of `$or`.
    var isSingleTest: Bool {
        assert(program[0].form == .all, "the root is a conjunction")
        var field = 1
        while program[field].form == .nested { field += 1 }
        return program[field].form == .field && program.end(field + 1) == program.count
            && program.end(0) == program.end(field)
    }
}

/// A widget's rule to be evaluated for a push.
struct Candidate: BitwiseCopyable {
    let rule: WidgetRule
    /// Index of the push in the batch.
    let push: Int

    @inline(__always)
    var program: PatternProgram { rule.program }
}

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
