internal import Basics
internal import RouterCore

/// Counters at the time warnings were last logged; the next warnings report the difference.
struct LoggedWarnings {
    var counters = RouterCounters()
    /// Inputs missing from the recording.
    var lostCount: UInt64 = 0
    /// When a warning was last logged.
    var time = MonotonicTime.longAgo
}
