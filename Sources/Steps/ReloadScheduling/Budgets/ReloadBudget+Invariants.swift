package import Basics

extension ReloadBudget {
    /// Checks that the last change can have been at `now` or before, and that the average of views
    /// is at most 255 a day, the most that are counted.
    ///
    /// - Throws: the first contradiction.
    package func checkInvariants(
        at now: MonotonicTime,
        phase: Milliseconds
    ) throws(InvariantViolation) {
        try checkInvariant(
            isPossible(at: now, phase: phase),
            otherwise: "the last change, in bucket \(bucket) of day \(day), is after \(now)"
        )
        try checkInvariant(
            Int(habit.average) <= Int(UInt8.max) * ReloadBudgetHabit.view,
            otherwise: "\(habit.average) of 256 views a day are more than are counted"
        )
    }
}
