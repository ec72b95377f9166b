package import Basics
internal import StoreFormat

/// Queue of frames awaiting commit: each may leave only when the journal is committed up to its
/// position. First in, first out; the memory is reused.
///
///     entries    [ position, connection, bytes ] [ … ] …
///     bytes      frame frame frame …
///
/// Positions never decrease, so the frames that may leave are always at the front.
package struct UncommittedOutput: ~Copyable {
    /// A frame that awaits its commit.
    package struct Entry {
        /// The position up to which the journal must be committed before the frame may leave.
        package let position: UInt64
        /// The slot of the connection. Slots are reused: `serial` says which connection it was.
        package let connection: ConnectionSlot
        /// The serial number of the connection among those that have used the slot.
        package let serial: UInt32
        /// Role of the frame in its session.
        package let kind: Kind
        /// Arrival time of the first push that the frame answers; `none` if it answers none.
        package let arrival: ExactTime
        /// Number of pushes that the frame answers.
        package let count: UInt32
        fileprivate let byteCount: Int
    }

    /// Role of a frame in its session.
    package enum Kind {
        /// The session's first frame, WELCOME: no other frame of the session may leave before it.
        case first
        /// A frame between the first and the last.
        case other
        /// The session's last frame: the connection is closed after it.
        case last
    }

    /// Bytes of memory kept while the queue is empty.
    private static var keptByteCount: Int { 1 << 20 }

    private var entries: ContiguousArray<Entry> = []
    /// Index of the first waiting entry; those before it have left.
    private var head = 0
    private var writer = StoreWriter()
    /// Bytes at the beginning of `writer` whose frames have left.
    private var offset = 0

    /// Makes an empty queue.
    package init() {}

    /// True if no frame waits.
    package var isEmpty: Bool { head == entries.count }
    /// Bytes of the waiting frames.
    package var byteCount: Int { writer.count - offset }
    /// Bytes of memory that the waiting frames take. An ACK takes four times its bytes.
    package var memoryByteCount: Int {
        byteCount + (entries.count - head) * MemoryLayout<Entry>.stride
    }

    /// Appends a frame, whose position is never lower than that of the frame before; `Entry` says
    /// what else is noted of it. `body` writes at most `byteCount` bytes, and returns how many.
    package mutating func append(
        position: UInt64,
        connection: ConnectionSlot,
        serial: UInt32,
        kind: Kind,
        arrival: ExactTime = .none,
        count: UInt32 = 0,
        byteCount: Int,
        body: (UnsafeMutableRawPointer) -> Int
    ) {
        assert(isEmpty || entries[entries.count - 1].position <= position)
        let start = writer.count
        let written = unsafe body(writer.extend(byteCount))
        assert(
            (0...byteCount).contains(written),
            "a frame of \(written) bytes in room for \(byteCount)"
        )
        writer.truncate(to: start + written)
        entries.append(
            Entry(
                position: position,
                connection: connection,
                serial: serial,
                kind: kind,
                arrival: arrival,
                count: count,
                byteCount: written
            )
        )
    }

    /// Removes the frames that may leave, in order, passing each to `body`.
    package mutating func release(upTo position: UInt64, body: (Entry, ByteView) -> Void) {
        while head < entries.count && entries[head].position <= position {
            let entry = entries[head]
            body(entry, writer.bytes.slice(offset, to: offset + entry.byteCount))
            head += 1
            offset += entry.byteCount
        }
        compact()
    }

    /// Drops frames that have left, as soon as they are at least half of all entries; so the cost
    /// per frame is constant.
    private mutating func compact() {
        assert(!isEmpty || byteCount == 0, "bytes are left of frames that have left")
        if head * 2 < entries.count { return }
        entries.removeFirst(head)
        head = 0
        writer.removeFirst(offset)
        offset = 0
        if entries.isEmpty && writer.capacity > Self.keptByteCount {
            writer = StoreWriter()
            entries = []
        }
    }
}
