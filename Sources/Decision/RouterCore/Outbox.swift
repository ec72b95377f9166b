internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import RouterMetrics

/// What applying inputs leads to beside the state: actions for the driver, what is to happen next, what
/// operators see, and what it all cost.
package struct Outbox: ~Copyable {
    package internal(set) var actions: ContiguousArray<RouterAction> = []
    /// The bodies that `actions` name.
    package internal(set) var bodies: ContiguousArray<[UInt8]> = []
    /// The widgets of the RELOADs of `actions`, one after the other.
    var reloadWidgets: ContiguousArray<WidgetID> = []
    /// How much output may be made before the actions are performed.
    package var room = OutputRoom()
    var agenda = Agenda()
    var observer: Observer
    /// What this tick has cost, and what each connection may spend of it.
    var work: WorkMeter
    /// Arrival time of the bytes that `received` is given (driver clock, ns); 0 measures nothing.
    package var arrival: Int64 = 0
    /// RELOADs of this step for pushes, by the arrival of these; the driver empties it.
    ///
    /// Those that something has held back on purpose are not among them: a policy, a turn at an
    /// origin, a peer that does not read, or that no session was there.
    package var reloadArrivals = ArrivalRuns()
    /// Sessions that the last input has ended because of another one.
    var evicted: ContiguousArray<UInt32> = []
    /// Fan-outs that the last input has ended, whose pushes are to be acknowledged.
    var accepted: ContiguousArray<AcceptedBatch> = []
    /// Widgets that have joined an origin's queue since the last step.
    var enqueued: ContiguousArray<WidgetID> = []
    /// The slots that the last `slotsTaken` was given.
    var givenSlots: [GivenSlot] = []

    /// Pushes that were handed out, and whom they came from.
    struct AcceptedBatch: BitwiseCopyable {
        var batch: PushBatch
        /// Of the connection: its slot may be another one's by now.
        var generation: UInt32
        /// See `Outbox.arrival`.
        var arrival: Int64
    }

    init(limits: RouterLimits) {
        observer = Observer(decisionsPerDevice: limits.decisionsPerDevice)
        work = WorkMeter(tickLimit: limits.workPerTick, sharedWork: limits.workPerConnection)
    }

    /// Empties what the last step left; the memory is used again.
    mutating func performed() {
        actions.removeAll(keepingCapacity: true)
        bodies.removeAll(keepingCapacity: true)
        reloadWidgets.removeAll(keepingCapacity: true)
        room.performed()
    }

    /// Orders a frame with a body: WELCOME, REJECT, SCHEDULED or GOAWAY.
    mutating func write(_ connection: UInt32, _ type: FrameType, seq: UInt64, _ body: [UInt8]) {
        actions.append(
            .write(connection: connection, type: type.rawValue, seq: seq, body: bodies.count)
        )
        room.addAnswer(body.count)
        bodies.append(body)
    }

    /// Orders the ERROR that ends a connection.
    mutating func fail(_ connection: UInt32, _ error: ProtocolError) {
        work.charge(WorkCost.refusal)
        observer.counters.sessionsFailed += 1
        observer.counters.failures[error.code, default: 0] += 1
        actions.append(.fail(connection: connection, code: error.code, body: bodies.count))
        let body = error.encoded
        room.addAnswer(body.count)
        bodies.append(body)
    }
}
