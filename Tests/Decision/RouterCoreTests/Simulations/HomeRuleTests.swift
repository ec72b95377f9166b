import TestSupport
import Testing

@Suite("Pushes that a home forwards to all partitions")
struct HomeRuleTests {
    @Test(
        "are applied once, in order, and not lost once they are acknowledged, whatever crashes",
        arguments: seeds(40)
    )
    func once(seed: UInt64) {
        let simulation = HomeRuleSimulation(seed: seed)
        for _ in 0..<500 { simulation.act() }
        simulation.settle()
        let problem = simulation.problem()
        #expect(problem == nil, "seed \(seed)")
        #expect(simulation.fanOutCount > 5, "seed \(seed) says little")
    }

    @Test("would be lost if a partition recorded nothing but the last of each home")
    func naive() {
        let problems = (1...20 as ClosedRange<UInt64>).compactMap { seed in
            let simulation = HomeRuleSimulation(seed: seed, isNaive: true)
            for _ in 0..<500 { simulation.act() }
            simulation.settle()
            return simulation.problem()
        }
        #expect(!problems.isEmpty, "the simulation finds what is wrong")
    }
}
