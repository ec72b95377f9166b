/// A rule to be evaluated, and the push (its index in the batch) for which it is.
struct Candidate: BitwiseCopyable {
    let rule: WidgetRule
    let push: Int

    @inline(__always)
    var program: PatternProgram { rule.program }
}
