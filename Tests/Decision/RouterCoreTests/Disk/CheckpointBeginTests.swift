import Basics
import DurableStore
import FrameCodec
import RouterCore
import RouterStore
import StoreFormat
import TestSupport
import Testing

@Suite("A checkpoint")
struct CheckpointBeginTests {
    /// A store that works, and whose checkpoints go on when the test says so.
    private final class Stored: RouterStore {
        private let store = SimulatedStore()
        private(set) var driver: CommitDriver
        /// How often the table was written to.
        private(set) var writeCount = 0

        private let routerLimits: RouterLimits

        init(
            routerLimits: RouterLimits = RouterLimits(),
            sliceByteCount: Int = CheckpointLimits().sliceByteCount,
            stateByteCount: Int = 0
        ) {
            self.routerLimits = routerLimits
            var limits = CheckpointLimits()
            limits.journalByteCount = 0
            limits.sliceByteCount = sliceByteCount
            let commit = GroupCommit(
                engine: store,
                durability: .full,
                from: 0,
                parent: 0,
                hasThread: false,
                onChange: {}
            )
            driver = CommitDriver(
                commit: commit,
                journalByteCount: 0,
                stateByteCount: stateByteCount,
                limits: limits
            )
            store.failure = { [unowned self] operation in
                if operation == "write" { writeCount += 1 }
                return nil
            }
        }

        func endTick(_ router: inout Router) { _ = driver.endTick(&router) }

        func connectionClosed(_ router: inout Router) {}

        func resume(_ router: inout Router) {
            for _ in 0..<8 {
                _ = driver.continueCheckpoint(&router)
                while driver.commit.runStep() == .done {}
            }
        }

        func recovered() throws(StoreError) -> Router {
            var router = Router(catalog: AppCatalog(apps: []), limits: routerLimits, seed: 1)
            let recovery = try router.recover(from: store)
            #expect(recovery.position == driver.commit.submitted.position)
            return router
        }
    }

    @Test("does not begin between a session's end and the record that says so")
    func sessionEnd() throws {
        let harness = RouterHarness()
        let stored = Stored()
        try harness.keepStore(.game, stored)
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        _ = harness.step()
        // Its output has failed, behind the actions of the turn.
        harness.close(device)
        stored.resume(&harness.router)
        #expect(stored.driver.counters.begun == 0)
        _ = harness.step()
        stored.resume(&harness.router)
        #expect(stored.driver.counters.sealed == 1)
        try harness.restart()
        #expect(harness.router.storedCounts.devices == 1)
    }

    @Test("does not begin while a push is delivered, and makes the delivery end soon")
    func fanOut() throws {
        var limits = RouterLimits()
        limits.matchesPerStep = 3
        let harness = RouterHarness()
        let stored = Stored(routerLimits: limits)
        try harness.keepStore(.game, stored)
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", (0..<10).map { .character("w\($0)", "kit") })
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        stored.resume(&harness.router)
        #expect(stored.driver.counters.begun == 0)
        let ping = encodeFrame(.ping, seq: 1)
        #expect(harness.send(gateway, ping) == 0, "nothing is added to the fan-outs")
        _ = harness.settle()
        stored.resume(&harness.router)
        #expect(stored.driver.counters.sealed == 1)
        #expect(harness.send(gateway, ping) == ping.count)
    }

    @Test("runs until it is sealed, however long the store takes for that")
    func running() throws {
        let harness = RouterHarness()
        let stored = Stored()
        try harness.keepStore(.game, stored)
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d-1", [.character("w", "kit")])
        _ = harness.step()
        #expect(!harness.router.checkpointPhase.isRunning)
        for _ in 0..<100 { _ = stored.driver.continueCheckpoint(&harness.router) }
        #expect(stored.driver.counters.begun == 1 && stored.driver.counters.sealed == 0)
        #expect(harness.router.checkpointPhase.isRunning)
        stored.resume(&harness.router)
        #expect(stored.driver.counters.sealed == 1)
        #expect(!harness.router.checkpointPhase.isRunning)
    }

    @Test("waits for half as much journal as the state that was loaded is long")
    func stateOfTheStart() throws {
        let harness = RouterHarness()
        let stored = Stored(stateByteCount: 20_000)
        try harness.keepStore(.game, stored)
        let gateway = harness.connect(.gateway)
        var registrations = 0
        while stored.driver.counters.begun == 0 && registrations < 100 {
            harness.widgets(gateway, "d-\(registrations)", [.character("w", "kit")])
            _ = harness.step()
            stored.resume(&harness.router)
            registrations += 1
        }
        #expect(stored.driver.counters.begun == 1)
        #expect(registrations > 5, "each is less than 2,000 bytes")
    }

    @Test("makes no tick long by deleting what it has replaced, also if that is nothing")
    func firstDeletions() throws {
        let harness = RouterHarness()
        // A slice has room for four deletions.
        let stored = Stored(sliceByteCount: 3 * TableKey.byteCount)
        try harness.keepStore(.game, stored)
        let gateway = harness.connect(.gateway)
        for number in 0..<100 {
            harness.widgets(gateway, "d-\(number)", [.character("w", "kit")])
        }
        _ = harness.step()
        while stored.driver.counters.sealed == 0 { stored.resume(&harness.router) }
        let written = stored.writeCount
        var ticks = 0
        while harness.router.checkpointPhase == .deletingOld {
            ticks += stored.driver.continueCheckpoint(&harness.router) ? 1 : 0
            while stored.driver.commit.runStep() == .done {}
        }
        // `resume` has done some turns already.
        #expect(ticks > 100 / 4 - 8)
        #expect(stored.writeCount == written, "there is nothing to delete")
    }
}
