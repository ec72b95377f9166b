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
    /// Starts to track which records change. The state `isSaved` if the table already contains the
    /// whole of it, because the router was recovered from it.
    mutating func startTracking(isSaved: Bool) {
        reloads.delivery.widgets.startTracking(isSaved: isSaved)
        reloads.schedules.widgets.startTracking(isSaved: isSaved)
        reloads.delivery.devices.startTracking(isSaved: isSaved)
        reloads.apns.pushes.startTracking(isSaved: isSaved)
        reloads.fields.widgets.startTracking(isSaved: isSaved)
        publishers.requestKeys.startTracking(isSaved: isSaved)
        checkpoint.devices.startTracking(pageCount: reloads.delivery.devices.end, isSaved: isSaved)
    }

    /// Begins a checkpoint of the present state; to be called between two ticks, without a fan-out.
    mutating func beginCheckpoint() {
        precondition(checkpoint.phase == .idle, "one checkpoint at a time")
        precondition(fanOuts.isEmpty, "a checkpoint begins while no fan-out is running")
        checkpoint.phase = .writing
        checkpoint.epoch += 1
        reloads.delivery.widgets.beginCheckpoint()
        reloads.schedules.widgets.beginCheckpoint()
        reloads.delivery.devices.beginCheckpoint()
        reloads.apns.pushes.beginCheckpoint()
        reloads.fields.widgets.beginCheckpoint()
        publishers.requestKeys.beginCheckpoint()
        checkpoint.devices.beginCheckpoint()
        checkpoint.nextDevice = 0
        makeRecords()
    }

    /// Writes more records of the checkpoint, under its epoch, until `changes` has `limit` bytes or
    /// more. Returns whether all records but the manifest have been written.
    mutating func writeCheckpoint(_ changes: inout TableChanges, limit: Int) -> Bool {
        precondition(checkpoint.phase == .writing)
        while changes.byteCount < limit {
            if !writeNext(&changes, limit: limit) { return true }
        }
        return false
    }

    /// Abandons the running checkpoint, if there is one; the next one writes its records too.
    mutating func abandonCheckpoint() {
        guard checkpoint.phase.isRunning else { return }
        checkpoint.phase = .deletingNew
        reloads.delivery.widgets.abandonCheckpoint()
        reloads.schedules.widgets.abandonCheckpoint()
        reloads.delivery.devices.abandonCheckpoint()
        reloads.apns.pushes.abandonCheckpoint()
        reloads.fields.widgets.abandonCheckpoint()
        publishers.requestKeys.abandonCheckpoint()
        checkpoint.devices.abandonCheckpoint()
        reloads.schedules.origins.abandonCheckpoint()
        checkpoint.records.removeAll()
        checkpoint.origin = nil
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
        checkpoint.devices.grow(to: reloads.delivery.devices.end)
        let wasUnwritten = checkpoint.devices.copyBeforeWrite(device.rawValue)
        assert(!wasUnwritten, "a device's record was not kept before it changed")
    }

    // MARK: - Records

    private mutating func makeRecords() {
        var records = RecordStack<RecordName>()
        records.push(.shared, number: 0) { writeShared(to: &$0) }
        records.push(.catalog, number: 0) { writeCatalog(to: &$0) }
        records.push(.connections, number: 0) { reloads.delivery.writeConnections(to: &$0) }
        records.push(.requestQueues, number: 0) { publishers.requestKeys.writeQueues(to: &$0) }
        records.push(.revocations, number: 0) { revocations.write(to: &$0) }
        if !partition.isOnly { records.push(.homes, number: 0) { writeHomes(to: &$0) } }
        for record in 0..<StateRecord.producerRecords(publishers.producers.end) {
            let range = StateRecord.producers(of: record).clamped(to: publishers.producers.end)
            records.push(.producers, number: record) { publishers.writeProducers(range, to: &$0) }
        }
        for origin in reloads.schedules.origins.ids {
            records.push(.origin, number: origin.rawValue) {
                reloads.schedules.origins[origin].beginCheckpoint(&$0)
            }
        }
        checkpoint.records = records
    }

    /// Makes records of the next devices that are unwritten in the running checkpoint; returns
    /// whether there were any. Several are made at a time, so that the memory of the next ones,
    /// which may not have been read for hours, is prefetched while others are written.
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
            let widget = reloads.delivery.prefetchRecord(of: batch[index])
            reloads.apns.texts.prefetch(reloads.delivery.devices[batch[index]].pushToken)
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
                checkpoint.put(
                    record.name.type,
                    number: record.name.number,
                    body: record.body,
                    to: &changes
                )
            }
        } else if let page = reloads.delivery.widgets.nextUnwritten() {
            checkpoint.put(.widgets, page: page, to: &changes)
        } else if let page = reloads.schedules.widgets.nextUnwritten() {
            checkpoint.put(.schedules, page: page, to: &changes)
        } else if let page = reloads.delivery.devices.nextUnwritten() {
            checkpoint.put(.devices, page: page, to: &changes)
        } else if let page = reloads.apns.pushes.nextUnwritten() {
            checkpoint.put(.pushes, page: page, to: &changes)
        } else if let page = publishers.requestKeys.nextUnwritten() {
            checkpoint.put(.requestKeys, page: page, to: &changes)
        } else if makeDevices() {
            // The next call writes them from the stack.
            return true
        } else if let page = reloads.fields.widgets.nextUnwritten(catalog: reloads.fields.catalog) {
            checkpoint.put(.fields, number: page.page, body: page.bytes, to: &changes)
        } else {
            return false
        }
        return true
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
            isWhole = !reloads.schedules.origins[origin].writeUnwritten(to: &writer, limit: limit)
        }
        if part == 0 {
            checkpoint.table.recordWritten(type, number: origin.rawValue)
        } else {
            checkpoint.table.wroteMore(type, number: origin.rawValue, parts: part + 1)
        }
        checkpoint.origin = isWhole ? nil : (origin, part + 1)
    }
}
