internal import DataStructures

extension UnwrittenPieces {
    /// Checks that only pieces that the checkpoint has still to write have copies.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            next <= end,
            of: "UnwrittenPieces",
            otherwise: "piece \(next) is next, and there are \(end)"
        )
        for number in copies.keys {
            try checkInvariant(
                number >= next && number < end,
                of: "UnwrittenPieces",
                otherwise: "piece \(number) has a copy that is never written"
            )
        }
    }
}
