import Testing

extension SchedulingSimulation {
    /// Acts so often; what breaks, or where there is a twin what it sees otherwise, is recorded and
    /// ends it.
    ///
    /// - Parameters:
    ///   - count: how often.
    ///   - seed: plays it again.
    /// - Returns: whether all held.
    func play(_ count: Int, seed: UInt64) -> Bool {
        for _ in 0..<count {
            act()
            let found =
                if let twin = harness.router.twin {
                    twin.difference(from: harness.router.router)
                } else {
                    problem
                }
            if let found {
                Issue.record("seed \(seed), act \(acts): \(found)")
                return false
            }
        }
        return true
    }

    /// Lets everything come to rest; what is wrong then is recorded.
    func playToRest(seed: UInt64) {
        rest()
        if let problem { Issue.record("seed \(seed), at rest: \(problem)") }
    }
}
