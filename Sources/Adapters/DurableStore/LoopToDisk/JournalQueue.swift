internal import Basics
internal import StoreFormat

/// Some records that are appended to the journal in one piece.
final class JournalChunk {
    var records: StoreWriter
    /// The position of its first record; the next position if it has none.
    var first: UInt64 = 0
    /// The position of its last record; the position before if it has none.
    var last: UInt64 = 0
    /// True if a new segment of the journal begins with it.
    var beginsSegment = false

    init(capacity: Int) { records = StoreWriter(capacity: capacity) }
}

/// Submitted records that wait for the disk.
///
///     full: oldest … newest │ open: takes records │ spare: memory to use again
///
/// Records are gathered in the open chunk until the thread takes it, so normally there is only one.
/// While the thread is busy, further chunks of a limited size are queued: memory grows without
/// being copied, and each append has a size that a disk writes at once.
struct JournalQueue: ~Copyable {
    private let limits: CommitLimits
    /// The records of the open chunk.
    ///
    /// They are kept here and not in an object, because each `append` would then pay for checks of
    /// exclusive access to its vars.
    private var open: StoreWriter
    /// The position of the first record of the open chunk.
    private var openFirst: UInt64
    /// True if a new segment begins with the open chunk.
    private var openBeginsSegment = false
    /// Chunks that are complete, oldest first.
    private var full: [JournalChunk] = []
    /// Empty chunks, for reuse.
    private var spare: [JournalChunk] = []
    /// The position of the last submitted record.
    private(set) var position: UInt64
    /// The checksum of the last submitted record.
    private(set) var checksum: UInt64

    init(after position: UInt64, checksum: UInt64, limits: CommitLimits) {
        self.limits = limits
        self.position = position
        self.checksum = checksum
        open = StoreWriter(capacity: limits.spareByteCount)
        openFirst = position + 1
        full.reserveCapacity(8)
        spare.reserveCapacity(limits.spareCount)
    }

    /// Appends a record with this body to the open chunk. Returns the size of the record in bytes,
    /// with its header.
    mutating func append(_ body: ByteView) -> Int {
        let byteCount = JournalRecord.headerByteCount + body.count
        if !open.isEmpty && open.count + byteCount > limits.chunkByteCount { closeChunk() }
        position += 1
        let start = JournalRecord.begin(&open)
        open.put(raw: body)
        checksum = JournalRecord.end(&open, from: start, position: position, parent: checksum)
        return byteCount
    }

    /// Makes a new segment of the journal begin with the next record.
    mutating func rotate() {
        if !open.isEmpty { closeChunk() }
        openBeginsSegment = true
    }

    /// True if nothing waits, not even the beginning of a segment.
    var isEmpty: Bool { full.isEmpty && open.isEmpty && !openBeginsSegment }

    /// Removes and returns the oldest chunk, which has no records if it only begins a segment; nil
    /// if nothing waits.
    mutating func take() -> JournalChunk? {
        if isEmpty { return nil }
        if full.isEmpty { closeChunk() }
        return full.removeFirst()
    }

    /// Receives a chunk that was appended, to reuse its memory.
    mutating func recycle(_ chunk: JournalChunk) {
        // A chunk that grew for a long record is released: so much memory is rarely needed.
        let isOrdinary = chunk.records.count <= limits.chunkByteCount
        assert(spare.count <= limits.spareCount, "more chunks are kept than the limit allows")
        if !isOrdinary || spare.count == limits.spareCount { return }
        chunk.records.clear()
        spare.append(chunk)
    }

    /// Moves the open records into a chunk, and continues with the chunk's memory.
    private mutating func closeChunk() {
        let chunk = spare.popLast() ?? JournalChunk(capacity: limits.spareByteCount)
        swap(&chunk.records, &open)
        precondition(open.isEmpty, "a chunk is used again that still has records")
        assert(openFirst <= position + 1)
        assert(
            chunk.records.isEmpty == (openFirst == position + 1),
            "the chunk's positions are not those of its records"
        )
        assert(!chunk.records.isEmpty || openBeginsSegment, "the chunk has nothing to append")
        chunk.first = openFirst
        chunk.last = position
        chunk.beginsSegment = openBeginsSegment
        full.append(chunk)
        openFirst = position + 1
        openBeginsSegment = false
    }
}
