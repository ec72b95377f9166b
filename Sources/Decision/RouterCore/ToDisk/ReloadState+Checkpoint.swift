internal import Basics
internal import ChangeDetection
internal import StoreFormat
internal import WidgetMatching

/// Writing the state to the table while it continues to change.
///
///     beginCheckpoint ─► writeCheckpoint … ─► writeManifest ─► checkpointSealed ─► deleteObsolete…
///                              └───────────────────┴─► abandonCheckpoint ─► deleteObsolete …
///
/// A checkpoint contains the state as it was at `beginCheckpoint`: a record that changes before it
/// was written is copied first (copy on update; Cao et al., "Fast checkpoint recovery algorithms
/// for frequently consistent applications", SIGMOD 2011). Only records that have changed since the
/// last checkpoint are written. The few that always change are copied when the checkpoint begins,
/// except those of origins, which can be long and are copied part by part.
extension ReloadState {
    /// Starts to track which records change.
    ///
    /// - Parameter isSaved: whether the table already contains the whole state, because the router
    ///   was recovered from it.
    mutating func startTracking(isSaved: Bool) {
        delivery.widgets.startTracking(isSaved: isSaved)
        delivery.schedules.startTracking(isSaved: isSaved)
        delivery.devices.startTracking(isSaved: isSaved)
        delivery.pushes.startTracking(isSaved: isSaved)
        fields.widgets.startTracking(isSaved: isSaved)
        publishers.requestKeys.startTracking(isSaved: isSaved)
        checkpoint.devices.startTracking(pageCount: delivery.devices.end, isSaved: isSaved)
    }

    /// Begins a checkpoint of the present state; to be called between two ticks, without a fan-out.
    mutating func beginCheckpoint() {
        precondition(checkpoint.phase == .idle, "one checkpoint at a time")
        precondition(fanOuts.isEmpty, "a checkpoint begins while no fan-out is running")
        checkpoint.phase = .writing
        checkpoint.epoch += 1
        delivery.widgets.beginCheckpoint()
        delivery.schedules.beginCheckpoint()
        delivery.devices.beginCheckpoint()
        delivery.pushes.beginCheckpoint()
        fields.widgets.beginCheckpoint()
        publishers.requestKeys.beginCheckpoint()
        checkpoint.devices.beginCheckpoint()
        checkpoint.nextDevice = 0
        makeRecords()
    }

    /// Writes more records of the checkpoint.
    ///
    /// - Parameters:
    ///   - changes: receives the records, under the checkpoint's epoch.
    ///   - limit: the size of `changes`, in bytes, from which on no further record is added.
    /// - Returns: whether all records but the manifest have been written.
    mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        precondition(checkpoint.phase == .writing)
        while changes.byteCount < limit {
            if !writeNext(&changes, limit: limit) { return true }
        }
        return false
    }

    /// Writes the manifest, which makes the checkpoint the newest one as soon as it is durable.
    ///
    /// - Parameters:
    ///   - position: the last journal record that the state includes; 0 for none.
    ///   - checksum: the checksum of that record.
    ///   - changes: receives the manifest.
    mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        to changes: inout TableChanges
    ) {
        precondition(checkpoint.phase == .writing)
        precondition(
            checkpoint.records.isEmpty && checkpoint.origin == nil,
            "a manifest comes after all other records"
        )
        checkpoint.phase = .sealing
        checkpoint.table.recordWritten(.manifest, number: 0, parts: 1)
        let manifest = StoreManifest(
            epoch: checkpoint.epoch,
            position: position,
            checksum: checksum,
            version: StateRecord.version
        )
        changes.put(StoreManifest.key(epoch: manifest.epoch)) { manifest.write(to: &$0) }
    }

    /// Records that the checkpoint and its manifest are durable; `deleteObsolete` follows.
    mutating func checkpointSealed() {
        precondition(checkpoint.phase == .sealing)
        checkpoint.phase = .deletingOld
    }

    /// Abandons the running checkpoint, if there is one; the next one writes its records too.
    mutating func abandonCheckpoint() {
        guard checkpoint.phase.isRunning else { return }
        checkpoint.phase = .deletingNew
        delivery.widgets.abandonCheckpoint()
        delivery.schedules.abandonCheckpoint()
        delivery.devices.abandonCheckpoint()
        delivery.pushes.abandonCheckpoint()
        fields.widgets.abandonCheckpoint()
        publishers.requestKeys.abandonCheckpoint()
        checkpoint.devices.abandonCheckpoint()
        origins.abandonCheckpoint()
        checkpoint.records.removeAll()
        checkpoint.origin = nil
    }

    /// Deletes some of the records that are obsolete because the checkpoint was sealed or
    /// abandoned.
    ///
    /// - Parameters:
    ///   - changes: receives the deletions.
    ///   - limit: how many records to examine, given as the bytes that their deletions would take.
    ///     Most may lead to no deletion: a first checkpoint has replaced nothing.
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

    /// Copies a device's registration for the running checkpoint, if it has not been written yet;
    /// to be called before the device's name, token or list of widgets changes.
    mutating func copyBeforeWrite(of device: DeviceID) {
        if !checkpoint.devices.markWrittenIfUnwritten(device.rawValue) { return }
        var records = RecordStack<RecordName>()
        swap(&records, &checkpoint.records)
        records.push(.registration, number: device.rawValue) { writeRegistration(device, to: &$0) }
        swap(&records, &checkpoint.records)
    }

    /// Records that a device's registration has changed; `copyBeforeWrite` must have been called
    /// before.
    mutating func recordChanged(of device: DeviceID) {
        checkpoint.devices.grow(to: delivery.devices.end)
        let wasUnwritten = checkpoint.devices.copyBeforeWrite(device.rawValue)
        assert(!wasUnwritten, "a device's record was not kept before it changed")
    }

    // MARK: - Records

    private mutating func makeRecords() {
        var records = RecordStack<RecordName>()
        records.push(.shared, number: 0) { writeShared(to: &$0) }
        records.push(.catalog, number: 0) { writeCatalog(to: &$0) }
        records.push(.connections, number: 0) { writeConnections(to: &$0) }
        records.push(.requestQueues, number: 0) { publishers.requestKeys.writeQueues(to: &$0) }
        records.push(.revocations, number: 0) { revocations.write(to: &$0) }
        for record in 0..<StateRecord.producerRecords(publishers.producers.end) {
            let range = StateRecord.producers(of: record).clamped(to: publishers.producers.end)
            records.push(.producers, number: record) { publishers.writeProducers(range, to: &$0) }
        }
        for origin in origins.ids {
            records.push(.origin, number: origin.rawValue) { origins[origin].beginCheckpoint(&$0) }
        }
        checkpoint.records = records
    }

    /// Makes records of the next devices that are unwritten in the running checkpoint.
    ///
    /// Several are made at a time, so that the memory of the next ones, which may not have been
    /// read for hours, is prefetched while others are written.
    ///
    /// - Returns: whether there were any.
    private mutating func makeDevices() -> Bool {
        var batch = InlineArray<16, DeviceID>(repeating: .none)
        var count = 0
        while count < batch.count,
            let number = checkpoint.devices.nextUnwrittenPage(from: checkpoint.nextDevice)
        {
            checkpoint.devices.markWritten(number)
            checkpoint.nextDevice = number + 1
            batch[count] = DeviceID(rawValue: number)
            count += 1
        }
        if count == 0 { return false }
        for index in 0..<count {
            let widget = delivery.prefetchRecord(of: batch[index])
            if !widget.isNone { matcher.index.prefetchConfiguration(of: widget) }
        }
        var records = RecordStack<RecordName>()
        swap(&records, &checkpoint.records)
        // The stack returns the last record first.
        for index in (0..<count).reversed() {
            records.push(.registration, number: batch[index].rawValue) {
                writeRegistration(batch[index], to: &$0)
            }
        }
        swap(&records, &checkpoint.records)
        return true
    }

    /// Writes one unwritten record of the checkpoint; false if none is left.
    private mutating func writeNext(_ changes: inout TableChanges, limit: Int) -> Bool {
        if let origin = checkpoint.origin {
            putPart(of: origin.id, part: origin.nextPart, head: nil, to: &changes, limit: limit)
        } else if let record = checkpoint.records.popLast() {
            if record.name.type == .origin {
                putPart(
                    of: OriginID(rawValue: record.name.number),
                    part: 0,
                    head: record.body,
                    to: &changes,
                    limit: limit
                )
            } else {
                put(record.name.type, number: record.name.number, body: record.body, to: &changes)
            }
        } else if let page = delivery.widgets.nextUnwritten() {
            put(.widgets, page: page, to: &changes)
        } else if let page = delivery.schedules.nextUnwritten() {
            put(.schedules, page: page, to: &changes)
        } else if let page = delivery.devices.nextUnwritten() {
            put(.devices, page: page, to: &changes)
        } else if let page = delivery.pushes.nextUnwritten() {
            put(.pushes, page: page, to: &changes)
        } else if let page = publishers.requestKeys.nextUnwritten() {
            put(.requestKeys, page: page, to: &changes)
        } else if makeDevices() {
            // The next call writes them from the stack.
            return true
        } else if let page = fields.widgets.nextUnwritten(catalog: fields.catalog) {
            put(.fields, number: page.page, body: page.bytes, to: &changes)
        } else {
            return false
        }
        return true
    }

    private mutating func put<Element: StateElement>(
        _ type: StateRecord,
        page: SlabPage<Element>,
        to changes: inout TableChanges
    ) {
        checkpoint.table.recordWritten(type, number: page.number, parts: 1)
        let key = TableKey(type: type.rawValue, number: page.number, epoch: checkpoint.epoch)
        changes.put(key) { writer in
            for index in 0..<page.count { page[index].write(to: &writer) }
        }
    }

    /// Writes a record; a long one is split into parts.
    private mutating func put(
        _ type: StateRecord,
        number: UInt32,
        body: ByteView,
        to changes: inout TableChanges
    ) {
        var key = TableKey(type: type.rawValue, number: number, epoch: checkpoint.epoch)
        var start = 0
        repeat {
            let end = min(start + StateRecord.partLimit, body.count)
            changes.put(key) { $0.put(raw: body.slice(start, to: end)) }
            start = end
            key.part += 1
        } while start < body.count
        // Only an empty registration is deleted later, because its device is gone. An empty list of
        // sessions stays: without it, an older record of sessions, whose deletion was lost, would
        // be read instead.
        let isEmpty = body.count == 0 && type == .registration
        checkpoint.table.recordWritten(type, number: number, parts: key.part, isEmpty: isEmpty)
    }

    /// Writes a part of an origin's record: its head, if it is the first part, and more of what the
    /// origin has copied for the checkpoint.
    private mutating func putPart(
        of origin: OriginID,
        part: UInt16,
        head: ByteView?,
        to changes: inout TableChanges,
        limit: Int
    ) {
        let type = StateRecord.origin
        let key = TableKey(
            type: type.rawValue,
            number: origin.rawValue,
            part: part,
            epoch: checkpoint.epoch
        )
        var isWhole = false
        changes.put(key) { writer in
            if let head { writer.put(raw: head) }
            isWhole = !origins[origin].writeUnwritten(to: &writer, limit: limit)
        }
        if part == 0 {
            checkpoint.table.recordWritten(type, number: origin.rawValue)
        } else {
            checkpoint.table.wroteMore(type, number: origin.rawValue, parts: part + 1)
        }
        checkpoint.origin = isWhole ? nil : (origin, part + 1)
    }
}
