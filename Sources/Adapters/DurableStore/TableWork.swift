internal import StoreFormat

/// Something to be done to the table, or to old segments of the log, in its turn.
final class TableWork {
    enum Kind {
        /// Changes of a checkpoint.
        case write
        /// The manifest of a checkpoint, which is then sealed.
        case seal
        /// Deletes what a sealed checkpoint has outdated.
        case delete
        /// Forgets the log before this position.
        case cut(before: UInt64)

        /// Whether it means nothing without its checkpoint.
        var isOfCheckpoint: Bool {
            switch self {
            case .write, .seal, .cut: true
            case .delete: false
            }
        }
    }

    let kind: Kind
    let changes: TableChanges
    /// The checkpoint that it belongs to.
    let checkpoint: UInt64
    /// The journal up to here was submitted before it, and is appended before it is done.
    let position: UInt64

    init(
        _ kind: Kind,
        _ changes: consuming TableChanges,
        checkpoint: UInt64,
        behind position: UInt64
    ) {
        self.kind = kind
        self.changes = changes
        self.checkpoint = checkpoint
        self.position = position
    }

    var byteCount: Int { changes.byteCount }
}

/// What waits to be done to the table, in its order.
struct TableQueue {
    /// Those before `head` are done, and nil.
    private var items: [TableWork?] = []
    private var head = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ work: TableWork) {
        byteCount += work.byteCount
        items.append(work)
    }

    /// Takes the first one, if the journal before it is appended: up to this position it is.
    mutating func pop(at position: UInt64) -> TableWork? {
        if isEmpty { return nil }
        guard let work = items[head], work.position <= position else { return nil }
        items[head] = nil
        head += 1
        if head == items.count || head == 1_024 {
            items.removeFirst(head)
            head = 0
        }
        byteCount -= work.byteCount
        return work
    }

    /// Puts these before all others, in their order.
    mutating func prepend(_ works: [TableWork]) {
        items.replaceSubrange(..<head, with: works)
        head = 0
        byteCount += works.reduce(0) { $0 + $1.byteCount }
    }

    /// Drops what means nothing without a checkpoint, which is lost.
    mutating func drop(checkpoint: UInt64) {
        items = items[head...].filter { work in
            guard let work else { return false }
            return work.checkpoint != checkpoint || !work.kind.isOfCheckpoint
        }
        head = 0
        byteCount = items.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    }
}
