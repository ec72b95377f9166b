/// A widget's rule and the values that it brings.
struct WidgetRule: BitwiseCopyable {
    let program: PatternProgram
    let shape: ShapeID
    /// As in the widget's record.
    let values: UInt32
    let hasSingleValue: Bool

    /// Whether there is one condition, outside of lists and `$or`, and it has one alternative.
    var isSingleTest: Bool {
        var field = 1
        while program[field].form == .nested { field += 1 }
        return program[field].form == .field && program.end(field + 1) == program.count
            && program.end(0) == program.end(field)
    }
}
