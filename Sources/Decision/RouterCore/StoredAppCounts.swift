/// What is stored of an app now, and how many sessions it has.
struct StoredAppCounts: BitwiseCopyable, Equatable {
    var devices = 0
    var widgets = 0
    /// What that costs in memory: see `StoredCost`.
    var bytes = 0
    var sessions = 0
}
