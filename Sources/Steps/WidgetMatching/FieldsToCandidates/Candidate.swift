/// A widget's rule to be evaluated for a push.
struct Candidate: BitwiseCopyable {
    let rule: WidgetRule
    /// Index of the push in the batch.
    let push: Int

    @inline(__always)
    var program: PatternProgram { rule.program }
}
