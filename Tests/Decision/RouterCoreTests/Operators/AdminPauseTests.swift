import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("An app that is paused")
struct AdminPauseTests {
    private func harness(
        _ kinds: [KindDeclaration] = [.unlimited()],
        origins: [OriginDeclaration] = [],
        keepsJournal: Bool = false
    ) -> SchedulingHarness {
        SchedulingHarness(kinds, origins: origins, keepsJournal: keepsJournal)
    }

    private func pause(_ harness: SchedulingHarness, _ isPaused: Bool = true) throws {
        harness.router.router.tick(harness.router.now)
        try harness.router.router.setPaused(isPaused, app: "game")
    }

    @Test("has its pushes accepted only when it is resumed, and none is lost")
    func pushes() throws {
        let harness = harness()
        _ = harness.device("d", [.character("w", "kit")])
        try pause(harness)
        let frame = harness.router.pushFrame(1, #"{"character":"kit"}"#)
        #expect(harness.router.send(harness.publisher, frame) == 0)
        let isHeld = harness.router.router.isPaused(harness.publisher)
        let isPaused = harness.router.router.isPausedPublisher(harness.publisher)
        #expect(isHeld && isPaused)
        #expect(harness.settle().isEmpty)
        try pause(harness, false)
        let isPausedStill = harness.router.router.isPaused(harness.publisher)
        #expect(!isPausedStill)
        #expect(harness.router.send(harness.publisher, frame) == frame.count)
        #expect(harness.settle().map(\.widgets) == [["w"]])
    }

    @Test("still sends the ACK of earlier pushes: until then its publishers are not ended")
    func unsent() throws {
        let router = RouterHarness { $0.matchesPerStep = 2 }
        let gateway = router.connect(.gateway)
        for number in 0..<20 {
            _ = router.widgets(gateway, "d\(number)", [.character("w", "kit")])
        }
        let publisher = router.connect(.publisher, "p")
        _ = router.send(publisher, router.pushFrame(1, #"{"character":"kit"}"#))
        _ = router.step()
        router.router.tick(router.now)
        try router.router.setPaused(true, app: "game")
        var isEndable = router.router.waitsForOperator(publisher)
        #expect(!isEndable)
        var sent: [SentFrame] = []
        while router.router.needsStep { sent += router.step() }
        #expect(sent.contains(.ack(publisher, seq: 1, matched: 20)))
        isEndable = router.router.waitsForOperator(publisher)
        #expect(isEndable)
        router.router.evictInput(publisher, now: router.now)
        expectFailure(router.take(), publisher, .frameTimeout)
    }

    @Test("leaves others alone")
    func others() throws {
        let harness = RouterHarness()
        try harness.router.setPaused(true, app: "game")
        let publisher = harness.connect(.publisher, "p", app: "news", token: "pub")
        let isHeld = harness.router.isPaused(publisher)
        #expect(!isHeld)
        #expect(throws: ProtocolError.self) { try harness.router.setPaused(true, app: "none") }
        #expect(harness.router.appViews.map(\.isPaused) == [true, false])
    }

    @Test("is named as paused with its devices")
    func device() throws {
        let harness = harness()
        _ = harness.device("d", [.character("w", "kit")])
        func isPaused() throws -> Bool {
            let now = harness.router.now
            return try harness.router.router.view(ofDevice: "d", app: "game", now: now).isPaused
        }
        #expect(try !isPaused())
        try pause(harness)
        #expect(try isPaused())
        try pause(harness, false)
        #expect(try !isPaused())
    }

    @Test("accepts its devices' frames, and sends their RELOADs when it is resumed")
    func reloads() throws {
        let harness = harness()
        let device = harness.device("d", [.character("w", "kit")])
        try pause(harness)
        harness.router.request(device, "d")
        #expect(harness.run(until: 60_000).isEmpty)
        // A device that comes again in between waits too, and has its RELOAD once.
        harness.router.close(device)
        _ = harness.router.connect(.device, "d")
        #expect(harness.settle().isEmpty)
        try pause(harness, false)
        #expect(harness.settle().map(\.widgets) == [["w"]])
        #expect(harness.run(until: 600_000).isEmpty)
    }

    @Test("has its devices served a few at a time when it is resumed")
    func portions() throws {
        let harness = harness()
        let count = RouterLimits.reloadsPerStep + 10
        let slots = (0..<count).map { harness.device("d\($0)", [.character("w", "kit")]) }
        try pause(harness)
        for (index, slot) in slots.enumerated() { harness.router.request(slot, "d\(index)") }
        #expect(harness.settle().isEmpty)
        try pause(harness, false)
        harness.router.router.step(now: harness.router.now)
        let needsStep = harness.router.router.needsStep
        let hasReleased = harness.router.router.outbox.agenda.hasReleased
        #expect(needsStep && hasReleased)
        #expect(harness.settle().count == count)
    }

    @Test("is not paused any more when it comes back to the app file")
    func undeclared() throws {
        let catalog = AppCatalog.of([.unlimited()])
        let harness = RouterHarness(catalog: catalog)
        try harness.router.setPaused(true, app: "game")
        harness.router.install(AppCatalog(apps: []))
        let isPaused = harness.router.isPaused(app: "game")
        #expect(!isPaused)
        harness.router.install(catalog)
        let isPausedAgain = harness.router.isPaused(app: "game")
        #expect(!isPausedAgain)
    }

    @Test("meets its dates late, and those with places at the origin are spread anew")
    func dates() throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.spread.window = 60_000
        }
        let harness = harness([kind], origins: origins)
        let slots = (0..<5).map { harness.device("d\($0)", [.character("w", "kit")]) }
        for (index, slot) in slots.enumerated() {
            harness.router.timeline(slot, "d\(index)", "w", policy: harness.after(100_000))
        }
        _ = harness.settle()
        try pause(harness)
        #expect(harness.run(until: 3_600_000).isEmpty)
        try pause(harness, false)
        let sent = harness.run(until: 4_200_000)
        #expect(sent.count == 5)
        #expect(Set(sent.map { $0.at / 1_000 }).count == 5, "one a second: \(sent.map(\.at))")
        #expect(sent.allSatisfy { $0.cause == "after" })
    }

    @Test("takes no permits at its origin, and does not keep the loop busy")
    func ticks() throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 2, undelayed: 0)]
        let harness = harness([.unlimited { $0.origin = "api" }], origins: origins)
        let slots = (0..<6).map { harness.device("d\($0)", [.character("w", "kit")]) }
        try pause(harness)
        for (index, slot) in slots.enumerated() { harness.router.request(slot, "d\(index)") }
        #expect(harness.settle().isEmpty)
        let wakeUp = harness.router.router.nextWakeUp(after: harness.router.now)
        #expect(wakeUp == nil, "nothing is waited for")
        _ = harness.run(until: 30_000)
        try pause(harness, false)
        let sent = harness.run(until: 60_000)
        #expect(sent.count == 6)
        for second in 30..<60 {
            #expect(sent.filter { $0.at / 1_000 == Int64(second) }.count <= 2)
        }
    }

    @Test("does not have its publishers time out, and sends them signs of life")
    func liveness() throws {
        let harness = harness()
        try pause(harness)
        var pings = 0
        for _ in 0..<120 {
            harness.router.advance(1_000)
            for frame in harness.router.sweep(isHeard: false) {
                guard case .ping(harness.publisher) = frame else {
                    Issue.record("sent \(frame)")
                    return
                }
                pings += 1
            }
        }
        #expect((7...9).contains(pings))
    }

    @Test("is not one any more in a process that has just begun")
    func restart() throws {
        let catalog = AppCatalog.of([.unlimited()])
        let harness = RouterHarness(catalog: catalog)
        try harness.keepStore(catalog, StoreRun(limits: RouterLimits(), seed: 3))
        try harness.router.setPaused(true, app: "game")
        _ = harness.take()
        var isPaused = harness.router.isPaused(app: "game")
        #expect(isPaused)
        try harness.restart()
        isPaused = harness.router.isPaused(app: "game")
        #expect(!isPaused)
    }

    @Test("keeps its permits, in the journal too, while another app uses its own")
    func otherPermits() throws {
        let apps = ["game", "news"].map { name in
            AppDeclaration(
                app: name,
                origins: [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)],
                kinds: [.unlimited { $0.origin = "api" }]
            )
        }
        let harness = RouterHarness()
        harness.keepJournal(AppCatalog(apps: apps))
        let devices = ["game", "news"].map { app in
            let device = harness.connect(.device, "d", app: app)
            harness.widgets(device, "d", [.character("w", "kit")])
            return device
        }
        _ = harness.settle()
        harness.advance(5_000)
        try harness.router.setPaused(true, app: "game")
        for device in devices { harness.request(device, "d") }
        var sent = harness.settle()
        for _ in 0..<3 {
            harness.advance(1_000)
            sent += harness.settle()
        }
        #expect(sent.map(\.slot) == [devices[1]])
        let difference = harness.replica?.difference(from: harness.router)
        #expect(difference == nil)
    }

    @Test("is known to a router that follows the journal", arguments: Array(1...8) as [UInt64])
    func journal(seed: UInt64) {
        let simulation = SchedulingSimulation(seed: seed, keepsJournal: true, isOperated: true)
        #expect(simulation.harness.router.replica != nil)
        guard simulation.play(300, seed: seed) else { return }
        #expect(simulation.pauseCount > 3 && simulation.slotCount > 3, "seed \(seed) says little")
    }

    @Test("and to who begins again from a checkpoint", arguments: Array(1...8) as [UInt64])
    func checkpoints(seed: UInt64) throws {
        let simulation = SchedulingSimulation(
            seed: seed,
            store: { StoreRun(limits: $0, seed: seed) },
            isOperated: true
        )
        guard simulation.play(300, seed: seed) else { return }
        simulation.playToRest(seed: seed)
        let store = try #require(simulation.harness.router.store as? StoreRun)
        #expect(store.sealedCount > 5 && store.replayedCount > 5, "seed \(seed) says little")
    }
}
