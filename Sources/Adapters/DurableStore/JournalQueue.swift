internal import DataStructures
internal import StoreFormat

/// Records of the journal that are appended in one piece.
final class JournalChunk {
    var records: StoreWriter
    /// The position of its first record, or the next one if it has none.
    var first: UInt64 = 0
    /// The position of its last record, or the one before if it has none.
    var last: UInt64 = 0
    /// Whether a new segment of the log begins with it.
    var beginsSegment = false

    init(capacity: Int) {
        records = StoreWriter(capacity: capacity)
    }
}

/// What was submitted to the journal and waits for the disk.
///
///     full: oldest … newest │ open: takes records │ spare: memory to use again
///
/// Records gather in the open chunk until the thread comes for it, so that normally there is one.
/// While the thread cannot come, chunks of a limited size line up: memory grows without being
/// copied, and an append stays of a size that a disk takes at once.
struct JournalQueue: ~Copyable {
    private let limits: CommitLimits
    /// The records of the open chunk.
    ///
    /// They lie here, and not in an object, because every `append` would then pay for the checks of
    /// exclusive access to its vars.
    private var open: StoreWriter
    private var openFirst: UInt64
    private var openBeginsSegment = false
    private var full: [JournalChunk] = []
    private var spare: [JournalChunk] = []
    /// The last record that was submitted.
    private(set) var position: UInt64
    private(set) var checksum: UInt64

    init(behind position: UInt64, checksum: UInt64, limits: CommitLimits) {
        self.limits = limits
        self.position = position
        self.checksum = checksum
        open = StoreWriter(capacity: limits.spareByteCount)
        openFirst = position + 1
        full.reserveCapacity(8)
        spare.reserveCapacity(limits.spareCount)
    }

    /// Seals a record around this body.
    ///
    /// - Returns: how many bytes it takes.
    mutating func append(_ body: ByteView) -> Int {
        let byteCount = JournalRecord.headerByteCount + body.count
        if !open.isEmpty && open.count + byteCount > limits.chunkByteCount { closeChunk() }
        position += 1
        let start = JournalRecord.begin(&open)
        open.put(raw: body)
        checksum = JournalRecord.end(&open, from: start, position: position, parent: checksum)
        return byteCount
    }

    /// Lets a new segment of the log begin with the next record.
    mutating func rotate() {
        if !open.isEmpty { closeChunk() }
        openBeginsSegment = true
    }

    var isEmpty: Bool { full.isEmpty && open.isEmpty && !openBeginsSegment }

    /// Takes the oldest chunk; one that only begins a segment may have no records.
    mutating func take() -> JournalChunk? {
        if isEmpty { return nil }
        if full.isEmpty { closeChunk() }
        return full.removeFirst()
    }

    /// Takes back a chunk that was appended.
    mutating func recycle(_ chunk: JournalChunk) {
        // One that a long record has filled is let go: its memory would never be needed again.
        let isOrdinary = chunk.records.count <= limits.chunkByteCount
        if !isOrdinary || spare.count == limits.spareCount { return }
        chunk.records.clear()
        spare.append(chunk)
    }

    /// Moves what is open into a chunk, and goes on with the memory of that.
    private mutating func closeChunk() {
        let chunk = spare.popLast() ?? JournalChunk(capacity: limits.spareByteCount)
        swap(&chunk.records, &open)
        chunk.first = openFirst
        chunk.last = position
        chunk.beginsSegment = openBeginsSegment
        full.append(chunk)
        openFirst = position + 1
        openBeginsSegment = false
    }
}
