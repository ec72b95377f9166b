import Testing

extension SchedulingSimulation {
    /// Performs random acts until one breaks a rule, which is recorded as an issue.
    ///
    /// If there is a twin, one more rule is that it has the same state.
    ///
    /// - Parameters:
    ///   - count: the number of acts.
    ///   - seed: names the run in the issue.
    /// - Returns: whether no rule was broken.
    func play(_ count: Int, seed: UInt64) -> Bool {
        for _ in 0..<count {
            act()
            let found = problem ?? harness.router.replica?.difference(from: harness.router.router)
            if let found {
                Issue.record("seed \(seed), act \(acts): \(found)")
                return false
            }
        }
        return true
    }

    /// Lets everything come to rest, and records a rule that is broken then as an issue.
    func playToRest(seed: UInt64) {
        rest()
        if let problem { Issue.record("seed \(seed), at rest: \(problem)") }
    }
}
