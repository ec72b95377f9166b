internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import StoreFormat
internal import WidgetMatching

/// Writing the state to the table while it goes on changing.
///
///     beginCheckpoint ─► writeCheckpoint … ─► writeManifest ─► checkpointSealed ─► deleteObsolete …
///                              └───────────────────┴─► abandonCheckpoint ─► deleteObsolete …
///
/// A checkpoint has the state as it was at `beginCheckpoint`: a record that changes before it was written
/// is copied first (copy on update; Cao et al., "Fast checkpoint recovery
/// algorithms for frequently consistent applications", SIGMOD 2011). Only records that
/// have changed since the last checkpoint are written. The few that always change are copied when it
/// begins, except those of origins, which can be long and are copied part by part.
extension ReloadState {
    /// Starts to track which records change.
    ///
    /// - Parameter isSaved: whether the table has all there is: the router comes from it.
    mutating func startTracking(isSaved: Bool) {
        delivery.widgets.startTracking(isSaved: isSaved)
        delivery.schedules.startTracking(isSaved: isSaved)
        delivery.devices.startTracking(isSaved: isSaved)
        fields.widgets.startTracking(isSaved: isSaved)
        checkpoint.devices.startTracking(pageCount: delivery.devices.end, isSaved: isSaved)
    }

    /// Begins a checkpoint of the state as it is now, between two turns, while it is not `isFanningOut`.
    mutating func beginCheckpoint() {
        precondition(checkpoint.phase == .idle, "one checkpoint at a time")
        precondition(fanOuts.isEmpty, "a checkpoint begins when nothing is handed out")
        checkpoint.phase = .writing
        checkpoint.epoch += 1
        delivery.widgets.beginCheckpoint()
        delivery.schedules.beginCheckpoint()
        delivery.devices.beginCheckpoint()
        fields.widgets.beginCheckpoint()
        checkpoint.devices.beginCheckpoint()
        checkpoint.nextDevice = 0
        makeRecords()
    }

    /// Writes some more of the checkpoint.
    ///
    /// - Parameters:
    ///   - changes: what is put, under the checkpoint's epoch.
    ///   - limit: bytes of `changes` after which it is enough.
    /// - Returns: whether all of it has been written, but for the manifest.
    mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        precondition(checkpoint.phase == .writing)
        while changes.byteCount < limit {
            if !writeNext(&changes, limit: limit) { return true }
        }
        return false
    }

    /// Writes the record that makes the checkpoint the newest one, once it is durable.
    ///
    /// - Parameters:
    ///   - position: of the last journal record that the state includes; 0 for none.
    ///   - checksum: of that record.
    ///   - changes: what is put.
    mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        to changes: inout TableChanges
    ) {
        precondition(checkpoint.phase == .writing)
        checkpoint.phase = .sealing
        checkpoint.table.wrote(.manifest, 0, parts: 1)
        let manifest = StoreManifest(
            epoch: checkpoint.epoch,
            position: position,
            checksum: checksum,
            version: StateRecord.version
        )
        changes.put(StoreManifest.key(epoch: manifest.epoch)) { manifest.write(to: &$0) }
    }

    /// The checkpoint is durable, with its manifest.
    mutating func checkpointSealed() {
        precondition(checkpoint.phase == .sealing)
        checkpoint.phase = .deletingOld
    }

    /// Gives the checkpoint up; the next one writes its records too.
    mutating func abandonCheckpoint() {
        guard checkpoint.phase.isRunning else { return }
        checkpoint.phase = .deletingNew
        delivery.widgets.abandonCheckpoint()
        delivery.schedules.abandonCheckpoint()
        delivery.devices.abandonCheckpoint()
        fields.widgets.abandonCheckpoint()
        checkpoint.devices.abandonCheckpoint()
        origins.abandonCheckpoint()
        checkpoint.records.removeAll()
        checkpoint.origin = nil
    }

    /// Deletes some of the records that are not needed since the checkpoint was sealed, or abandoned.
    ///
    /// - Parameters:
    ///   - changes: the deletions.
    ///   - limit: bytes of `changes` after which it is enough, if every record that the checkpoint
    ///     has written leads to a deletion; a first checkpoint has replaced nothing.
    mutating func deleteObsolete(_ changes: inout TableChanges, limit: Int) {
        let count = 1 + limit / TableKey.byteCount
        let isDone: Bool
        if checkpoint.phase == .deletingOld {
            isDone = checkpoint.table.takeObsolete(
                of: checkpoint.epoch,
                to: &changes,
                count: count
            )
        } else {
            precondition(checkpoint.phase == .deletingNew)
            isDone = checkpoint.table.takeAbandoned(
                of: checkpoint.epoch,
                to: &changes,
                count: count
            )
        }
        if isDone { checkpoint.phase = .idle }
    }

    // MARK: - Devices

    /// To be called before a device's registration changes: its name, token or list of widgets.
    mutating func keepRecord(of device: DeviceID) {
        if !checkpoint.devices.takeIfOwed(device) { return }
        var records = RecordStack<RecordName>()
        swap(&records, &checkpoint.records)
        records.push(.registration, device) { writeRegistration(device, to: &$0) }
        swap(&records, &checkpoint.records)
    }

    /// It has changed; `keepRecord` came before.
    mutating func recordChanged(of device: DeviceID) {
        checkpoint.devices.grow(to: delivery.devices.end)
        let isOwed = checkpoint.devices.willChange(device)
        assert(!isOwed, "a device's record was not kept before it changed")
    }

    // MARK: - Records

    private mutating func makeRecords() {
        var records = RecordStack<RecordName>()
        records.push(.shared, 0) { writeShared(to: &$0) }
        records.push(.catalog, 0) { writeCatalog(to: &$0) }
        records.push(.connections, 0) { writeConnections(to: &$0) }
        for record in 0..<StateRecord.producerRecords(producers.end) {
            let range = StateRecord.producers(of: record).clamped(to: 0..<producers.end)
            records.push(.producers, record) { writeProducers(range, to: &$0) }
        }
        for origin in 0..<UInt32(origins.count) {
            records.push(.origin, origin) { origins[origin].beginCheckpoint(&$0) }
        }
        checkpoint.records = records
    }

    /// Makes records of the next devices whose own ones the checkpoint is owed.
    ///
    /// Some at a time, so that the memory of the next ones, which may not have been read for hours, is
    /// prefetched while others are written.
    ///
    /// - Returns: whether there were any.
    private mutating func makeDevices() -> Bool {
        var batch = InlineArray<16, DeviceID>(repeating: DeviceRecord.none)
        var count = 0
        while count < batch.count,
            let device = checkpoint.devices.nextOwed(from: checkpoint.nextDevice)
        {
            checkpoint.devices.saved(device)
            checkpoint.nextDevice = device + 1
            batch[count] = device
            count += 1
        }
        if count == 0 { return false }
        for index in 0..<count {
            let widget = delivery.prefetchRecord(of: batch[index])
            if widget != WidgetRecord.none { matcher.index.prefetchConfiguration(of: widget) }
        }
        var records = RecordStack<RecordName>()
        swap(&records, &checkpoint.records)
        // The last one is taken out first.
        for index in (0..<count).reversed() {
            records.push(.registration, batch[index]) { writeRegistration(batch[index], to: &$0) }
        }
        swap(&records, &checkpoint.records)
        return true
    }

    /// Writes one record that the checkpoint is owed; false if there is none.
    private mutating func writeNext(_ changes: inout TableChanges, limit: Int) -> Bool {
        if let origin = checkpoint.origin {
            putPart(of: origin.number, origin.nextPart, nil, &changes, limit: limit)
        } else if let record = checkpoint.records.popLast() {
            if record.name.type == .origin {
                putPart(of: record.name.number, 0, record.body, &changes, limit: limit)
            } else {
                put(record.name.type, record.name.number, record.body, &changes)
            }
        } else if let page = delivery.widgets.takeOwed() {
            put(.widgets, page, &changes)
        } else if let page = delivery.schedules.takeOwed() {
            put(.schedules, page, &changes)
        } else if let page = delivery.devices.takeOwed() {
            put(.devices, page, &changes)
        } else if makeDevices() {
            // The next ones come from the stack.
            return true
        } else if let page = fields.widgets.takeOwed(catalog: fields.catalog) {
            put(.fields, page.page, page.bytes, &changes)
        } else {
            return false
        }
        return true
    }

    private mutating func put<Element: StateElement>(
        _ type: StateRecord,
        _ page: SlabPage<Element>,
        _ changes: inout TableChanges
    ) {
        checkpoint.table.wrote(type, page.number, parts: 1)
        let key = TableKey(type: type.rawValue, number: page.number, epoch: checkpoint.epoch)
        changes.put(key) { writer in
            for index in 0..<page.count { page[index].write(to: &writer) }
        }
    }

    /// Puts a record, a long one in parts.
    private mutating func put(
        _ type: StateRecord,
        _ number: UInt32,
        _ body: ByteView,
        _ changes: inout TableChanges
    ) {
        var key = TableKey(type: type.rawValue, number: number, epoch: checkpoint.epoch)
        var start = 0
        repeat {
            let end = min(start + StateRecord.partLimit, body.count)
            changes.put(key) { $0.put(raw: body.slice(start, end)) }
            start = end
            key.part += 1
        } while start < body.count
        // An empty list of sessions is written as a record of its own, and not as none: an older record of
        // sessions, whose deletion was lost, would be read instead.
        let isEmpty = body.count == 0 && type == .registration
        checkpoint.table.wrote(type, number, parts: key.part, isEmpty: isEmpty)
    }

    /// Puts a part of an origin's record: its head, if it is the first, and some of what the origin has kept as it was.
    private mutating func putPart(
        of origin: UInt32,
        _ part: UInt16,
        _ head: ByteView?,
        _ changes: inout TableChanges,
        limit: Int
    ) {
        let type = StateRecord.origin
        let key = TableKey(
            type: type.rawValue,
            number: origin,
            part: part,
            epoch: checkpoint.epoch
        )
        var isWhole = false
        changes.put(key) { writer in
            if let head { writer.put(raw: head) }
            isWhole = !origins[origin].writeOwed(to: &writer, limit: limit)
        }
        if part == 0 {
            checkpoint.table.wrote(type, origin)
        } else {
            checkpoint.table.wroteMore(type, origin, parts: part + 1)
        }
        checkpoint.origin = isWhole ? nil : (origin, part + 1)
    }
}
