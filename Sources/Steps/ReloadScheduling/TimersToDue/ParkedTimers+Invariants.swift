internal import Basics

extension ParkedTimers {
    /// Checks that no timer that was reviewed is due before `nearest`, by which the next review is
    /// timed.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            unreviewed <= count && count <= Int(timers.end),
            otherwise: "\(unreviewed) timers are to be reviewed of \(count)"
        )
        for position in unreviewed..<count {
            let timer = timers[ParkedID(index: position)]
            try checkInvariant(
                timer.tick >= nearest,
                otherwise: "timer \(timer.id) is due at \(timer.tick), "
                    + "and the nearest at \(nearest)"
            )
        }
    }
}
