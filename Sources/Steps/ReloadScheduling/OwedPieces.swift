internal import DataStructures
internal import StoreFormat

/// Which pieces of something a checkpoint is still owed, when it takes them in the order of their
/// numbers while the whole goes on changing.
///
///     0 ……………… next ……………………………………… end ………
///     written     owed: as they are, or copies     new since the checkpoint began
///                 of those that have changed
///
/// Whoever changes a piece asks `owes` first: without a checkpoint that is one comparison.
struct OwedPieces: ~Copyable {
    /// A piece as it was when the checkpoint began, or what is left of it to be written.
    final class Copy {
        private var bytes: StoreWriter
        private var offset = 0

        init(_ bytes: consuming StoreWriter) {
            self.bytes = bytes
        }

        /// Puts some more of it, at most so many bytes.
        ///
        /// - Returns: whether that was the rest.
        func write(to writer: inout StoreWriter, atMost byteCount: Int) -> Bool {
            let end = min(offset + byteCount, bytes.count)
            writer.put(raw: bytes.bytes.slice(offset, end))
            offset = end
            return offset == bytes.count
        }
    }

    /// The piece to write next.
    private(set) var next: UInt32 = 0
    /// Owed pieces are below.
    private var end: UInt32 = 0
    private var copies: [UInt32: Copy] = [:]

    var isEmpty: Bool { next == end }

    /// The copy of the piece to write next, if it has changed.
    var nextCopy: Copy? { copies.isEmpty ? nil : copies[next] }

    /// A checkpoint begins, and is owed so many pieces.
    mutating func begin(_ count: UInt32) {
        precondition(isEmpty, "the last checkpoint is not finished")
        (next, end) = (0, count)
    }

    /// The checkpoint will not be.
    mutating func abandon() {
        (next, end) = (0, 0)
        copies = [:]
    }

    /// Whether a piece must be copied before it changes.
    @inline(__always)
    func owes(_ number: UInt32) -> Bool {
        number < end && number >= next && copies[number] == nil
    }

    mutating func keep(_ number: UInt32, _ bytes: consuming StoreWriter) {
        assert(owes(number), "a piece is copied that is not owed")
        copies[number] = Copy(bytes)
    }

    /// The next piece is written.
    mutating func wrote() {
        if !copies.isEmpty { copies[next] = nil }
        next += 1
    }
}
