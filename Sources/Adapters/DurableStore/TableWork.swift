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
    /// The waiting steps begin at `head`; those before it are done, and nil.
    private(set) var items: [TableWork?] = []
    private(set) var head = 0
    /// The size of the waiting changes, in bytes.
    private(set) var byteCount = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ work: TableWork) {
        byteCount += work.byteCount
        items.append(work)
    }

    /// Removes and returns the first step, if the journal that must precede it is appended;
    /// `position` is the last appended one.
    mutating func pop(at position: UInt64) -> TableWork? {
        if isEmpty { return nil }
        assert(items[head] != nil, "a waiting step is missing")
        guard let work = items[head], work.position <= position else { return nil }
        items[head] = nil
        head += 1
        if head == items.count || head == 1_024 {
            items.removeFirst(head)
            head = 0
        }
        byteCount -= work.byteCount
        assert(byteCount >= 0 && (byteCount == 0 || !isEmpty), "waiting bytes are miscounted")
        return work
    }

    /// Inserts steps before all others, in their order.
    mutating func prepend(_ works: [TableWork]) {
        assert(head <= items.count, "more steps are done than there were")
        items.replaceSubrange(..<head, with: works)
        head = 0
        byteCount += works.reduce(0) { $0 + $1.byteCount }
    }

    /// Removes the steps that are useless without a checkpoint, which is lost.
    mutating func drop(checkpoint: UInt64) {
        items = items[head...].filter { work in
            guard let work else { return false }
            return work.checkpoint != checkpoint || !work.kind.isOfCheckpoint
        }
        head = 0
        byteCount = items.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    }
}
