import Basics
import DurableStore
import RouterCore
import RouterStore
import StoreFormat
import TestSupport
import Testing

/// A store on a disk that fails: any operation may throw, once or for a while, and the power goes.
///
/// The committing thread's steps are made here, a few in each turn, so that everything comes out
/// the same for the same seed. What has been committed must be there after each restart, what was
/// not may be; and the router that comes back is the one that took in just that.
final class FailingStoreRun: RouterStore {
    let store = SimulatedStore()
    private let limits: RouterLimits
    private let seed: UInt64
    private var random: SeededGenerator
    private var driver: CommitDriver?
    /// Bodies of all records that were submitted.
    private(set) var journal: [[UInt8]] = []
    /// One operation in so many fails; 0 for none.
    private var failureRate = 0
    /// So many operations more fail.
    private var failuresLeft = 0
    private(set) var failureCount = 0
    private(set) var lostRecordCount = 0
    private(set) var sealedCount = 0
    private(set) var lostCheckpointCount = 0
    private(set) var restartCount = 0

    /// The number of records that are durable.
    var committed: UInt64 { driver?.commit.committed ?? 0 }

    init(limits: RouterLimits, seed: UInt64) {
        self.limits = limits
        self.seed = seed
        random = SeededGenerator(seed: seed)
        store.failure = { [unowned self] _ in fail() }
        // Often all of them, a manifest included whose seal has failed.
        store.durableCount = { [unowned self] count in
            random.below(2) == 0 ? count : random.below(count + 1)
        }
    }

    private func fail() -> StoreError? {
        if failureRate == 0 { return nil }
        if failuresLeft > 0 {
            failuresLeft -= 1
        } else if random.below(failureRate) > 0 {
            return nil
        } else {
            failuresLeft = random.pick([0, 0, 0, 1, 5, 40])
        }
        failureCount += 1
        return random.below(2) == 0
            ? StoreError(.full, message: "no space is left")
            : StoreError(.io, message: "the disk does not answer")
    }

    // MARK: - Process

    func recovered() throws(StoreError) -> Router {
        let committed = driver?.commit.committed ?? 0
        failureRate = 0
        store.losePower(&random)
        restartCount += 1
        var router = Router(catalog: AppCatalog(apps: []), limits: limits, seed: seed)
        var recovery = try router.recover(from: store)
        #expect(recovery.position >= committed, "seed \(seed): what was committed is there")
        lostRecordCount += journal.count - Int(recovery.position)
        journal.removeSubrange(Int(recovery.position)...)
        try compare(router, with: journal, limits, seed: seed)
        begin(&recovery)
        return router
    }

    private func begin(_ recovery: inout Recovery) {
        if let driver { recordStatus(driver) }
        var checkpoints = CheckpointLimits()
        checkpoints.journalByteCount = 1 + random.below(2_000)
        checkpoints.sliceByteCount = 1 + random.below(2_000)
        var commits = CommitLimits()
        commits.tableByteCount = 4_000
        commits.chunkByteCount = 1_000
        let commit = GroupCommit(
            engine: store,
            durability: .full,
            from: recovery.position,
            parent: recovery.checksum,
            limits: commits,
            hasThread: false,
            onChange: {}
        )
        var leftovers = TableChanges()
        swap(&leftovers, &recovery.leftovers)
        commit.delete(leftovers)
        driver = CommitDriver(
            commit: commit,
            journalByteCount: recovery.recordByteCount,
            stateByteCount: recovery.stateByteCount,
            limits: checkpoints
        )
        failureRate = random.pick([0, 3, 10, 30, 100])
    }

    private func recordStatus(_ driver: CommitDriver) {
        sealedCount += driver.counters.sealed
        lostCheckpointCount += driver.counters.begun - driver.counters.sealed
    }

    // MARK: - Turns

    func connectionClosed(_ router: inout Router) {
        guard let driver else { return }
        for _ in 0..<random.below(4) { _ = driver.continueCheckpoint(&router) }
    }

    func endTick(_ router: inout Router) {
        guard let driver else { return }
        let before = driver.commit.submitted.position
        let body = router.journalBytes.array
        let awaited = driver.endTick(&router)
        if driver.commit.submitted.position > before { journal.append(body) }
        #expect(awaited >= UInt64(journal.count), "answers wait for all that was taken in")
        for _ in 0..<random.below(4) { _ = driver.commit.runStep() }
        if random.below(4) > 0 { _ = driver.continueCheckpoint(&router) }
        for _ in 0..<random.below(3) { _ = driver.commit.runStep() }
        #expect(driver.commit.committed <= UInt64(journal.count))
    }
}
