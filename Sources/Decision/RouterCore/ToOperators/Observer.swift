internal import Basics
internal import ReloadScheduling

/// What is recorded for operators; no decision depends on it.
struct Observer: ~Copyable {
    var counters = RouterCounters()
    /// The counters of each app since the start of the process.
    var appMetrics = NumberedArray<AppID, AppCounts>()
    /// The counters of each kind since the start of the process; a kind of which nothing was
    /// counted may have none.
    var kindMetrics = NumberedArray<KindID, KindCounts>()
    /// The last decisions on each device's widgets.
    var decisions: DecisionLog
    /// The last pushes, with the widgets that they have matched.
    var pushes: PushLog
    /// The names of pushes that are not accepted yet, by their producers: of requests whose events
    /// have names of their own.
    var pushNames: [ProducerID: PushNames] = [:]
    /// The push whose match is being applied; `none` while something else is decided.
    var push = PushMark.none
    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    var isTracing = false { didSet { updateFollowing() } }
    var tracedDecisions: ContiguousArray<TracedDecision> = []
    var keyWatch = KeyWatch()
    /// What becomes of the pushes of publishers that ask for it.
    var outcomes = OutcomeLog()
    /// Whether something is to know of each decision as it is made: `tracedDecisions`, or the
    /// outcomes of the pushes that are being applied.
    private(set) var isFollowing = false

    init(limits: RouterLimits) {
        decisions = DecisionLog(perDevice: limits.decisionsPerDevice)
        pushes = PushLog(limits)
    }

    /// Counts what the courses of a kind and its app show of a decision.
    @inline(__always)
    mutating func count(_ reason: DecisionReason, of kind: KindID, by catalog: borrowing Catalog) {
        if reason.isSent {
            kindMetrics[kind, default: KindCounts()].reloads &+= 1
        } else if reason.isWait {
            kindMetrics[kind, default: KindCounts()].putOff &+= 1
            appMetrics[catalog.kinds[kind].app].putOff &+= 1
        }
    }

    /// Counts a match of a push that has not expired, for a widget of a kind.
    @inline(__always)
    mutating func countMatch(_ push: MatchedBatch.Push, of kind: KindID) {
        kindMetrics[kind, default: KindCounts()].countMatch(
            of: push.fanOut,
            isLate: push.isLate
        )
    }

    /// Forgets what was counted of a kind, whose number another one has from now on.
    mutating func forgetCounts(of kind: KindID) {
        if kindMetrics.has(kind) { kindMetrics[kind] = KindCounts() }
    }

    /// Sets the batch of pushes to which the next decisions belong; nil for none.
    @inline(__always)
    mutating func setOutcomeBatch(_ batch: OutcomeBatch?) {
        if batch == nil && outcomes.current == nil { return }
        outcomes.current = batch
        updateFollowing()
    }

    /// Passes a decision to those that follow decisions one by one: to `tracedDecisions` with the
    /// names that its widget has now.
    @inline(never)
    mutating func follow(
        _ decision: Decision,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) {
        if outcomes.current != nil { outcomes.last = decision }
        if !isTracing { return }
        let record = delivery.widgets[decision.widget]
        let kind = catalog.kinds[record.kind]
        tracedDecisions.append(
            TracedDecision(
                app: catalog.apps[kind.app].declaration.app,
                device: delivery.deviceName(record.device).string,
                widget: delivery.widgetName(decision.widget).string,
                kind: unsafe delivery.names.view(kind.name, count: kind.nameCount).string,
                decision: decision
            )
        )
    }

    private mutating func updateFollowing() { isFollowing = isTracing || outcomes.current != nil }
}

extension PushLog {
    /// Makes a log for a router with these limits; without decisions it would be of no use.
    init(_ limits: RouterLimits) {
        self.init(
            capacity: limits.decisionsPerDevice == 0 ? 0 : limits.historyPushes,
            matchCapacity: limits.historyWidgets
        )
    }
}
