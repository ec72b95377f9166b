internal import DataStructures
package import ReloadModel
package import StoreFormat

/// What a router has come from.
package struct Recovery: ~Copyable {
    /// The checkpoint; 0 for none.
    package var epoch: UInt32 = 0
    /// The newest one of which there is anything.
    package var newestEpoch: UInt32 = 0
    /// The last record of the journal, and its checksum: the next record's parent.
    package var position: UInt64 = 0
    package var checksum: UInt64 = 0
    /// Records of the journal behind the checkpoint, and their bytes.
    package var recordCount = 0
    package var recordByteCount = 0
    /// Bytes of the checkpoint's records.
    package var stateByteCount = 0
    /// Records of the table that were left over, to be deleted.
    package var leftovers = TableChanges()
    /// What the clocks showed when the last record was written; nil in an empty store.
    package var lastInstant: Instant?
}

/// From a store to a router that goes on where the one before was.
extension Router {
    /// Loads the newest checkpoint and follows the journal behind it.
    ///
    /// The router must be new, without apps, and made with the store's seed. Afterwards its journal
    /// is on and says that the process is another one, unless the store is new; and its changes are
    /// tracked. If it throws, the router is of no use.
    ///
    /// - Parameters:
    ///   - source: where to read it all.
    ///   - worker: takes a part of the work, of which some may not be done yet if this throws.
    /// - Returns: where the journal goes on, and what was found.
    /// - Throws: `corrupt`, `gap` or `newer`, with the record; `io`.
    package mutating func recover(
        from source: any StoreSource,
        worker: any SerialWorker = ImmediateWorker()
    ) throws(StoreError) -> Recovery {
        beginFollowing()
        state.restoring.worker = worker
        var recovery = Recovery()
        try load(source, &recovery)
        state.startTracking(isSaved: recovery.epoch != 0)
        try follow(source, &recovery)
        recovery.lastInstant = state.clock.isSet ? state.clock.now : nil
        let isNew = recovery.epoch == 0 && recovery.position == 0
        log.start()
        endFollowing(isRestart: !isNew)
        return recovery
    }

    // MARK: - Checkpoint

    private mutating func load(
        _ source: any StoreSource,
        _ recovery: inout Recovery
    ) throws(StoreError) {
        var scan = TableScan()
        var parts = RecordParts()
        var gone: [TableKey] = []
        try source.scan { (key, value) throws(StoreError) in
            if !scan.isCurrent(key) {
                recovery.leftovers.delete(key)
                return
            }
            let body = try TableRecord.body(value, key: key)
            if key.type == StoreManifest.type { try readManifest(key, body, &recovery) }
            if key.type == StateRecord.registration.rawValue && body.count == 0 {
                gone.append(key)
                return
            }
            guard StateRecord(rawValue: key.type) != nil else {
                throw StoreError(.corrupt, "table record \(key) is of no kind that there is")
            }
            if let whole = parts.finish(before: key) { try take(whole.key, whole.body) }
            recovery.stateByteCount += value.count
            let isLong = StateRecord.mayGoOn(key.type, byteCount: body.count)
            if try parts.begin(key, body, isLong: isLong) { return }
            try take(key, body)
        }
        if let whole = parts.finish(before: nil) { try take(whole.key, whole.body) }
        // Last: as long as an older record is there, this one must be.
        for key in gone { recovery.leftovers.delete(key) }
        if scan.newestEpoch == .max {
            throw StoreError(.corrupt, "the table has records of a checkpoint that cannot be")
        }
        recovery.newestEpoch = scan.newestEpoch
        state.checkpoint.epoch = scan.newestEpoch
        if recovery.epoch != 0 { try state.endRestore() }
    }

    /// Takes over a record, with the key of its last part.
    private mutating func take(_ key: TableKey, _ body: ByteView) throws(StoreError) {
        try state.restore(key, body, &outbox)
        // Not before: it takes memory for all numbers up to this one.
        state.checkpoint.table.noteStored(key)
    }

    private mutating func readManifest(
        _ key: TableKey,
        _ body: ByteView,
        _ recovery: inout Recovery
    ) throws(StoreError) {
        if recovery.epoch != 0 {
            throw StoreError(.corrupt, "table record \(key) is a second manifest")
        }
        var reader = StoreReader(body)
        let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        if manifest.version > StateRecord.version {
            throw StoreError(
                .newer,
                "checkpoint \(key.epoch) is of version \(manifest.version); "
                    + "this is version \(StateRecord.version)"
            )
        }
        state.restoring.version = manifest.version
        recovery.epoch = manifest.epoch
        recovery.position = manifest.position
        recovery.checksum = manifest.checksum
    }

    // MARK: - Journal

    private mutating func follow(
        _ source: any StoreSource,
        _ recovery: inout Recovery
    ) throws(StoreError) {
        var chain = JournalChain(next: recovery.position + 1, parent: recovery.checksum)
        try source.replay(from: chain.next) { (group) throws(StoreError) in
            try chain.follow(group) { (record) throws(StoreError) in
                do throws(StoreError) {
                    try follow(record.body)
                } catch {
                    let sentence = "journal record \(record.position): \(error.message)"
                    throw StoreError(error.code, sentence)
                }
                recovery.position = record.position
                recovery.checksum = record.checksum
                recovery.recordCount += 1
                recovery.recordByteCount += record.body.count
            }
        }
    }
}
