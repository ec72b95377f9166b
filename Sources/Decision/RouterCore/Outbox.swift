internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import RouterMetrics

/// What applying inputs leads to beside the state: frames to be sent, what is to happen next, what
/// operators see, and what it all cost.
package struct Outbox: ~Copyable {
    package internal(set) var frames = OutgoingFrames()
    /// The widgets of this step's RELOADs, one after the other.
    var reloadWidgets: ContiguousArray<WidgetID> = []
    /// How much output may be made before the frames are taken.
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
    var evicted: ContiguousArray<Eviction> = []
    /// Fan-outs that the last input has ended, whose pushes are to be acknowledged.
    var accepted: ContiguousArray<AcceptedBatch> = []
    /// Widgets that have joined an origin's queue since the last step.
    var enqueued: ContiguousArray<WidgetID> = []
    /// The slots that the last `slotsTaken` was given.
    var givenSlots: [GivenSlot] = []

    /// A session that was ended, and what its peer is told.
    struct Eviction {
        var connection: UInt32
        var error: ProtocolError
    }

    /// Pushes that were handed out.
    struct AcceptedBatch: BitwiseCopyable {
        /// Whose they are.
        var producer: UInt32
        /// How many widgets they concern.
        var matched: UInt32
        /// See `Outbox.arrival`.
        var arrival: Int64
    }

    init(limits: RouterLimits) {
        observer = Observer(decisionsPerDevice: limits.decisionsPerDevice)
        work = WorkMeter(tickLimit: limits.workPerTick, sharedWork: limits.workPerConnection)
    }

    /// The frames that there were are on their way: there is room for more.
    mutating func framesTaken() {
        reloadWidgets.removeAll(keepingCapacity: true)
        room.empty()
    }

    /// Makes a frame with a body: WELCOME, REJECT, SCHEDULED or GOAWAY.
    mutating func write(_ connection: UInt32, _ type: FrameType, seq: UInt64, _ body: [UInt8]) {
        room.addAnswer(body.count)
        body.withByteView { frames.append(OutgoingFrame(connection, type), seq: seq, $0) }
    }

    /// Makes a frame without a body: PING or PONG.
    mutating func write(_ connection: UInt32, _ type: FrameType, seq: UInt64 = 0) {
        frames.append(OutgoingFrame(connection, type), seq: seq)
    }

    /// Makes the ERROR that ends a connection.
    mutating func fail(_ connection: UInt32, _ error: ProtocolError) {
        work.charge(WorkCost.refusal)
        observer.counters.sessionsFailed += 1
        observer.counters.failures[error.code, default: 0] += 1
        let body = error.encoded
        room.addAnswer(body.count)
        body.withByteView {
            frames.append(OutgoingFrame(connection, .error, code: error.code), seq: 0, $0)
        }
    }
}
