internal import Basics
internal import StoreFormat

/// A step for the table, or the deletion of old journal segments, that waits for its turn in
/// `TableQueue`.
final class TableWork {
    enum Kind {
        /// Writes changes of a checkpoint.
        case write
        /// Writes a checkpoint's manifest, and then seals the checkpoint.
        case seal
        /// Deletes records that a sealed checkpoint has replaced.
        case delete
        /// Deletes the journal before this position.
        case cut(before: UInt64)

        /// True if the step is useless once its checkpoint is lost.
        var isOfCheckpoint: Bool {
            switch self {
            case .write, .seal, .cut: true
            case .delete: false
            }
        }
    }

    let kind: Kind
    let changes: TableChanges
    /// The number of the checkpoint that it belongs to.
    let checkpoint: UInt64
    /// The journal up to this position must be appended before the step.
    let position: UInt64

    init(
        _ kind: Kind,
        changes: consuming TableChanges,
        checkpoint: UInt64,
        after position: UInt64
    ) {
        self.kind = kind
        self.changes = changes
        self.checkpoint = checkpoint
        self.position = position
    }

    var byteCount: Int { changes.byteCount }
}

/// The steps that wait for the table, in order.
struct TableQueue {
    private var works = FIFO<TableWork>()
    /// The size of the waiting changes, in bytes.
    private(set) var byteCount = 0

    var isEmpty: Bool { works.isEmpty }

    mutating func append(_ work: TableWork) {
        byteCount += work.byteCount
        works.append(work)
    }

    /// Removes and returns the first step, if the journal that must precede it is appended;
    /// `position` is the last appended one.
    mutating func pop(at position: UInt64) -> TableWork? {
        if isEmpty || works[0].position > position { return nil }
        let work = works.popFirst()!
        byteCount -= work.byteCount
        assert(byteCount >= 0 && (byteCount == 0 || !isEmpty), "waiting bytes are miscounted")
        return work
    }

    /// Inserts steps before all others, in their order.
    mutating func prepend(_ others: [TableWork]) { replace(by: others + works.removeAll()) }

    /// Removes the steps that are useless without a checkpoint, which is lost.
    mutating func drop(checkpoint: UInt64) {
        replace(
            by: works.removeAll().filter { $0.checkpoint != checkpoint || !$0.kind.isOfCheckpoint }
        )
    }

    private mutating func replace(by others: [TableWork]) {
        byteCount = 0
        for work in others { append(work) }
    }

    /// Checks the queue, and that the bytes of the waiting steps are counted.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("TableQueue.works", by: works.checkInvariants())
        let sum = (0..<works.count).reduce(0) { $0 + works[$1].byteCount }
        try checkInvariant(
            byteCount == sum,
            of: "TableQueue",
            otherwise: "\(byteCount) bytes are counted, and \(sum) wait"
        )
    }
}
