internal import Basics
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
struct UnwrittenPieces<ID: TableNumber>: ~Copyable {
    /// The bytes of a piece as it was when the checkpoint began, or of the part of it that was
    /// unwritten when it changed.
    final class Copy {
        private var bytes: StoreWriter
        private var offset = 0

        init(_ bytes: consuming StoreWriter) { self.bytes = bytes }

        /// Writes the next part of the copy, at most `byteCount` bytes, and returns whether it was
        /// the last.
        func write(to writer: inout StoreWriter, atMost byteCount: Int) -> Bool {
            let end = min(offset + byteCount, bytes.count)
            writer.put(raw: bytes.bytes.slice(offset, to: end))
            offset = end
            return offset == bytes.count
        }
    }

    /// How many pieces are written, which is the position of the next piece to write.
    private(set) var written = 0
    /// How many pieces belong to the checkpoint.
    private(set) var count = 0
    private(set) var copies: [ID: Copy] = [:]

    /// The next piece to write.
    var next: ID { ID(index: written) }

    /// Whether the checkpoint has written everything, or there is none.
    var isEmpty: Bool { written == count }

    /// The saved copy of the next piece to write; nil if that has not changed.
    var nextCopy: Copy? { copies.isEmpty ? nil : copies[next] }

    /// Starts a checkpoint of the pieces 0 ..< `count`.
    mutating func begin(_ count: Int) {
        precondition(isEmpty, "the last checkpoint is not finished")
        (written, self.count) = (0, count)
    }

    /// Ends the checkpoint before it is complete.
    mutating func abandon() {
        (written, count) = (0, 0)
        copies = [:]
    }

    /// Whether a piece must be copied with `keep` before it changes: it is unwritten and has no
    /// copy.
    @inline(__always)
    func needsCopy(_ piece: ID) -> Bool {
        piece.index < count && piece.index >= written && copies[piece] == nil
    }

    /// Saves the bytes of a piece for which `needsCopy` holds.
    mutating func keep(_ piece: ID, bytes: consuming StoreWriter) {
        assert(needsCopy(piece), "a piece is copied that is not marked unwritten")
        copies[piece] = Copy(bytes)
    }

    /// Records that the piece `next` has been written; the one after it becomes the next.
    mutating func markNextWritten() {
        assert(written < count, "every piece is written already")
        if !copies.isEmpty { copies[next] = nil }
        written += 1
    }
}

extension UnwrittenPieces {
    /// Checks that only pieces that the checkpoint has still to write have copies.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(written <= count, otherwise: "\(written) pieces are written of \(count)")
        for piece in copies.keys {
            try checkInvariant(
                piece.index >= written && piece.index < count,
                otherwise: "piece \(piece) has a copy that is never written"
            )
        }
    }
}
