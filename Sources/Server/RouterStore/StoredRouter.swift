internal import DataStructures
package import DurableStore
package import ReloadModel
package import RouterCore
package import StoreFormat

/// A router that has come from its store, and goes on in it.
package final class StoredRouter {
    /// Nil when it was taken.
    private var router: Router?
    private var leftovers = TableChanges()
    package let origin: StoreOrigin

    /// Opens the store of a folder, or makes one, and follows it to its end.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - mustExist: whether to refuse a folder without a store, and make none.
    ///   - limits: of the router; what is stored is kept, also if it is beyond them.
    ///   - durability: of what follows.
    ///   - secrets: of this process.
    /// - Throws: `StoreError`: the store is used by another process, newer, corrupt, or the disk
    ///   fails. Nothing was changed then, but for an unfinished end.
    package init(
        path: String,
        mustExist: Bool = false,
        limits: RouterLimits,
        durability: Durability,
        secrets: RouterSecrets
    ) throws(StoreError) {
        let store = try RocksStore(path: path, createIfMissing: !mustExist)
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: store.facts.decisionSeed,
            secrets: secrets
        )
        let worker = WorkerThread()
        defer { worker.close() }
        var recovery = try router.recover(from: store, worker: worker)
        // Before anything is sent: RELOADs of this process must not have numbers of the one before.
        if router.journalBytes.count > 0 {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            writer.put(raw: router.journalBytes)
            recovery.position += 1
            recovery.checksum = JournalRecord.end(
                &writer,
                from: start,
                position: recovery.position,
                parent: recovery.checksum
            )
            try store.append(writer.bytes, from: recovery.position, isSynced: true)
            router.journalTaken()
        }
        swap(&leftovers, &recovery.leftovers)
        let counts = router.storedCounts
        self.router = consume router
        origin = StoreOrigin(
            store: store,
            durability: durability,
            counts: counts,
            position: recovery.position,
            checksum: recovery.checksum,
            checkpoint: recovery.epoch,
            newestCheckpoint: recovery.newestEpoch,
            stateByteCount: recovery.stateByteCount,
            journalByteCount: recovery.recordByteCount,
            journalRecordCount: recovery.recordCount,
            lastInstant: recovery.lastInstant
        )
    }

    /// The router; once.
    package func takeRouter() -> Router { router.take()! }

    /// Lets the store delete what nothing needs any more, some at a time: no ACK leaves meanwhile.
    ///
    /// - Parameters:
    ///   - commit: takes the deletions.
    ///   - limit: bytes of a piece after which it is enough.
    func deleteLeftovers(_ commit: GroupCommit, limit: Int) {
        var piece = TableChanges()
        do throws(StoreError) {
            try leftovers.handOut { (key, _) throws(StoreError) in
                piece.delete(try TableKey(key))
                if piece.byteCount < limit { return }
                var full = TableChanges()
                swap(&full, &piece)
                commit.delete(full)
            }
        } catch {
            preconditionFailure("what was put together cannot be read: \(error)")
        }
        if !piece.isEmpty { commit.delete(piece) }
        leftovers = TableChanges()
    }
}

@available(*, unavailable)
extension StoredRouter: Sendable {}

/// Where a router has come from.
package struct StoreOrigin {
    package let store: RocksStore
    package let durability: Durability
    /// What the router has.
    package let counts: StoredCounts
    /// The last record of the journal, and its checksum.
    package let position: UInt64
    package let checksum: UInt64
    /// The checkpoint that was loaded; 0 for none.
    package let checkpoint: UInt32
    /// The last one that was ever begun.
    package let newestCheckpoint: UInt32
    /// Bytes of the records of the one that was loaded.
    package let stateByteCount: Int
    /// What was replayed behind it.
    package let journalByteCount: Int
    package let journalRecordCount: Int
    /// What the clocks showed when the last record was written; nil if the store is new.
    package let lastInstant: Instant?
}
