package import Basics
internal import FrameCodec
internal import ReloadScheduling

/// What inputs lead to apart from the state: frames to be sent, what the router does next, what
/// operators see, and the cost of the work.
package struct Outbox: ~Copyable {
    /// The frames that the driver (see `Router`) has not taken yet; see `Router.takeFrames`.
    package internal(set) var frames = OutgoingFrames()
    /// The widgets of the RELOADs in `frames`, in their order.
    var reloadWidgets: ContiguousArray<WidgetID> = []
    /// How much output may be made before the driver takes the frames.
    package var allowance = OutputAllowance()
    /// What the router does next on its own.
    var agenda = Agenda()
    /// What operators see.
    var observer: Observer
    /// The cost of this tick's work, and what each connection may spend of it.
    var work: WorkMeter
    /// When the bytes given to `received` arrived, by the driver's clock; the driver sets this.
    /// `none` if it is not measured.
    package var arrival = ExactTime.none
    /// The RELOADs that pushes have caused, by the arrival of these pushes; the driver empties it.
    ///
    /// RELOADs that were delayed on purpose are left out: by a policy, for a permit of an origin,
    /// by a peer that does not read, or because there was no session.
    package var reloadArrivals = ArrivalRuns()
    /// The messages for the front, which it takes besides the frames.
    var toFront = FromPartition()
    /// The fan-outs that the last input has ended; their pushes can be acknowledged now.
    var accepted: ContiguousArray<AcceptedBatch> = []
    /// The widgets that have joined an origin's queue since the last step.
    var enqueued: ContiguousArray<WidgetID> = []
    /// The APNs push that the last input `delivered` has made; nil if it has made none.
    var apnsPush: OutgoingAPNsPush?
    /// The slots that the last input `slotsTaken` has assigned, in the order of its dates.
    var assignedSlots: [AssignedSlot] = []
    /// What the last input has replaced by an app file's declarations of the same apps.
    var replacedDeclarations: [AppDeclaration] = []
    /// The body of the SCHEDULED that answers the last TIMELINE which has come without a session;
    /// nil if none does.
    var scheduled: [UInt8]?

    /// The pushes of a fan-out all of whose matches have been applied.
    struct AcceptedBatch: BitwiseCopyable {
        /// Where they come from.
        var source: PushSource
        /// The number of matches, without those of expired pushes.
        var matched: UInt32
        /// When the pushes arrived; see `Outbox.arrival`.
        var arrival: ExactTime
    }

    init(limits: RouterLimits) {
        observer = Observer(limits: limits)
        work = WorkMeter(tickLimit: limits.workPerTick, sharedWork: limits.workPerConnection)
    }

    /// Makes room for more frames, because the driver has taken those that there were.
    mutating func framesTaken() {
        reloadWidgets.removeAll(keepingCapacity: true)
        allowance.empty()
    }

    /// Takes the declarations that were replaced.
    mutating func takeReplacedDeclarations() -> [AppDeclaration] {
        defer { replacedDeclarations = [] }
        return replacedDeclarations
    }

    /// Adds a frame with a body: WELCOME, REJECT, SCHEDULED, DETACHED, ATTACHED or GOAWAY.
    mutating func write(to connection: ConnectionSlot, type: FrameType, seq: UInt64, body: [UInt8])
    {
        allowance.addAnswer(body.count)
        body.withByteView {
            frames.append(OutgoingFrame(to: connection, type: type), seq: seq, body: $0)
        }
    }

    /// Adds the SCHEDULED for the sender of a TIMELINE or, if it has no session, keeps the body.
    mutating func writeScheduled(_ body: [UInt8], to sender: FrameSender, seq: UInt64) {
        if sender.hasSession {
            write(to: sender.connection, type: .scheduled, seq: seq, body: body)
        } else {
            scheduled = body
        }
    }

    /// Adds a frame without a body: PING or PONG.
    mutating func write(to connection: ConnectionSlot, type: FrameType, seq: UInt64 = 0) {
        frames.append(OutgoingFrame(to: connection, type: type), seq: seq)
    }

    /// Adds the ERROR that ends a connection, and counts it.
    mutating func fail(_ connection: ConnectionSlot, with error: ProtocolError) {
        work.charge(WorkCost.refusal)
        observer.counters.sessionsFailed += 1
        observer.counters.failures[error.code, default: 0] += 1
        let body = error.encoded
        allowance.addAnswer(body.count)
        body.withByteView {
            frames.append(
                OutgoingFrame(to: connection, type: .error, code: error.code),
                seq: 0,
                body: $0
            )
        }
    }
}
