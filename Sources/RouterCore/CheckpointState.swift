internal import ByteStorage
internal import StoreFormat

/// What the router remembers of its checkpoints, and of the one that is being written.
struct CheckpointState: ~Copyable {
    var phase = CheckpointPhase.idle
    /// Of the last one that was begun, from 1.
    var epoch: UInt32 = 0
    /// Which devices' own records are to be written, a device a page.
    var devices = PageMarks()
    /// Where the search for devices goes on.
    var nextDevice: UInt32 = 0
    /// Records that were made before what they are of changed, or when the checkpoint began.
    var records = RecordStack()
    /// The origin of whose record some parts are written, and which part comes next.
    var origin: (number: UInt32, nextPart: UInt16)?
    /// Which records the table has.
    var table = RecordIndex()
}

/// How far a checkpoint is; see `Router.writeCheckpoint`.
package enum CheckpointPhase: Equatable, Sendable {
    case idle
    /// What it is owed is being written.
    case writing
    /// All of it is written, and the store is to make it durable.
    case sealing
    /// It is sealed: what it has replaced is being deleted.
    case deletingOld
    /// It was abandoned: what was written of it is being deleted.
    case deletingNew
}

/// Records that wait to be written, in memory that is used again.
struct RecordStack: ~Copyable {
    private static var keptByteCount: Int { 1 << 20 }

    /// A record that was taken out.
    struct Record {
        var type: StateRecord
        var number: UInt32
        var body: ByteView
    }

    private struct Entry {
        var type: StateRecord
        var number: UInt32
        var start: Int
    }

    private var writer = StoreWriter(capacity: 64)
    private var entries: ContiguousArray<Entry> = []

    mutating func push(
        _ type: StateRecord,
        _ number: UInt32,
        _ body: (inout StoreWriter) -> Void
    ) {
        entries.append(Entry(type: type, number: number, start: writer.count))
        body(&writer)
    }

    /// Takes the last one out, valid until the next change.
    mutating func popLast() -> Record? {
        guard let entry = entries.popLast() else {
            removeAll()
            return nil
        }
        let body = writer.bytes.slice(entry.start, writer.count)
        writer.truncate(to: entry.start)
        return Record(type: entry.type, number: entry.number, body: body)
    }

    /// Drops what is left, and memory of which there is much.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter(capacity: 64) }
    }
}
