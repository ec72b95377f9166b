internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics

/// What is recorded for operators; no decision depends on it.
struct Observer: ~Copyable {
    var counters = RouterCounters()
    /// The counters of each app since the start of the process.
    var appMetrics = AppMetrics()
    /// The last decisions on each device's widgets.
    var decisions: DecisionLog
    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    var isTracing = false
    var tracedDecisions: ContiguousArray<TracedDecision> = []
    var keyWatch = KeyWatch()

    init(decisionsPerDevice: Int) {
        decisions = DecisionLog(perDevice: decisionsPerDevice)
    }
}
