internal import DataStructures
internal import StoreFormat

/// The pieces that a running checkpoint has not written yet, of a structure that keeps changing.
///
///     0 ……………… next ……………………………………… end ………
///     written     unwritten: as they are, or       added since the
///                 copies of those that changed     checkpoint began
///
/// The checkpoint writes the pieces in order of their numbers. Before a piece changes, its owner
/// asks `needsCopy`, and saves a copy with `keep` if the answer is true; without a checkpoint that
/// costs one comparison. `SecondCounts` uses it for its pages, `SlotLedger` for its groups.
struct UnwrittenPieces: ~Copyable {
    /// The bytes of a piece as it was when the checkpoint began, or of the part of it that was
    /// unwritten when it changed.
    final class Copy {
        private var bytes: StoreWriter
        private var offset = 0

        init(_ bytes: consuming StoreWriter) {
            self.bytes = bytes
        }

        /// Writes the next part of the copy, at most `byteCount` bytes.
        ///
        /// - Returns: whether this was the last part.
        func write(to writer: inout StoreWriter, atMost byteCount: Int) -> Bool {
            let end = min(offset + byteCount, bytes.count)
            writer.put(raw: bytes.bytes.slice(offset, to: end))
            offset = end
            return offset == bytes.count
        }
    }

    /// The next piece to write.
    private(set) var next: UInt32 = 0
    /// The pieces below this number belong to the checkpoint.
    private(set) var end: UInt32 = 0
    private(set) var copies: [UInt32: Copy] = [:]

    /// Whether the checkpoint has written everything, or there is none.
    var isEmpty: Bool { next == end }

    /// The saved copy of the next piece to write; nil if that has not changed.
    var nextCopy: Copy? { copies.isEmpty ? nil : copies[next] }

    /// Starts a checkpoint of the pieces 0 ..< `count`.
    mutating func begin(_ count: UInt32) {
        precondition(isEmpty, "the last checkpoint is not finished")
        (next, end) = (0, count)
    }

    /// Ends the checkpoint before it is complete.
    mutating func abandon() {
        (next, end) = (0, 0)
        copies = [:]
    }

    /// Whether a piece must be copied with `keep` before it changes: it is unwritten and has no
    /// copy.
    @inline(__always)
    func needsCopy(_ number: UInt32) -> Bool {
        number < end && number >= next && copies[number] == nil
    }

    /// Saves the bytes of a piece for which `needsCopy` holds.
    mutating func keep(_ number: UInt32, bytes: consuming StoreWriter) {
        assert(needsCopy(number), "a piece is copied that is not marked unwritten")
        copies[number] = Copy(bytes)
    }

    /// Records that the piece `next` has been written; the one after it becomes the next.
    mutating func wrote() {
        assert(next < end, "every piece is written already")
        if !copies.isEmpty { copies[next] = nil }
        next += 1
    }
}
