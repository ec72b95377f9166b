internal import Basics
internal import ReloadScheduling

/// What is recorded for operators; no decision depends on it.
struct Observer: ~Copyable {
    var counters = RouterCounters()
    /// The counters of each app since the start of the process.
    var appMetrics = NumberedArray<AppID, AppCounts>()
    /// The last decisions on each device's widgets.
    var decisions: DecisionLog
    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    var isTracing = false { didSet { updateFollowing() } }
    var tracedDecisions: ContiguousArray<TracedDecision> = []
    var keyWatch = KeyWatch()
    /// What becomes of the pushes of publishers that ask for it.
    var outcomes = OutcomeLog()
    /// Whether something is to know of each decision as it is made: `tracedDecisions`, or the
    /// outcomes of the pushes that are being applied.
    private(set) var isFollowing = false

    init(decisionsPerDevice: Int) { decisions = DecisionLog(perDevice: decisionsPerDevice) }

    /// Sets the batch of pushes to which the next decisions belong; nil for none.
    @inline(__always)
    mutating func setOutcomeBatch(_ batch: OutcomeBatch?) {
        if batch == nil && outcomes.current == nil { return }
        outcomes.current = batch
        updateFollowing()
    }

    private mutating func updateFollowing() { isFollowing = isTracing || outcomes.current != nil }
}
