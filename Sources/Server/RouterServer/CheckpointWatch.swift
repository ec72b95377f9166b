internal import RouterStore

/// What was last logged about checkpoints, and what the status reports of the last one.
struct CheckpointWatch {
    /// The counters at that time.
    var counters = CheckpointCounters()
    /// When the newest checkpoint began, in ms of the monotonic clock.
    var begin: Int64 = 0
    /// Duration of the last sealed checkpoint, in ms.
    var duration: Int64 = 0
    /// The longest tick during that checkpoint, in ns.
    var longestTick: Int64 = 0
}
