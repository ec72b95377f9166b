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
