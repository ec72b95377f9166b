package import Basics
package import StoreFormat

/// What a router was recovered from.
package struct Recovery: ~Copyable {
    /// The number of the checkpoint; 0 for none.
    package var epoch: UInt32 = 0
    /// The version of its records' format.
    package var version: UInt32 = 0
    /// The highest number of a checkpoint of which the table has any record.
    package var newestEpoch: UInt32 = 0
    /// The position of the journal's last record; 0 for none.
    package var position: UInt64 = 0
    /// The checksum of the journal's last record, which the next record names.
    package var checksum: UInt64 = 0
    /// The number of journal records after the checkpoint.
    package var recordCount = 0
    /// The size of the bodies of these records, in bytes.
    package var recordByteCount = 0
    /// The size of the checkpoint's records, in bytes.
    package var stateByteCount = 0
    /// The deletions of records that were left over in the table.
    package var leftovers = TableChanges()
    /// What the clocks showed when the last record was written; nil if the store is empty.
    package var lastInstant: Instant?
}

/// Recovery: a router that continues where its store's last router ended.
extension Router {
    /// Loads the newest checkpoint and follows the journal after it.
    ///
    /// The router must be new, without apps, and made with the store's seed. Afterwards its journal
    /// is on, its changes are tracked, and its log says that the process has restarted, unless the
    /// store is new. If it throws, the router cannot be used.
    ///
    /// - Parameters:
    ///   - source: the store.
    ///   - worker: does a part of the work; some of that may not be done yet if this throws.
    ///   - checksAll: whether `checkInvariants` has to hold afterwards, which takes as long again;
    ///     the default is true in builds with assertions.
    /// - Returns: where the journal continues, and what was found.
    /// - Throws: `corrupt`, `gap`, `older` or `newer`, with the name of the record; `io` if the
    ///   store cannot be read.
    package mutating func recover(
        from source: any StoreSource,
        worker: any SerialWorker = ImmediateWorker(),
        checksAll: Bool = areAssertionsEvaluated
    ) throws(StoreError) -> Recovery {
        beginFollowing()
        state.restoring.worker = worker
        var recovery = Recovery()
        try load(from: source, into: &recovery)
        // The first checkpoint after an older version writes all records anew: its manifest says
        // how they are read.
        let isSaved = recovery.epoch != 0 && recovery.version == StateRecord.version
        state.startTracking(isSaved: isSaved)
        try follow(from: source, into: &recovery)
        recovery.lastInstant = state.reloads.clock.isSet ? state.reloads.clock.now : nil
        let isNew = recovery.epoch == 0 && recovery.position == 0
        log.start()
        endFollowing(isRestart: !isNew)
        if checksAll { try checkRecovered() }
        return recovery
    }

    /// Refuses a store whose records agree with their checksums, but contradict each other.
    private func checkRecovered() throws(StoreError) {
        do throws(InvariantViolation) {
            try checkInvariants()
        } catch {
            throw StoreError.corrupt("records contradict each other: \(error)")
        }
    }

    // MARK: - Checkpoint

    private mutating func load(
        from source: any StoreSource,
        into recovery: inout Recovery
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
            if key.type == StoreManifest.type { try readManifest(key, body: body, into: &recovery) }
            if key.type == StateRecord.registration.rawValue && body.count == 0 {
                gone.append(key)
                return
            }
            guard StateRecord(rawValue: key.type) != nil else {
                throw StoreError.corrupt("table record \(key) is of an unknown type")
            }
            if let whole = parts.finish(before: key) { try take(whole.key, body: whole.body) }
            recovery.stateByteCount += value.count
            let isLong = StateRecord.mayHaveMoreParts(key.type, byteCount: body.count)
            if try parts.begin(key, body: body, isLong: isLong) { return }
            try take(key, body: body)
        }
        if let whole = parts.finish(before: nil) { try take(whole.key, body: whole.body) }
        // Deleted last: these records must exist as long as an older record of the same device
        // does.
        for key in gone { recovery.leftovers.delete(key) }
        if scan.newestEpoch == .max {
            throw StoreError.corrupt("the table has records of a checkpoint that cannot be")
        }
        recovery.newestEpoch = scan.newestEpoch
        state.checkpoint.epoch = scan.newestEpoch
        if recovery.epoch != 0 { try state.endRestore() }
    }

    /// Restores a record from its whole body; `key` is that of its last part.
    private mutating func take(_ key: TableKey, body: ByteView) throws(StoreError) {
        try state.restore(key, body: body, into: &outbox)
        // Only after `restore`, which checks the record's number: `enterStored` extends a table up
        // to it.
        state.checkpoint.table.enterStored(key)
    }

    private mutating func readManifest(
        _ key: TableKey,
        body: ByteView,
        into recovery: inout Recovery
    ) throws(StoreError) {
        if recovery.epoch != 0 {
            throw StoreError.corrupt("table record \(key) is a second manifest")
        }
        var reader = StoreReader(body)
        let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        try manifest.requireReadable(since: state.restoring.oldestVersion)
        try manifest.require(partition)
        recovery.version = manifest.version
        recovery.epoch = manifest.epoch
        recovery.position = manifest.position
        recovery.checksum = manifest.checksum
    }

    // MARK: - Journal

    private mutating func follow(
        from source: any StoreSource,
        into recovery: inout Recovery
    ) throws(StoreError) {
        var chain = JournalChain(next: recovery.position + 1, parent: recovery.checksum)
        try source.replay(from: chain.next) { (group) throws(StoreError) in
            try chain.follow(group) { (record) throws(StoreError) in
                do throws(StoreError) {
                    try follow(record.body)
                } catch {
                    throw error.found(in: "journal record \(record.position)")
                }
                recovery.position = record.position
                recovery.checksum = record.checksum
                recovery.recordCount += 1
                recovery.recordByteCount += record.body.count
            }
        }
    }
}
