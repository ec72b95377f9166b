internal import Basics

/// A body as it arrives, in pieces: whole pieces are not copied when more comes.
///
/// A body may have keys and codes, so that what is left of it is overwritten.
package struct BodyPieces: Sendable {
    /// The bytes of a piece.
    static var pieceByteCount: Int { 64 << 10 }

    private var pieces: [[UInt8]] = []
    /// The bytes that are there.
    package private(set) var count = 0

    init() {}

    /// Adds bytes at the end.
    mutating func append(_ bytes: ByteView) {
        var offset = 0
        while offset < bytes.count {
            var free = Self.pieceByteCount - (pieces.last?.count ?? Self.pieceByteCount)
            if free == 0 {
                pieces.append([])
                free = Self.pieceByteCount
                // Most bodies are short; after a whole piece, another one is likely to come.
                if pieces.count > 1 { pieces[pieces.count - 1].reserveCapacity(free) }
            }
            let part = bytes.slice(offset, to: min(bytes.count, offset + free))
            Self.append(part, to: &pieces[pieces.count - 1])
            offset += part.count
        }
        count += bytes.count
    }

    /// Adds bytes to a piece, and leaves none of those before in the memory that they had.
    private static func append(_ bytes: ByteView, to piece: inout [UInt8]) {
        let needed = piece.count + bytes.count
        if !piece.isEmpty && needed > piece.capacity {
            var larger: [UInt8] = []
            larger.reserveCapacity(min(pieceByteCount, max(needed, 2 * piece.capacity)))
            larger += piece
            piece.erase()
            piece = larger
        }
        unsafe piece.append(
            contentsOf: UnsafeRawBufferPointer(start: bytes.address, count: bytes.count)
        )
    }

    /// The whole body; copies it unless it is a single piece.
    package var joined: [UInt8] {
        if pieces.count == 1 { return pieces[0] }
        var body: [UInt8] = []
        body.reserveCapacity(count)
        for piece in pieces { body += piece }
        return body
    }

    /// Removes and returns the whole body, of which no copy stays in memory.
    mutating func take() -> [UInt8] {
        let body = joined
        if pieces.count == 1 { self = BodyPieces() } else { erase() }
        return body
    }

    /// Overwrites and removes what is there.
    mutating func erase() {
        for index in pieces.indices { pieces[index].erase() }
        self = BodyPieces()
    }
}
