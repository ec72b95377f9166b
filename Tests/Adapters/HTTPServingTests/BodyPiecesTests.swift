import Basics
import Testing

@testable import HTTPServing

@Suite("The pieces of a body")
struct BodyPiecesTests {
    private func pieces(_ body: [UInt8], by count: Int) -> BodyPieces {
        var pieces = BodyPieces()
        var rest = body[...]
        while !rest.isEmpty {
            Array(rest.prefix(count)).withByteView { pieces.append($0) }
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    @Test func `They are the body, however it has arrived`() {
        let piece = BodyPieces.pieceByteCount
        for length in [0, 1, piece - 1, piece, piece + 1, 5 * piece + 7] {
            let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            for count in [1, 1_000, piece - 1, piece, piece + 1, 3 * piece] {
                let pieces = pieces(body, by: count)
                #expect(pieces.count == length)
                #expect(pieces.joined == body, "\(length) bytes by \(count)")
            }
        }
    }
}
