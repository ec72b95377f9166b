internal import Basics

/// A body as it arrives, in pieces: what is there is not copied when more comes.
struct BodyPieces: Sendable {
    /// The bytes of a piece.
    static var pieceByteCount: Int { 64 << 10 }

    private var pieces: [[UInt8]] = []
    /// The bytes that are there.
    private(set) var count = 0

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
            unsafe pieces[pieces.count - 1].append(
                contentsOf: UnsafeRawBufferPointer(start: part.address, count: part.count)
            )
            offset += part.count
        }
        count += bytes.count
    }

    /// The whole body; copies it unless it is a single piece.
    var joined: [UInt8] {
        if pieces.count == 1 { return pieces[0] }
        var body: [UInt8] = []
        body.reserveCapacity(count)
        for piece in pieces { body += piece }
        return body
    }
}
