package import DataStructures
internal import FrameCodec
package import ReloadModel
package import RouterMetrics
internal import StoreFormat
internal import WidgetMatching

/// The router: frames and time in, frames out.
///
/// Pure: it knows no socket and no clock, and its only randomness is the seed and the secrets that it
/// is given. A driver feeds it
///
///     opened / received / filled / drained / closed      as the loop calls back
///     step(now:)                                         once per loop turn; again if `needsStep`
///     beginSweep(now:)                                   about once a second
///     continueSweep(now:isHeard:)                        once per loop turn, while `isSweeping`
///
/// and sends in order the frames that it has made (`takeFrames`). Connections are named by slots that the
/// driver gives; small numbers, used again after `closed`.
package struct Router: ~Copyable {
    var state: ReloadState
    package var outbox: Outbox
    var log = InputLog()
    /// Frames that were accepted, for a recording.
    package internal(set) var capture = RouterCapture()
    var intake = PushIntake()
    var sessions: SessionTable
    var inputReader = InputReader()

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - source: the app file that they are from, as it was read; empty if they are from none.
    ///   - limits: checked by the caller (`RouterLimits.problem`).
    ///   - seed: drawn once for each store and kept in it; decisions may depend on it.
    ///   - secrets: drawn by each process; nothing that is decided, sent or stored depends on them, but
    ///     the names of sessions.
    package init(
        catalog: AppCatalog,
        source: [UInt8] = [],
        limits: RouterLimits,
        seed: DecisionSeed,
        secrets: RouterSecrets
    ) {
        precondition(limits.problem == nil, "the limits contradict each other")
        state = ReloadState(limits: limits, seed: seed, hashKey: secrets.hashKey)
        outbox = Outbox(limits: limits)
        sessions = SessionTable(names: secrets.sessionNames)
        state.install(catalog, source, &outbox)
    }

    /// Takes the frames that were made since the last time; the router makes the next in the memory of
    /// the list.
    package mutating func takeFrames(_ frames: inout OutgoingFrames) {
        frames.removeAll()
        swap(&frames, &outbox.frames)
        outbox.framesTaken()
    }

    package var limits: RouterLimits { state.limits }

    // MARK: - What operators see

    package var counters: RouterCounters { outbox.observer.counters }

    /// Of each app, since the start.
    package var appMetrics: AppMetrics { outbox.observer.appMetrics }

    /// Whether `tracedDecisions` keeps all decisions until `forgetTrace`; never in a server.
    package var isTracing: Bool {
        get { outbox.observer.isTracing }
        set { outbox.observer.isTracing = newValue }
    }

    package var tracedDecisions: ContiguousArray<TracedDecision> { outbox.observer.tracedDecisions }

    /// The app file that holds, as it was read; empty if it was not read from one.
    package var appsSource: [UInt8] { state.catalog.source }

    /// Whether no frame is taken until nothing is to be handed out.
    package var isCalmingDown: Bool { intake.isCalmingDown }

    // MARK: - Refusals

    /// Refuses one frame; the connection lives on.
    mutating func reject(_ connection: UInt32, seq: UInt64, _ error: ProtocolError) {
        outbox.work.charge(WorkCost.refusal)
        outbox.observer.counters.framesRejected += 1
        outbox.observer.counters.rejections[error.code, default: 0] += 1
        sessions.connections[connection].session.rejected()
        outbox.write(connection, .reject, seq: seq, error.encoded)
    }

    /// Ends a session: what was accepted is acknowledged first, then the error goes out.
    mutating func fail(_ connection: UInt32, _ error: ProtocolError) {
        let record = sessions.connections[connection]
        guard record.isOpen, record.session.phase != .ended else { return }
        assert(intake.owed.connection != connection, "what was accepted is matched first")
        sessions.acknowledge(connection, &outbox.frames)
        endSession(connection)
        outbox.fail(connection, error)
    }

    /// Ends a session, or a connection that has none.
    mutating func endSession(_ connection: UInt32) {
        if sessions.connections[connection].session.phase.isEstablished {
            capture.recordEnd(connection)
            commit(.sessionEnded(connection: connection))
        }
        sessionEnded(connection)
    }
    /// The state's session of a connection has ended, or there was none.
    private mutating func sessionEnded(_ connection: UInt32) {
        let record = sessions.connections[connection]
        if record.session.phase == .publisher {
            let producer = state.delivery.sessions[connection].subject
            outbox.work.leaves(producer, record.work, at: state.clock.now.monotonic)
        }
        sessions.end(connection)
    }

    /// Tells those whose sessions the last input has ended; what was accepted is acknowledged first.
    mutating func tellEvicted() {
        for eviction in outbox.evicted {
            capture.recordEnd(eviction.connection)
            sessions.acknowledge(eviction.connection, &outbox.frames)
            sessionEnded(eviction.connection)
            outbox.fail(eviction.connection, eviction.error)
        }
        outbox.evicted.removeAll(keepingCapacity: true)
    }
}
