internal import RouterStore

/// What was logged of checkpoints.
struct CheckpointWatch {
    var counters = CheckpointCounters()
    /// When the last one began; ms, monotonic.
    var begin: Int64 = 0
    /// How long the last one took that was sealed, in ms.
    var duration: Int64 = 0
    /// The longest loop turn of that time, in ns.
    var longestTurn: Int64 = 0
}
