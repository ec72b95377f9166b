/// A widget whose rule is evaluated, and the push for which it is, by its place in the batch.
struct Candidate: BitwiseCopyable {
    let rule: WidgetRule
    let push: Int

    @inline(__always)
    var program: PatternProgram { rule.program }
}
