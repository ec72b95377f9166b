package import ByteStorage
internal import FrameCodec
internal import PayloadFields
package import ReloadModel
internal import ReloadScheduling
package import RouterMetrics
internal import StoreFormat
internal import StrictJSON
internal import WidgetMatching

/// The router: frames and time in, actions out.
///
/// Pure: it knows no socket and no clock, and its only randomness is the seed and the secrets that it
/// is given. A driver feeds it
///
///     opened / received / filled / drained / closed      as the loop calls back
///     step(now:)                                         once per loop turn; again if `needsStep`
///     beginSweep(now:)                                   about once a second
///     continueSweep(now:isHeard:)                        once per loop turn, while `isSweeping`
///
/// and then performs `actions`, in order, and empties them with `actionsPerformed`. Connections are
/// named by slots that the driver gives; small numbers, used again after `closed`.
package struct Router: ~Copyable {
    package let limits: RouterLimits
    package internal(set) var actions: ContiguousArray<RouterAction> = []
    /// The bodies that `actions` name.
    package internal(set) var bodies: ContiguousArray<[UInt8]> = []
    /// How much output may be made before the actions are performed.
    package var output = OutputRoom()
    package internal(set) var counters = RouterCounters()
    /// When what `received` is given came, in ns of a clock of the driver's; 0 if nothing is to be
    /// measured.
    package var arrival: Int64 = 0
    /// RELOADs of this step for pushes, by when these came; the driver empties it.
    ///
    /// Those that something has held back on purpose are not among them: a policy, a turn at an
    /// origin, a peer that does not read, or that no session was there.
    package var reloadArrivals = ArrivalRuns()
    /// Of each app, since the start.
    package internal(set) var appMetrics = AppMetrics()
    var keyWatch = KeyWatch()

    /// Of the fingerprints of field values.
    let seed: DecisionSeed
    let sessionNames: SessionNames
    var delivery: DeliveryTable
    var matcher: WidgetMatcher
    var scanner: JSONScanner
    var identifiers = IdentifierScratch()
    var apps: [App] = []
    /// Names are compared as bytes: Swift's strings also hold those equal that only look the same.
    var appsByName: [[UInt8]: AppID] = [:]
    var kinds: [Kind] = []
    var producers: ProducerTable
    /// The pushes of the matcher's batch, by the `tag` that they have there.
    var queued: ContiguousArray<QueuedPush> = []
    /// Copies of their payloads, if the batch is not matched in one go.
    var keptPayloads = StoreWriter(capacity: 64)
    /// What the last search has found, and those of its pushes that have not been found for before;
    /// nil while they are lent.
    var found: MatchList? = MatchList()
    var newlyMatched: ContiguousArray<MatchedPush> = []
    /// The pushes of the batch that have matched, by their tags.
    var pushes: ContiguousArray<BatchPush> = []
    var fieldCatalog: FieldCatalog
    /// Whether the app file that is being installed names other fields than the one before.
    var haveListsChanged = false
    var pushFields: PushFields
    var widgetFields = WidgetFields()
    var origins = OriginTable()
    /// By app and name; the origin of an app's kinds that name none has the name "".
    var originsByName: [NameInApp: UInt32] = [:]
    /// The same by the origins' numbers.
    var originKeys: [NameInApp] = []
    var scheduleClock: ScheduleClock
    var agenda = Agenda()
    /// Whether `now` was ever set: the clocks are read by the driver.
    var hasClock = false
    var decisions: DecisionLog
    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    package var isTracing = false
    package internal(set) var tracedDecisions: ContiguousArray<TracedDecision> = []
    /// The number of the last push of the last batch that has ended; so the fan-out of each push is told
    /// from others.
    var lastBurst: UInt64 = 0
    /// The pass over matches or timers that is being made, and how many widgets it has at most.
    var turnPass: UInt64 = 1
    var turnDemand = Int.max
    /// Widgets that have joined an origin's queue since the last step.
    var enqueuedWidgets: ContiguousArray<WidgetID> = []
    /// Numbers the deliveries to devices.
    var deliveryNumber: UInt64 = 0
    /// When the origins are next to forget what is over, in schedule time.
    var nextPass: Int64 = 0
    /// The widgets of the device that a frame is about which names many.
    var widgetNames = WidgetNames()
    /// Those that a STATE lists as visible, each once.
    var listedWidgets: ContiguousArray<WidgetID> = []
    /// Of the frame of a device that is being applied; no log has it.
    var frameSeq: UInt64 = 0
    /// Connections that an ACK is due to.
    var acknowledging: ContiguousArray<UInt32> = []
    /// The widgets of this step's RELOADs, one after the other.
    var reloadWidgets: ContiguousArray<WidgetID> = []
    /// Numbers the sessions.
    var lastSession: UInt64 = 0
    /// Rises with every RELOAD of the router, so that no two sessions share a number.
    var reloadSeq: UInt64 = 0
    /// Connections that have not said HELLO, oldest first; those that have are passed over.
    var awaitingHello = AwaitingQueue()
    /// The connection whose silence is looked at next; nil between two sweeps.
    var nextSwept: UInt32?
    /// When the present sweep or the last one began, and how long after the one before; ms, monotonic.
    var sweptAt: Int64 = 0
    var sweptTime: Int64 = 0
    /// Whether more is matched by the matcher's batch than was found at once: the last fan-out is
    /// being added to.
    var isMatching = false
    /// Pushes that concern much.
    var fanOuts = FanOutQueue()
    var paused = PausedApps()
    /// Whether no more is found until what was found has been handed out.
    var isFanOutFull = false
    /// Whether no frame is taken until nothing is to be handed out.
    package internal(set) var isCalmingDown = false
    /// Whose pushes the batch has.
    var batchProducer: UInt32 = 0
    var log = InputLog()
    var inputReader = InputReader()
    /// The slots that the last `slotsTaken` was given.
    var givenSlots: [GivenSlot] = []
    /// What is accepted, for a recording of it.
    package internal(set) var capture = RouterCapture()
    var checkpoint = CheckpointState()
    var restoring = RestoreState()
    /// The app file that holds, as it was read; empty if it was not read from one.
    package internal(set) var appsSource: [UInt8] = []
    /// What this tick has cost, and what each connection may spend of it.
    var work: WorkMeter
    var now = Instant(monotonic: 0, wall: 0)

    /// An app as it runs: what the app file says of it, and its kinds' numbers.
    struct App {
        var declaration: AppDeclaration
        /// False when a newer app file no longer has it.
        var isDeclared: Bool
        var kindsByName: [[UInt8]: KindID]
    }

    struct Kind {
        var app: AppID
        /// The name, in the names arena.
        var name: UInt32
        var nameCount: Int
        var isDeclared: Bool
        var rules: KindRules
        /// The last RELOAD that named the kind, so that it names it once.
        var namedIn: UInt64 = 0
        /// The last delivery that reloads the kind's widgets on a device, and the last in which they
        /// pay for it.
        var reloadedIn: UInt64 = 0
        var paidIn: UInt64 = 0
    }

    /// A push that waits to be matched.
    struct QueuedPush {
        var isUrgent: Bool
        /// Whether the push was void when it arrived: it is judged like any other, and accepted.
        var isVoid: Bool
        var voidAt: Int64
        /// Valid until the first portion of the batch is matched; nil if nothing of it is needed.
        var payload: ByteView?
        var seq: UInt64
        /// The last RELOAD that was sent before the push came.
        var reloadsBefore: UInt64
        /// Whether a match of it has been found.
        var isMatched = false
    }

    /// What a push of the batch has to say of its matches.
    struct BatchPush: BitwiseCopyable {
        /// Whether a match of it has been found.
        var isKnown = false
        var isUrgent = false
        var isVoid = true
        var voidAt: Int64 = 0
        /// What it brings of the fields that kinds show or carry; `PushFields.none` if nothing.
        var fields = PushFields.none
        var burst: UInt64 = 0
        /// The last RELOAD that was sent before the push came: a later one has it already.
        var reloadsBefore: UInt64 = 0
    }

    struct NameInApp: Hashable {
        var app: AppID
        var name: [UInt8]
    }

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - limits: checked by the caller (`RouterLimits.problem`).
    ///   - seed: drawn once for each store and kept in it: what is decided may depend on it.
    ///   - secrets: drawn by each process; nothing that is decided, sent or stored depends on them, but
    ///     the names of sessions.
    package init(
        catalog: AppCatalog,
        limits: RouterLimits,
        seed: DecisionSeed,
        secrets: RouterSecrets
    ) {
        precondition(limits.problem == nil, "the limits contradict each other")
        self.limits = limits
        self.seed = seed
        work = WorkMeter(tickLimit: limits.workPerTick, sharedWork: limits.workPerConnection)
        sessionNames = secrets.sessionNames
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: secrets.hashKey)
        delivery = DeliveryTable(hashKey: secrets.hashKey)
        producers = ProducerTable(hashKey: secrets.hashKey)
        matcher = WidgetMatcher(hashKey: secrets.hashKey)
        fieldCatalog = FieldCatalog(hashKey: secrets.hashKey)
        pushFields = PushFields(seed: seed)
        scheduleClock = ScheduleClock(Instant(monotonic: 0, wall: 0))
        decisions = DecisionLog(perDevice: limits.decisionsPerDevice)
        install(catalog, [])
    }

    /// Empties what the last step left; the memory is used again.
    package mutating func actionsPerformed() {
        actions.removeAll(keepingCapacity: true)
        bodies.removeAll(keepingCapacity: true)
        reloadWidgets.removeAll(keepingCapacity: true)
        output.performed()
    }

    // MARK: - Answers

    mutating func write(
        _ connection: UInt32,
        _ type: FrameType,
        seq: UInt64,
        _ body: [UInt8]
    ) {
        actions.append(
            .write(connection: connection, type: type.rawValue, seq: seq, body: bodies.count)
        )
        output.addAnswer(body.count)
        bodies.append(body)
    }

    /// Refuses one frame; the connection lives on.
    mutating func reject(_ connection: UInt32, seq: UInt64, _ error: ProtocolError) {
        work.charge(WorkCost.refusal)
        counters.framesRejected += 1
        counters.rejections[error.code, default: 0] += 1
        delivery.connections[connection].session.rejected()
        write(connection, .reject, seq: seq, error.encoded)
    }

    /// Ends a session: what was accepted is acknowledged first, then the error goes out.
    mutating func fail(_ connection: UInt32, _ error: ProtocolError) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.session.phase != .ended else { return }
        assert(delivery.batch.connection != connection, "what was accepted is matched first")
        acknowledge(connection)
        if record.session.phase.isEstablished {
            capture.recordEnd(connection)
            commit(.sessionEnded(connection: connection))
        } else {
            endSession(connection, at: now)
        }
        failed(connection, error)
    }

    /// The same because of an input that is being applied, from which it follows.
    mutating func evict(_ connection: UInt32, _ error: ProtocolError) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.session.phase != .ended else { return }
        acknowledge(connection)
        if record.session.phase.isEstablished { capture.recordEnd(connection) }
        endSession(connection, at: now)
        failed(connection, error)
    }

    private mutating func failed(_ connection: UInt32, _ error: ProtocolError) {
        work.charge(WorkCost.refusal)
        counters.sessionsFailed += 1
        counters.failures[error.code, default: 0] += 1
        actions.append(.fail(connection: connection, code: error.code, body: bodies.count))
        let body = error.encoded
        output.addAnswer(body.count)
        bodies.append(body)
    }

    /// Writes the ACK that is due to a connection, if any.
    mutating func acknowledge(_ connection: UInt32) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.ackIsDue, record.session.phase != .ended else { return }
        actions.append(
            .acknowledge(
                connection: connection,
                seq: record.ackSeq,
                matched: record.session.phase == .publisher ? record.matched : nil
            )
        )
        delivery.connections[connection].ackIsDue = false
        delivery.connections[connection].ackCount = UInt32(clamping: record.session.unacknowledged)
        delivery.connections[connection].matched = 0
        delivery.connections[connection].session.acknowledged()
    }
}

/// What the router has done since it started.
package struct RouterCounters: Equatable, Sendable {
    /// Decisions by their reason.
    package var decisions = DecisionCounts()
    /// Causes to reload a widget: a push that it matches, a date, a request and so on.
    package var wishes: UInt64 = 0
    /// What became of them: each has ended for one of these reasons, or still waits.
    package var endings = DecisionCounts()
    /// Timelines with entries that are closer together than WidgetKit shows them.
    package var closeEntries: UInt64 = 0
    /// Reloads that have to wait for their origin for longer than their kind's window.
    package var windowsExceeded: UInt64 = 0
    /// How often the window for one date had to grow, because the origin's rate could not hold it.
    package var windowsGrown: UInt64 = 0
    /// How often the wall clock has jumped.
    package var clockJumps: UInt64 = 0
    package var pushesAccepted: UInt64 = 0
    package var pushesDuplicate: UInt64 = 0
    /// Widgets that pushes concerned.
    package var pushesMatched: UInt64 = 0
    package var framesRejected: UInt64 = 0
    package var sessionsFailed: UInt64 = 0
    /// The two of them by what was wrong; what has not happened may be missing.
    package var rejections: [ErrorCode: UInt64] = [:]
    package var failures: [ErrorCode: UInt64] = [:]
    /// Of them, those with `quota-exceeded`, by what there was not enough of.
    package var quotaRefusals: [Quota: UInt64] = [:]
    package var reloadsSent: UInt64 = 0
    /// The same by the cause that they name.
    package var reloadsByCause = CauseCounts()
    package var reloadsVoid: UInt64 = 0
    /// Producers that were forgotten because they were idle, or because an operator has said so.
    package var producersForgotten: UInt64 = 0
    /// Sessions that a limit of producers has refused.
    package var producersRefused: UInt64 = 0

    package init() {}
}
