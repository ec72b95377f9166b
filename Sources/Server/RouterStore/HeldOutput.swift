package import DataStructures
internal import StoreFormat

/// Frames that may not leave before the journal is committed up to some position: first in, first
/// out, in memory that is used again.
///
///     entries    [ position, connection, bytes ] [ … ] …
///     bytes      frame frame frame …
///
/// Positions never fall, so what may leave is always in front.
package struct HeldOutput: ~Copyable {
    /// A frame that waits.
    package struct Entry {
        package let position: UInt64
        /// The slot, and which of the connections that had it.
        package let connection: UInt32
        package let serial: UInt32
        /// What the frame is to its session.
        package let kind: Kind
        /// When the first push came that it answers, in ns of the driver's clock, and how many it
        /// answers; 0 if it answers none.
        package let arrival: Int64
        package let count: UInt32
        fileprivate let byteCount: Int
    }

    package enum Kind {
        /// The first frame of the session: no other may overtake it.
        case first
        case other
        /// The last frame: the connection ends behind it.
        case last
    }

    /// Memory that is kept when nothing is held, in bytes.
    private static var keptByteCount: Int { 1 << 20 }

    private var entries: ContiguousArray<Entry> = []
    private var head = 0
    private var writer = StoreWriter()
    /// Bytes at the beginning of `writer` that have left.
    private var offset = 0

    package init() {}

    package var isEmpty: Bool { head == entries.count }
    package var byteCount: Int { writer.count - offset }

    /// Holds a frame.
    ///
    /// - Parameters:
    ///   - position: the journal must be committed up to here before it may leave.
    ///   - connection: its slot.
    ///   - serial: which of the connections that had the slot.
    ///   - kind: what the frame is to its session.
    ///   - arrival: when the first push came that it answers; 0 if it answers none.
    ///   - count: how many it answers.
    ///   - byteCount: as many as it may become.
    ///   - body: writes it, and returns how many bytes it is.
    package mutating func append(
        position: UInt64,
        connection: UInt32,
        serial: UInt32,
        kind: Kind,
        arrival: Int64 = 0,
        count: UInt32 = 0,
        byteCount: Int,
        _ body: (UnsafeMutableRawPointer) -> Int
    ) {
        assert(isEmpty || entries[entries.count - 1].position <= position)
        let start = writer.count
        let written = unsafe body(writer.extend(byteCount))
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

    /// Hands out what may leave, in its order.
    ///
    /// - Parameters:
    ///   - position: the journal is committed up to here.
    ///   - body: is given the frame's bytes, valid during the call.
    package mutating func release(upTo position: UInt64, _ body: (Entry, ByteView) -> Void) {
        while head < entries.count && entries[head].position <= position {
            let entry = entries[head]
            body(entry, writer.bytes.slice(offset, offset + entry.byteCount))
            head += 1
            offset += entry.byteCount
        }
        compact()
    }

    /// What has left is forgotten, at the latest when it is more than what waits.
    private mutating func compact() {
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
