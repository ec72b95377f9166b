internal import ByteStorage
internal import FrameCodec
package import LibuvLoop
package import Logging
package import ReloadModel
internal import RouterCore

/// The running router: one loop thread that owns all state.
///
///     read callback ──► frames ──► Router.received      (nothing is written yet)
///     check hook, once a turn ──► Router.step ──► actions ──► output memory ──► one flush each
///
/// Everything here happens on the loop's thread. What is decided is decided in `Router`; this class
/// moves bytes, keeps time and performs actions.
package final class Server {
    let configuration: ServerConfiguration
    let logger: Logger
    let loop: Loop
    var router: Router
    var listeners: [TCPListener] = []
    /// Connections by slot, with what the server keeps of each.
    var peers: ContiguousArray<PeerEntry> = []
    var freeSlots: ContiguousArray<UInt32> = []
    var openCount = 0
    /// Slots with output of this turn.
    var dirty: ContiguousArray<UInt32> = []
    /// Input of this turn, in bytes; beyond `turnInputLimit` the turn ends early.
    var turnInput = 0
    var isStepping = false
    var held = HeldConnections()
    /// Whether publishers are not read from because all output together is above its limit.
    var publishersPaused = false
    var clock = TurnClock()
    /// The counters as they were when warnings were last logged, and when that was (ms, monotonic).
    var warned = RouterCounters()
    var lastWarnings = Int64.min / 2
    var phase = Phase.serving
    var hook: LoopHook?
    var sweepTimer: LoopTimer?
    var deadlineTimer: LoopTimer?
    /// Wakes the loop for another turn when nobody else does.
    var wakeup: LoopWakeup?
    var drainTimer: LoopTimer?
    var signals: [LoopSignal] = []

    enum Phase {
        case serving
        case draining
        case ended
    }

    struct PeerEntry {
        var connection: TCPConnection?
        var isDirty = false
        /// Not read from until its own output has drained.
        var isFull = false
        /// Not read from until the router takes frames again; in `held`.
        var isHeld = false
        /// Being ended: its input is thrown away until it closes its end, or until this time (ms,
        /// monotonic); 0 while it is not being ended.
        var lingerUntil: Int64 = 0
    }

    /// Input after which a turn ends early, so that one fast peer does not keep the others waiting.
    static var turnInputLimit: Int { 1 << 20 }
    /// What a read brings at most while the router takes no frames: it has to be kept.
    static var busyReadLimit: Int { 4_096 }
    /// How long a connection that was ended may take to read its ERROR and close its end, in ms.
    static var lingerTime: Int64 { 2_000 }
    /// The same at a drain, for a peer that has been sent everything.
    static var drainLinger: Int64 { 500 }

    /// Binds and listens; nothing is served until `run`.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, the limits and where the app file lies.
    ///   - catalog: the app file as it was read first.
    ///   - seed: drawn at random for this run.
    ///   - logger: what to log with; tokens and payloads are never logged.
    /// - Throws: `UVError` if an address cannot be bound.
    package init(
        configuration: ServerConfiguration,
        catalog: AppCatalog,
        seed: UInt64,
        logger: Logger
    ) throws(UVError) {
        self.configuration = configuration
        self.logger = logger
        loop = try Loop()
        router = Router(catalog: catalog, limits: configuration.limits, seed: seed)
        try listen()
        hook = try LoopHook(loop, owner: self)
        sweepTimer = try LoopTimer(loop, owner: self)
        deadlineTimer = try LoopTimer(loop, owner: self)
        wakeup = try LoopWakeup(loop, owner: self)
        drainTimer = try LoopTimer(loop, owner: self)
        let interval = sweepInterval
        try sweepTimer?.start(afterMilliseconds: interval, repeatingMilliseconds: interval)
        for number in [ServerSignal.interrupt, .terminate, .hangUp] {
            signals.append(try LoopSignal(loop, signal: number.rawValue, owner: self))
        }
        warnAboutOpenRoles(catalog)
    }

    /// The ports that are listened on, as `HOST:PORT`.
    package var listeningAddresses: [String] { listeners.map { $0.localAddress.description } }

    /// Serves until a signal has drained the router.
    ///
    /// - Throws: `UVError` if the loop fails or a handle is left open, which would be a bug.
    package func run() throws(UVError) {
        try loop.run()
        try loop.close()
    }

    /// A quarter of the shortest time-out, at most a second.
    private var sweepInterval: UInt64 {
        let limits = configuration.limits
        let shortest = min(limits.helloTimeout, limits.frameTimeout, limits.pingInterval)
        return UInt64(max(10, min(1_000, shortest / 4)))
    }

    private func listen() throws(UVError) {
        for endpoint in configuration.endpoints {
            var port = endpoint.port
            var bound = 0
            var failure: UVError?
            for address in try SocketAddress.resolve(host: endpoint.host, port: port, loop: loop) {
                do throws(UVError) {
                    let listener = try TCPListener(
                        loop,
                        address: address.with(port: port),
                        owner: self
                    )
                    listeners.append(listener)
                    // Port 0 picks one; the other addresses of the same name use the same one.
                    port = listener.localAddress.port
                    bound += 1
                } catch {
                    failure = error
                    logger.warning(
                        "cannot listen",
                        metadata: [
                            "address": "\(address)", "error": "\(error)",
                        ]
                    )
                }
            }
            if bound == 0, let failure { throw failure }
        }
    }

    func warnAboutOpenRoles(_ catalog: AppCatalog) {
        for app in catalog.apps {
            let roles = [
                ("publisher", app.publisherTokens), ("device", app.deviceTokens),
                ("gateway", app.gatewayTokens),
            ]
            for (role, tokens) in roles where tokens == nil {
                logger.warning(
                    "anybody may take a role: the app file lists no tokens for it",
                    metadata: ["app": "\(app.app)", "role": "\(role)"]
                )
            }
        }
    }
}

@available(*, unavailable)
extension Server: Sendable {}

/// The signals that the server answers, by their POSIX numbers.
enum ServerSignal: CInt {
    case hangUp = 1
    case interrupt = 2
    case terminate = 15
}
