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
    mutating func push(
        _ type: StateRecord,
        number: UInt32,
        body: (inout StoreWriter) -> Void
    ) {
        begin(RecordName(type: type, number: number))
        body(&writer)
    }
}
