import TestSupport
import Testing

/// Random sessions of everybody against a model that is too simple to be wrong.
///
/// A failure names its seed, which plays it again.
@Suite("Simulated, the router")
struct SimulationTests {
    @Test(
        "reloads exactly what the model says is due, whichever clients come and go",
        arguments: seeds(12)
    )
    func agreesWithModel(seed: UInt64) {
        var simulation = Simulation(seed: seed)
        for _ in 0..<1_500 where simulation.problem == nil { simulation.act() }
        simulation.settle()
        if let problem = simulation.problem {
            Issue.record("seed \(seed), act \(simulation.acts): \(problem)")
        }
        #expect(simulation.reloadCount > 100, "seed \(seed) has reloaded something")
    }

    @Test(
        "does so in portions of a few widgets too, whatever comes in between",
        arguments: seeds(12),
        [(3, 1_000_000), (3, 60_000), (1, 60_000)]
    )
    func agreesInPortions(seed: UInt64, limits: (portion: Int, work: Int)) {
        var simulation = Simulation(seed: seed, portion: limits.portion, work: limits.work)
        for _ in 0..<1_000 where simulation.problem == nil { simulation.act() }
        simulation.settle()
        if let problem = simulation.problem {
            Issue.record("seed \(seed), \(limits), act \(simulation.acts): \(problem)")
        }
        #expect(simulation.portionCount > 100, "seed \(seed) has matched in portions")
        #expect(simulation.overlapCount > 100, "seed \(seed) has heard others meanwhile")
    }

    @Test("does the same when it is given the same", arguments: [1, 2, 3] as [UInt64])
    func repeatsItself(seed: UInt64) {
        var first = Simulation(seed: seed)
        var second = Simulation(seed: seed)
        for _ in 0..<800 {
            first.act()
            second.act()
        }
        #expect(first.history == second.history, "seed \(seed)")
    }
}
