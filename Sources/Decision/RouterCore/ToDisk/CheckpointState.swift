internal import Basics
internal import StoreFormat

/// Which records the table has, and how far the running checkpoint has been written.
struct CheckpointState: ~Copyable {
    var phase = CheckpointPhase.idle
    /// The number of the last checkpoint that was begun, from 1; 0 before the first.
    var epoch: UInt32 = 0
    /// Which registrations are unwritten; each device counts as a page.
    var devices = PageMarks()
    /// The device from which the search for unwritten registrations continues.
    var nextDevice: UInt32 = 0
    /// Records that are made but not written: those copied when the checkpoint began or before
    /// their data changed, and the registrations that come next.
    var records = RecordStack<RecordName>()
    /// The origin whose record is partly written, and its next part; nil if there is none.
    var origin: (id: OriginID, nextPart: UInt16)?
    /// The checkpoint that wrote each record of the table.
    var table = RecordIndex()
}

/// What becomes of records that are made, and of a checkpoint whose records are written.
extension CheckpointState {
    /// Writes the manifest, which makes the checkpoint the newest one as soon as it is durable. It
    /// names the position (0 for none) and checksum of the last journal record that the state
    /// includes.
    mutating func writeManifest(
        position: UInt64,
        checksum: UInt64,
        of partition: Partition,
        to changes: inout TableChanges
    ) {
        precondition(phase == .writing)
        precondition(records.isEmpty && origin == nil, "a manifest comes after all other records")
        phase = .sealing
        table.recordWritten(.manifest, number: 0, parts: 1)
        let manifest = StoreManifest(
            epoch: epoch,
            position: position,
            checksum: checksum,
            version: StateRecord.version,
            partition: partition
        )
        changes.put(StoreManifest.key(epoch: manifest.epoch)) { manifest.write(to: &$0) }
    }

    /// Records that the checkpoint and its manifest are durable; `deleteObsolete` follows.
    mutating func sealed() {
        precondition(phase == .sealing)
        phase = .deletingOld
    }

    /// Deletes some of the records that are obsolete because the checkpoint was sealed or
    /// abandoned. The limit on the records to examine is given as the bytes that their deletions
    /// would take; most may lead to no deletion: a first checkpoint has replaced nothing.
    mutating func deleteObsolete(_ changes: inout TableChanges, limit: Int) {
        let count = 1 + limit / TableKey.byteCount
        let isDone: Bool
        if phase == .deletingOld {
            isDone = table.takeObsolete(of: epoch, to: &changes, count: count)
        } else {
            precondition(phase == .deletingNew)
            isDone = table.takeAbandoned(of: epoch, to: &changes, count: count)
        }
        if isDone { phase = .idle }
    }

    mutating func put<Element: StateElement>(
        _ type: StateRecord,
        page: SlabPage<Element>,
        to changes: inout TableChanges
    ) {
        table.recordWritten(type, number: page.number, parts: 1)
        let key = TableKey(type: type.rawValue, number: page.number, epoch: epoch)
        changes.put(key) { writer in
            for index in 0..<page.count { page[index].write(to: &writer) }
        }
    }

    /// Writes a record; a long one is split into parts.
    mutating func put(
        _ type: StateRecord,
        number: UInt32,
        body: ByteView,
        to changes: inout TableChanges
    ) {
        var key = TableKey(type: type.rawValue, number: number, epoch: epoch)
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
        table.recordWritten(type, number: number, parts: key.part, isEmpty: isEmpty)
    }
}

/// The phase of the running checkpoint; see `Router.writeCheckpoint`.
package enum CheckpointPhase: Equatable, Sendable {
    /// No checkpoint is running.
    case idle
    /// The checkpoint's records are being written.
    case writing
    /// All records are written, and the store has not yet made the checkpoint durable.
    case sealing
    /// The checkpoint is sealed; the records that it has replaced are being deleted.
    case deletingOld
    /// The checkpoint was abandoned; the records that it has written are being deleted.
    case deletingNew

    /// Whether a checkpoint has begun, and was neither sealed nor abandoned.
    package var isRunning: Bool { self == .writing || self == .sealing }
}

/// The key of a record without the checkpoint that wrote it.
struct RecordName: BitwiseCopyable {
    var type: StateRecord
    var number: UInt32
}

extension RecordStack where Name == RecordName {
    /// Adds a record; `body` writes its contents.
    mutating func push(_ type: StateRecord, number: UInt32, body: (inout StoreWriter) -> Void) {
        begin(RecordName(type: type, number: number))
        body(&writer)
    }
}
