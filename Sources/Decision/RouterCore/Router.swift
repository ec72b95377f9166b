package import Basics
internal import FrameCodec
internal import StoreFormat
internal import WidgetMatching

/// The router: frames and the time are its input, and frames are its output.
///
/// It uses no sockets and no clocks, and its only randomness is the seed and the secrets that it is
/// given. Its driver, which is the server or, in virtual time, a `VirtualRouter`, calls
///
///     opened / received / closed                         as the loop calls back
///     admit / end                                        after each HELLO that was received
///     outputFilled / outputDrained                       as a connection's output grows or shrinks
///     step(now:)                                         once per tick; again if `needsStep`
///     beginSweep(now:)                                   about once a second
///     continueSweep(now:isHeard:)                        once per tick, while `isSweeping`
///
/// and sends, in their order, the frames that the router has made (`takeFrames`). Connections are
/// named by slots that the driver chooses: small numbers, used again after `closed`.
package struct Router: ~Copyable {
    /// What is decided and stored; it changes only by inputs.
    var state: ReloadState
    /// What inputs have led to: the frames to be sent, and what is to happen next.
    package var outbox: Outbox
    /// The encoded inputs that a store or a replica is to read.
    var log = InputLog()
    /// Frames that were accepted, for a capture.
    package internal(set) var capture = RouterCapture()
    /// The pushes that were received, and are not applied yet.
    var intake: PushIntake
    /// What devices have reported without a session.
    var reports = DeviceReportTable()
    /// The number of the device that is looked at next (`forgetIdleDevices`).
    var nextIdleDevice: UInt32 = 0
    /// The way to the front, which has the connections.
    let link: DirectLink
    /// Reads stored inputs, in memory that is reused.
    var inputReader = InputReader()

    /// Makes a router without devices. The source is the app file of the catalog as it was read,
    /// empty if there is none; the limits have no `problem`. The seed is drawn once for each store
    /// and kept in it; decisions may depend on it. The router is one of the store's partitions, and
    /// has the devices that the hash of their names gives it (`PartitionMap`). The secrets are
    /// drawn by each process; of all that is decided, sent or stored, only the names of sessions
    /// depend on them.
    package init(
        catalog: AppCatalog,
        source: [UInt8] = [],
        limits: RouterLimits,
        seed: DecisionSeed,
        partition: Partition = .only,
        secrets: RouterSecrets
    ) {
        precondition(limits.problem == nil, "the limits contradict each other")
        state = ReloadState(
            limits: limits,
            seed: seed,
            partition: partition,
            hashKey: secrets.hashKey
        )
        outbox = Outbox(limits: limits)
        intake = PushIntake(hashKey: secrets.hashKey)
        link = DirectLink(Front(names: secrets.sessionNames))
        state.install(catalog, source: source, into: &outbox)
    }

    /// Takes the frames that were made since the last call; the router makes the next ones in the
    /// memory of the given list.
    package mutating func takeFrames(_ frames: inout OutgoingFrames) {
        frames.removeAll()
        swap(&frames, &outbox.frames)
        outbox.framesTaken()
    }

    /// Which of the store's partitions the router is.
    package var partition: Partition { state.partition }

    /// The limits that the router was made with.
    package var limits: RouterLimits { state.limits }

    // MARK: - What operators see

    /// The counts of what the router has done since it started.
    package var counters: RouterCounters { outbox.observer.counters }

    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    package var isTracing: Bool {
        get { outbox.observer.isTracing }
        set { outbox.observer.isTracing = newValue }
    }

    /// The decisions since the last `forgetTrace`, oldest first, if `isTracing`.
    package var tracedDecisions: ContiguousArray<TracedDecision> { outbox.observer.tracedDecisions }

    /// The present app file as it was read; empty if the apps are from no file.
    package var appsSource: [UInt8] { state.reloads.catalog.source }

    /// Whether no frame is accepted until all fan-outs have ended, because of `finishFanOuts`.
    package var isFinishingFanOuts: Bool { intake.isFinishingFanOuts }

    // MARK: - Refusals

    /// Counts and charges the refusal of a frame, which is an app's if that is known.
    mutating func countRejection(_ error: ProtocolError, of app: AppID?) {
        outbox.work.charge(WorkCost.refusal)
        outbox.observer.counters.framesRejected += 1
        outbox.observer.counters.rejections[error.code, default: 0] += 1
        guard let app else { return }
        outbox.observer.appMetrics[app].rejected &+= 1
        // The sentence names the kind that was probably meant.
        if error.code == .kindUnknown {
            let kinds = min(
                state.reloads.catalog.apps[app].declaration.kinds.count,
                Spelling.nameLimit
            )
            outbox.work.charge(kinds &* WorkCost.spelling)
        }
    }
}
