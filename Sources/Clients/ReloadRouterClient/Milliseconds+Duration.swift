internal import Basics

extension Milliseconds {
    /// The whole ms of a duration, rounded towards zero; the longest length if it does not fit.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let limit: Milliseconds = seconds < 0 ? .min : .max
        self =
            isTooLarge
            ? limit
            : Milliseconds(rawValue: whole)
                .adding(clamped: Milliseconds(rawValue: attoseconds / 1_000_000_000_000_000))
    }
}
