import Basics

@testable import HTTPMessages

/// An answer of an admin server is read alike in whatever two pieces it comes.
///
///     what is fuzzed: where it is cut, two bytes │ the answer
final class AnswerFuzzing: FuzzTarget {
    private static let bodyLimit = 64

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let cut = Int(input.number(2))
        let answer = input.rest
        let position = min(cut, answer.count)
        let whole = outcome([answer])
        let parts = outcome([
            answer.slice(0, to: position), answer.slice(position, to: answer.count),
        ])
        require(whole == parts, "\(whole) in one piece, \(parts) in two")
        if case .success(let reply) = whole {
            require(reply.body.count <= Self.bodyLimit, "\(reply.body.count) bytes of body")
            require(reply.status >= 200, "an answer of status \(reply.status)")
        }
    }

    /// What is read from pieces, behind which the connection ends.
    private func outcome(_ pieces: [ByteView]) -> Result<HTTPAnswer, AnswerProblem> {
        let reader = AnswerReader(bodyLimit: Self.bodyLimit)
        do throws(AnswerProblem) {
            for piece in pieces where piece.count > 0 { try reader.read(piece) }
            try reader.read(.empty)
        } catch {
            return .failure(error)
        }
        return reader.answer.map { .success($0) } ?? .failure(.invalid("its end is missing"))
    }
}
