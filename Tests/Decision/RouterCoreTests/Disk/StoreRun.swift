import Basics
import RouterCore
import StoreFormat
import TestSupport
import Testing

/// A store beside a router, and the process that has both.
protocol RouterStore: AnyObject {
    /// The turn's actions have been performed.
    func endTick(_ router: inout Router)
    /// A connection has been closed since, as when output fails behind the actions of a turn.
    func connectionClosed(_ router: inout Router)
    /// The process ends, and another one begins with what comes from the store.
    func recovered() throws(StoreError) -> Router
}

/// A store that works: keeps the journal, and writes checkpoints at random times, some of which
/// are abandoned; every router that comes out of it is compared with one that the whole journal was
/// replayed to.
final class StoreRun: RouterStore {
    let store = SimulatedStore()
    private let limits: RouterLimits
    private let seed: UInt64
    private var random: SeededGenerator
    private var position: UInt64 = 0
    private var checksum: UInt64 = 0
    /// The journal's end when the checkpoint began that is being written.
    private var begun: (position: UInt64, checksum: UInt64) = (0, 0)
    /// What the router was then.
    private var wanted: StateImage?
    /// Bodies of all records there were.
    private(set) var journal: [[UInt8]] = []
    private(set) var sealedCount = 0
    private(set) var abandonedCount = 0
    /// What was deleted since the last seal: it is deleted once more after an error.
    ///
    /// `GroupCommit` does that too. Else a record that says that its device is gone could be gone
    /// before those that it replaces, and the device would be back.
    private var unsealedDeletions: [TableKey] = []
    /// How often it was looked whether all was deleted that was to be.
    private(set) var judgedCount = 0
    private(set) var replayedCount = 0

    init(limits: RouterLimits, seed: UInt64) {
        self.limits = limits
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// The power goes; a router as it comes from the store.
    func recovered() throws(StoreError) -> Router {
        store.losePower(&random)
        unsealedDeletions = []
        var router = Router(catalog: AppCatalog(apps: []), limits: limits, seed: seed)
        let recovery = try router.recover(from: store)
        #expect(recovery.position == position && recovery.checksum == checksum)
        replayedCount += recovery.recordCount
        try compare(router, with: journal, limits, seed: seed)
        try delete(recovery.leftovers)
        return router
    }

    // MARK: - Turns

    func connectionClosed(_ router: inout Router) {}

    func endTick(_ router: inout Router) {
        do throws(StoreError) {
            try append(router.journalBytes)
            router.journalTaken()
            try resume(&router)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    private func append(_ body: ByteView) throws(StoreError) {
        if body.count == 0 { return }
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        writer.put(raw: body)
        position += 1
        checksum = JournalRecord.end(&writer, from: start, position: position, parent: checksum)
        try store.append(writer.bytes, from: position, isSynced: true)
        journal.append(body.array)
    }

    // MARK: - Checkpoints

    private func resume(_ router: inout Router) throws(StoreError) {
        var changes = TableChanges()
        switch router.checkpointPhase {
        case .idle:
            if router.isFanningOut || router.isCatalogChanging || router.isAdoptingRules { return }
            if random.below(4) > 0 { return }
            router.beginCheckpoint()
            try store.rotate(before: position + 1)
            begun = (position, checksum)
            wanted = StateImage(router)
        case .writing:
            if random.below(40) == 0 { return try lose(&router) }
            let isWritten = router.writeCheckpoint(&changes, limit: 1 + random.below(2_000))
            try store.write(changes)
            if !isWritten { return }
            changes.clear()
            router.writeManifest(
                position: begun.position,
                checksum: begun.checksum,
                to: &changes
            )
            try store.write(changes)
        case .sealing:
            if random.below(3) > 0 { return }
            if random.below(10) == 0 { return try lose(&router) }
            try store.seal()
            unsealedDeletions = []
            sealedCount += 1
            try judge()
            router.checkpointSealed()
            try store.cut(before: begun.position + 1)
        case .deletingOld, .deletingNew:
            router.deleteObsolete(&changes, limit: 1 + random.below(100))
            try delete(changes)
            if router.checkpointPhase == .idle { try judgeDeletions() }
        }
    }

    /// The table has exactly what the router was when the checkpoint began.
    private func judge() throws(StoreError) {
        let found = try StateImage(store)
        if let difference = found.difference(from: wanted!) {
            Issue.record("seed \(seed), checkpoint at \(begun.position): \(difference)")
        }
    }

    /// The table has nothing but the newest checkpoint.
    private func judgeDeletions() throws(StoreError) {
        var scan = TableScan()
        var leftovers: [TableKey] = []
        try store.scan { key, _ in if !scan.isCurrent(key) { leftovers.append(key) } }
        #expect(leftovers.isEmpty, "seed \(seed)")
        judgedCount += 1
    }

    /// The checkpoint is given up, with or without what was written of it.
    private func lose(_ router: inout Router) throws(StoreError) {
        abandonedCount += 1
        if random.below(2) == 0 {
            try store.reopen()
            var again = TableChanges()
            for key in unsealedDeletions { again.delete(key) }
            try store.write(again)
        }
        router.abandonCheckpoint()
    }

    private func delete(_ changes: borrowing TableChanges) throws(StoreError) {
        try changes.forEachRecord { (key, _) throws(StoreError) in
            unsealedDeletions.append(try TableKey(key))
        }
        try store.write(changes)
    }
}

/// Compares a router that has come from a store with one that is given all of a journal.
func compare(
    _ recovered: borrowing Router,
    with journal: [[UInt8]],
    _ limits: RouterLimits,
    seed: UInt64
) throws(StoreError) {
    var reference = Router(catalog: AppCatalog(apps: []), limits: limits, seed: seed)
    reference.beginFollowing()
    for body in journal {
        try body.withByteView { view throws(StoreError) in try reference.follow(view) }
    }
    reference.endFollowing(isRestart: !journal.isEmpty)
    // The time of a checkpoint is its own, and may be later than that of its last record.
    let difference = StateImage(recovered)
        .difference(from: StateImage(reference), ignoresTime: true)
    if let difference { Issue.record("seed \(seed), record \(journal.count): \(difference)") }
}
