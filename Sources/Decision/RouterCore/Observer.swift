internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics

/// What operators see of a router; nothing is decided by it.
struct Observer: ~Copyable {
    var counters = RouterCounters()
    /// Of each app, since the start.
    var appMetrics = AppMetrics()
    var decisions: DecisionLog
    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    var isTracing = false
    var tracedDecisions: ContiguousArray<TracedDecision> = []
    var keyWatch = KeyWatch()

    init(decisionsPerDevice: Int) {
        decisions = DecisionLog(perDevice: decisionsPerDevice)
    }
}
