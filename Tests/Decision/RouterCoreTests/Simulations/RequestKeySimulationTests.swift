import TestSupport
import Testing

/// A failure names its seed, which plays it again.
@Suite("Simulated, requests with keys")
struct RequestKeySimulationTests {
    @Test(
        "have their effect once, and their first answer again, through failures and crashes",
        arguments: seeds(16),
        [false, true]
    )
    func once(seed: UInt64, isPortioned: Bool) throws {
        let simulation = try RequestKeySimulation(seed: seed, isPortioned: isPortioned)
        var acts = 0
        while acts < 1_200 && simulation.problem == nil {
            acts += 1
            try simulation.act()
        }
        if simulation.problem == nil { try simulation.finish() }
        if let problem = simulation.problem {
            Issue.record("seed \(seed), portions \(isPortioned), act \(acts): \(problem)")
        }
        var cases = ["repeated", "reused", "in use", "continued", "split", "old"]
        cases.append(isPortioned ? "finishing" : "displaced")
        for what in cases {
            let isPlayed = simulation.counts[what] ?? 0 > 0
            #expect(isPlayed, "seed \(seed) says nothing of \(what): \(simulation.counts)")
        }
        #expect(simulation.counts["repeated"] ?? 0 > 20, "seed \(seed) says little")
    }
}
