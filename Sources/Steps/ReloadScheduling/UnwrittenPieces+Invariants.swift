internal import Basics

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
