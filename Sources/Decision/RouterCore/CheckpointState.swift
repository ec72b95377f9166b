internal import DataStructures
internal import StoreFormat

/// The state of checkpointing: the records in the table, and the checkpoint that is being written.
struct CheckpointState: ~Copyable {
    var phase = CheckpointPhase.idle
    /// Of the last one that was begun, from 1.
    var epoch: UInt32 = 0
    /// Which devices' own records are to be written, a device a page.
    var devices = PageMarks()
    /// Where the search for devices goes on.
    var nextDevice: UInt32 = 0
    /// Records that were copied before their data changed, or when the checkpoint began.
    var records = RecordStack<RecordName>()
    /// The origin of whose record some parts are written, and which part comes next.
    var origin: (number: UInt32, nextPart: UInt16)?
    /// Which records the table has.
    var table = RecordIndex()
}

/// How far a checkpoint is; see `Router.writeCheckpoint`.
package enum CheckpointPhase: Equatable, Sendable {
    case idle
    /// Its records are being written.
    case writing
    /// All of it is written, and the store is to make it durable.
    case sealing
    /// It is sealed; the records that it has replaced are being deleted.
    case deletingOld
    /// It was abandoned; the records that it has written are being deleted.
    case deletingNew

    /// Whether it is begun, and neither sealed nor given up.
    package var isRunning: Bool { self == .writing || self == .sealing }
}

/// The key of a record without its checkpoint.
struct RecordName: BitwiseCopyable {
    var type: StateRecord
    var number: UInt32
}

extension RecordStack where Name == RecordName {
    /// Makes a record, of which `body` writes the body.
    mutating func push(
        _ type: StateRecord,
        _ number: UInt32,
        _ body: (inout StoreWriter) -> Void
    ) {
        begin(RecordName(type: type, number: number))
        body(&writer)
    }
}
