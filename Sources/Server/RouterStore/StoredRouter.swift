package import Basics
package import DurableStore
package import RouterCore
package import StoreFormat

/// A router restored from its store, together with the open store and the position to continue
/// from. `CommitDriver` continues the journal from there.
package final class StoredRouter {
    /// The restored router; nil after `takeRouter`.
    private var router: Router?
    /// Deletions of records that the restored checkpoint no longer needs.
    private var leftovers = TableChanges()
    /// What the router was restored from; the open store is in it.
    package let origin: StoreOrigin

    /// Opens the store of a folder, or creates one unless it `mustExist`, and restores its router:
    /// loads the last checkpoint and replays the journal to its end. Stored state beyond the limits
    /// is kept. The durability says when records written from now on count as committed;
    /// `tableBuffer` is the bytes of each of the table's buffers in memory, nil for the usual size.
    ///
    /// - Throws: `StoreError` if another process uses the store, its format is newer, it is
    ///   corrupt, or the disk fails. The store is then unchanged, except that an incomplete last
    ///   record may have been removed.
    package init(
        path: String,
        mustExist: Bool = false,
        limits: RouterLimits,
        durability: Durability,
        secrets: RouterSecrets,
        tableBuffer: Int? = nil
    ) throws(StoreError) {
        let store = try RocksStore(
            path: path,
            createIfMissing: !mustExist,
            tableBuffer: tableBuffer
        )
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: store.description.decisionSeed,
            secrets: secrets
        )
        let worker = WorkerThread()
        defer { worker.close() }
        var recovery = try router.recover(from: store, worker: worker)
        // Written before anything is sent, so that this process never reuses a RELOAD number of the
        // one before.
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

    /// Returns the router; may be called once.
    package func takeRouter() -> Router { router.take()! }

    /// Submits the deletions of obsolete records, in pieces of about `limit` bytes. No ACK can be
    /// waiting for these commits.
    func deleteLeftovers(_ commit: GroupCommit, limit: Int) {
        var piece = TableChanges()
        do throws(StoreError) {
            try leftovers.forEachRecord { (key, _) throws(StoreError) in
                piece.delete(try TableKey(key))
                if piece.byteCount < limit { return }
                var full = TableChanges()
                swap(&full, &piece)
                commit.delete(full)
            }
        } catch {
            preconditionFailure("the state that was assembled cannot be read: \(error)")
        }
        if !piece.isEmpty { commit.delete(piece) }
        leftovers = TableChanges()
    }
}

/// What a restored router came from: its open store, the checkpoint that was loaded and the journal
/// that was replayed after it.
package struct StoreOrigin {
    /// The open store.
    package let store: RocksStore
    /// When records written from now on count as committed.
    package let durability: Durability
    /// How many apps, devices, widgets and producers the restored router has.
    package let counts: StoredCounts
    /// Position of the journal's last record.
    package let position: UInt64
    /// Checksum of the journal's last record.
    package let checksum: UInt64
    /// Number of the checkpoint that was loaded; 0 if there was none.
    package let checkpoint: UInt32
    /// Number of the newest checkpoint of which the table has any record, sealed or not; 0 for
    /// none.
    package let newestCheckpoint: UInt32
    /// Bytes of the records of the loaded checkpoint.
    package let stateByteCount: Int
    /// Bytes of journal replayed after the checkpoint.
    package let journalByteCount: Int
    /// Records replayed after the checkpoint.
    package let journalRecordCount: Int
    /// Readings of the clocks when the last record was written; nil if the store is new.
    package let lastInstant: Instant?
}
