import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

/// A failure names its seed, which plays it again.
@Suite("Simulated with policies of all kinds, the router")
struct SchedulingSimulationTests {
    @Test(
        "keeps dates, budgets and spacing, loses no reload request, and keeps its books",
        arguments: seeds(24)
    )
    func holds(seed: UInt64) {
        let simulation = SchedulingSimulation(seed: seed)
        if simulation.play(600, seed: seed) { simulation.playToRest(seed: seed) }
        #expect(simulation.history.count > 5, "seed \(seed) has reloaded something")
    }

    @Test("does the same when it is given the same", arguments: [1, 2, 3] as [UInt64])
    func repeatsItself(seed: UInt64) {
        let simulations = [SchedulingSimulation(seed: seed), SchedulingSimulation(seed: seed)]
        for simulation in simulations {
            for _ in 0..<300 { simulation.act() }
        }
        #expect(simulations[0].history == simulations[1].history, "seed \(seed)")
        #expect(simulations[0].problem == nil, "seed \(seed)")
    }

    @Test(
        "keeps to an origin's rate in every second, whatever makes widgets reload",
        arguments: seeds(8)
    )
    func rate(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let perSecond = 2 + random.below(6)
        let kind = KindDeclaration.character {
            $0.origin = "api"
            $0.budget = random.pick([.unlimited, .fixed(40, spacing: 10_000)])
            $0.spread.window = random.pick([2_000, 20_000])
        }
        let origin = OriginDeclaration(
            origin: "api",
            perSecond: perSecond,
            undelayed: random.below(10)
        )
        let fleet = Fleet(60, [kind], origins: [origin])
        var gateway = fleet.gateway
        var times: [Int64] = []
        for _ in 0..<150 {
            let number = random.below(60)
            switch random.below(10) {
            case 0: fleet.harness.push(#"{"character":"kit"}"#, flags: UInt8(random.below(2)))
            case 1, 2, 3:
                let date = fleet.harness.router.now.wall.rawValue + Int64(random.below(3)) * 7_000
                for other in 0..<random.below(60) {
                    fleet.harness.router.timeline(
                        gateway,
                        "d\(other)",
                        "w",
                        policy: #"{"after":\#(date)}"#
                    )
                }
            case 4: fleet.harness.router.request(gateway, "d\(number)")
            case 5: fleet.harness.router.timeline(gateway, "d\(number)", "w")
            case 6 where random.below(3) == 0:
                fleet.harness.router.close(gateway)
                gateway = fleet.harness.router.connect(.gateway)
                for other in 0..<60 {
                    fleet.harness.state(gateway, "d\(other)", #""foreground":false"#)
                }
            default: break
            }
            let end = fleet.harness.time + Int64(random.below(3_000))
            times += fleet.harness.run(until: end).map(\.at)
        }
        times += fleet.harness.run(until: fleet.harness.time + hour).map(\.at)
        let most = peak(times, fleet.harness.start)
        #expect(most <= perSecond, "seed \(seed): \(most) in a second, \(perSecond) allowed")
        #expect(times.count > 200)
    }
}
