internal import Basics
internal import RouterStore

/// What was last logged about checkpoints, and what the status reports of the last one.
struct CheckpointWatch {
    /// The counters when checkpoints were last logged.
    var counters = CheckpointCounters()
    /// When the newest checkpoint began.
    var begin = MonotonicTime.zero
    /// Duration of the last sealed checkpoint.
    var duration = Milliseconds.zero
    /// The longest tick during the last sealed checkpoint.
    var longestTick = Nanoseconds.zero
}
