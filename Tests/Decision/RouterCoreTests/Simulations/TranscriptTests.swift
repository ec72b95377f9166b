import Basics
import RouterCore
import TestSupport
import Testing

/// A change that only moves code sends and writes what was sent and written before it. Where other
/// bytes are meant, or the simulations play otherwise, the numbers here are new ones.
@Suite("All that random runs write and send")
struct TranscriptTests {
    @Test func `is what it was before, of pushes`() {
        let transcript = sum { Self.pushes(seed: $0, portion: nil) }
        #expect(
            transcript.description == "0x58e58eceae66ac75 0xecd7895253af58e0 0x53ea48b7a0e19bea"
        )
    }

    @Test func `is what it was before, of pushes in portions`() {
        let transcript = sum { Self.pushes(seed: $0, portion: 3) }
        #expect(
            transcript.description == "0x61f9a3abebe875ea 0x6ea3a39f97ac4a5e 0xf595cfc41a41d106"
        )
    }

    @Test func `is what it was before, of devices and their dates`() {
        let transcript = sum { Self.dates(seed: $0) }
        #expect(
            transcript.description == "0xe2f985c24cff778c 0x21771235e0f1de94 0xfcc90354691cde8d"
        )
    }

    @Test("can be compared for many seeds", .enabled(if: Transcript.file != nil))
    func write() {
        for seed in seeds(1_000) {
            Self.pushes(seed: seed, portion: nil).write(of: "pushes", seed: seed)
            Self.pushes(seed: seed, portion: 3).write(of: "portions", seed: seed)
            Self.dates(seed: seed).write(of: "dates", seed: seed)
        }
    }

    private func sum(_ play: (UInt64) -> Transcript) -> Transcript {
        var sum = Transcript()
        for seed in 1...8 as ClosedRange<UInt64> { sum.add(play(seed)) }
        return sum
    }

    private static func pushes(seed: UInt64, portion: Int?) -> Transcript {
        var simulation = Simulation(
            seed: seed,
            portion: portion,
            work: portion == nil ? nil : 60_000,
            keepsJournal: true,
            keepsCapture: true
        )
        for _ in 0..<400 { simulation.act() }
        simulation.settle()
        if let problem = simulation.problem { Issue.record("seed \(seed): \(problem)") }
        return simulation.transcript
    }

    private static func dates(seed: UInt64) -> Transcript {
        let simulation = SchedulingSimulation(
            seed: seed,
            keepsJournal: true,
            isOperated: seed.isMultiple(of: 2)
        )
        simulation.harness.router.keepCapture(AppCatalog(apps: []))
        for _ in 0..<300 { simulation.act() }
        if let problem = simulation.problem { Issue.record("seed \(seed): \(problem)") }
        return simulation.harness.router.transcript
    }
}
