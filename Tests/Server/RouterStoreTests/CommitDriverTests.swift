import Basics
import DurableStore
import RouterStore
import StoreFormat
import TestSupport
import Testing

@Suite("What waits for the store")
struct CommitDriverTests {
    /// A driver on a store that gets on only when the test says so.
    private static func driver(
        _ engine: SimulatedStore,
        pending: Int,
        steps: Int,
        journal: Int = 0
    ) -> CommitDriver {
        var commits = CommitLimits()
        commits.pendingByteCount = pending
        var checkpoints = CheckpointLimits()
        checkpoints.stepByteCount = steps
        checkpoints.uncommittedByteLimit = 1_000
        checkpoints.journalByteCount = 1_000
        let commit = GroupCommit(
            engine: engine,
            durability: .full,
            from: 0,
            parent: 0,
            limits: commits,
            hasThread: false,
            onChange: {}
        )
        return CommitDriver(
            commit: commit,
            journalByteCount: journal,
            stateByteCount: 0,
            limits: checkpoints
        )
    }

    private static func submit(_ byteCount: Int, to driver: CommitDriver) {
        let body = [UInt8](repeating: 7, count: byteCount - JournalRecord.headerByteCount)
        _ = body.withByteView { driver.commit.submit($0) }
    }

    @Test("stops the inputs first, and then the router, until some of it is written")
    func journal() {
        let engine = SimulatedStore()
        var isFull = true
        engine.failure = { _ in isFull ? StoreError(.full, message: "no space is left") : nil }
        let driver = Self.driver(engine, pending: 1_000, steps: 2_000)
        func state() -> [Bool] { [driver.hasRoom, driver.hasRoomAgain, driver.hasRoomForSteps] }
        Self.submit(499, to: driver)
        #expect(state() == [true, true, true])
        Self.submit(501, to: driver)
        #expect(state() == [false, false, true])
        Self.submit(999, to: driver)
        for _ in 0..<5 { _ = driver.commit.runStep() }
        #expect(state() == [false, false, true])
        Self.submit(100, to: driver)
        #expect(state() == [false, false, false])
        isFull = false
        while driver.commit.runStep() == .done {}
        #expect(state() == [true, true, true])
    }

    @Test(
        "has room while checkpoints fail until the journal is at its limit",
        arguments: [15_999, 16_000]
    )
    func failingCheckpoints(journal: Int) {
        let engine = SimulatedStore()
        let driver = Self.driver(engine, pending: 1_000, steps: 2_000, journal: journal)
        let error = StoreError(.io, message: "a file of the table cannot be written")
        engine.failingTable = error
        _ = driver.commit.beginCheckpoint()
        driver.commit.seal(TableChanges())
        for _ in 0..<10 { _ = driver.commit.runStep() }
        Self.submit(100, to: driver)
        for _ in 0..<10 { _ = driver.commit.runStep() }
        #expect(driver.committed == 1 && driver.tableFailure?.error == error)
        let isFull = journal == 16_000
        #expect(driver.hasRoom == !isFull && driver.hasRoomAgain == !isFull)
        #expect(driver.hasRoomForSteps && driver.failure?.error == (isFull ? error : nil))

        engine.failingTable = nil
        for _ in 0..<10 { _ = driver.commit.runStep() }
        #expect(driver.commit.isTableOpen && driver.commit.beginCheckpoint() == 2)
        driver.commit.seal(TableChanges())
        for _ in 0..<10 { _ = driver.commit.runStep() }
        #expect(driver.tableFailure == nil && driver.failure == nil && driver.hasRoom)
    }

    @Test("counts answers and what is after a WELCOME together")
    func answers() {
        let driver = Self.driver(SimulatedStore(), pending: 1_000, steps: 2_000)
        driver.uncommittedAnswers.append(
            position: 1,
            connection: 1,
            serial: 1,
            kind: .other,
            byteCount: 600
        ) {
            unsafe $0.initializeMemory(as: UInt8.self, repeating: 7, count: 600)
            return 600
        }
        #expect(driver.hasRoom && !driver.hasRoomAgain)
        #expect(driver.waitingByteCount > 600, "its entry in the queue counts, too")
        driver.afterWelcomeByteCount = 1_000 - driver.waitingByteCount
        #expect(!driver.hasRoom && driver.waitingByteCount == 1_000)
        driver.uncommittedAnswers.release(upTo: 1) { _, _ in }
        #expect(driver.hasRoom && driver.hasRoomAgain)
    }
}
