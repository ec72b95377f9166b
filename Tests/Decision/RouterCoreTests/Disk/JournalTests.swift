import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

@Suite("From its journal alone, a router")
struct JournalTests {
    @Test(
        "comes to the same state as the one that wrote it",
        arguments: seeds(16)
    )
    func follows(seed: UInt64) throws {
        let simulation = SchedulingSimulation(seed: seed, keepsJournal: true)
        let replica = try #require(simulation.harness.router.replica)
        guard simulation.play(400, seed: seed) else { return }
        #expect(replica.recordCount > 100, "seed \(seed) has written something")
    }

    @Test(
        "reaches the same state also if pushes are matched in portions, and clients come and go",
        arguments: seeds(10),
        [(3, 1_000_000), (3, 60_000), (100, 1_000_000)]
    )
    func followsPortions(seed: UInt64, limits: (portion: Int, work: Int)) {
        var simulation = Simulation(
            seed: seed,
            portion: limits.portion,
            work: limits.work,
            keepsJournal: true
        )
        for act in 1...600 {
            simulation.act()
            if let problem = simulation.problem ?? simulation.difference {
                Issue.record("seed \(seed), \(limits), act \(act): \(problem)")
                return
            }
        }
    }

    @Test(
        "and a checkpoint, it continues as if the process had not ended",
        arguments: seeds(24)
    )
    func restarts(seed: UInt64) throws {
        let simulation = SchedulingSimulation(
            seed: seed,
            store: { StoreRun(limits: $0, seed: seed) }
        )
        guard simulation.play(400, seed: seed) else { return }
        simulation.playToRest(seed: seed)
        let store = try #require(simulation.harness.router.store as? StoreRun)
        #expect(store.sealedCount > 5 && store.replayedCount > 5, "seed \(seed) says little")
        #expect(store.judgedCount > 0, "seed \(seed) says little")
    }

    @Test(
        "on a disk that fails and loses power, it comes back with all that was committed",
        arguments: seeds(24)
    )
    func failures(seed: UInt64) throws {
        let simulation = SchedulingSimulation(
            seed: seed,
            store: { FailingStoreRun(limits: $0, seed: seed) },
            losesInputs: true
        )
        guard simulation.play(400, seed: seed) else { return }
        let store = try #require(simulation.harness.router.store as? FailingStoreRun)
        #expect(store.restartCount > 4 && store.failureCount > 4, "seed \(seed) says little")
        #expect(store.sealedCount > 2 && store.lostCheckpointCount > 0, "seed \(seed) says little")
    }

    @Test(
        "in the midst of pushes that concern much, a restart knows them all or none of them",
        arguments: 0...20
    )
    func interrupted(steps: Int) throws {
        let harness = RouterHarness { limits in
            limits.matchesPerStep = 3
            limits.journalRecord = 1
        }
        let store = StoreRun(limits: harness.router.limits, seed: 1)
        try harness.keepStore(.game, store)
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", (0..<10).map { .character("w\($0)", "kit") })
        _ = harness.step()
        let pushes = harness.collect {
            for seq in 1...3 as ClosedRange<UInt64> {
                harness.push(publisher, seq, #"{"character":"kit"}"#)
            }
        }
        harness.send(publisher, pushes)
        // Thirty matches, of which three are found at once and three in each step, each in a record
        // of its own; then they are handed out.
        for _ in 0..<steps { _ = harness.step() }
        let isFound = steps >= 9 || !harness.router.isBusy
        let isFanningOut = harness.router.isFanningOut
        #expect(isFanningOut == (steps < 19))
        try harness.restart()
        let continues = harness.router.isFanningOut
        #expect(continues == (isFound && isFanningOut))
        let slot = harness.open()
        harness.hello(slot, .publisher, "p")
        let lastSeq = isFound ? 3 : 0
        let sent = harness.step()
        let isWelcome = sent.contains {
            guard case .welcome(slot, let body) = $0 else { return false }
            return body.contains(#""lastSeq":\#(lastSeq)"#)
        }
        #expect(isWelcome, "\(sent)")
        let again = harness.connect(.gateway)
        harness.widgets(again, "d", (0..<10).map { .character("w\($0)", "kit") })
        let reloads = sent.count { isReload($0) != nil }
        #expect(reloads == 0, "nobody was there")
        // What is not known is sent again.
        if isFound {
            #expect(Set(harness.settle().flatMap(\.widgets)).count == 10)
        } else {
            #expect(harness.settle().isEmpty)
            for seq in 1..<4 as Range<UInt64> {
                harness.push(slot, seq, #"{"character":"kit"}"#)
                #expect(harness.settle().flatMap(\.widgets).count == 10)
            }
        }
        // What comes behind such a restart can be read too.
        try harness.restart()
        let isOver = !harness.router.isFanningOut
        #expect(isOver)
    }

    @Test("writes nothing while nothing happens")
    func quiet() throws {
        let harness = SchedulingHarness([.character()], keepsJournal: true)
        _ = harness.device("d", [.character("w", "kit")])
        _ = harness.settle()
        let replica = try #require(harness.router.replica)
        let before = replica.recordCount
        _ = harness.run(until: 2 * hour)
        #expect(replica.recordCount == before)
    }
}
