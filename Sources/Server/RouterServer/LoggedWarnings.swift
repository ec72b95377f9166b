internal import RouterCore

/// The counts as they were when warnings were last logged.
struct LoggedWarnings {
    var counters = RouterCounters()
    /// Inputs that were not recorded.
    var lostCount: UInt64 = 0
    /// When one was last logged; ms, monotonic.
    var time = Int64.min / 2
}
