package import AdminHTTP
package import ByteStorage
internal import FrameCodec
package import LibuvLoop
package import Logging
internal import ReloadModel
package import RouterCore
package import RouterDurability
package import ServiceLogging
internal import ServiceNotification

/// The running router: one loop thread that owns all state.
///
///     read callback ──► frames ──► Router.received      (nothing is written yet)
///     check hook, once a turn ──► Router.step ──► frames ──► output memory ──► one flush each
///                                     └──► journal ──► the store's thread ──► held answers leave
///
/// Everything here happens on the loop's thread. What is decided is decided in `Router`; this class
/// moves bytes and keeps time.
package final class Server {
    let configuration: ServerConfiguration
    /// Its level can change while the server runs.
    var logger: Logger
    let loop: Loop
    /// Where other threads ask how the router does.
    let board: StatusBoard
    var router: Router
    /// Nil if nothing is stored.
    private(set) var driver: CommitDriver?
    /// Nil if nothing is recorded.
    var recording: Recording?
    /// The app file as it was read first.
    let appFile: [UInt8]
    /// Up to where the journal must be committed before the answers of this turn may leave.
    var turnPosition: UInt64 = 0
    /// Why nobody at all is read from.
    var commonPauses: ReadPauses = []
    /// Whether nobody is read from because too much waits for the store.
    var inputsPaused: Bool { commonPauses.contains(.store) }
    var outage = OutageLog()
    /// What was logged of checkpoints, when the last one began (ms, monotonic), how long the last one
    /// took that was sealed (ms), and the longest loop turn of that time (ns).
    var checkpoints = CheckpointCounters()
    var checkpointBegin: Int64 = 0
    var checkpointDuration: Int64 = 0
    var checkpointLongestTurn: Int64 = 0
    var listeners: [TCPListener] = []
    /// Connections by slot, with what the server keeps of each.
    var peers: ContiguousArray<PeerEntry> = []
    var freeSlots: ContiguousArray<UInt32> = []
    /// Slots that are free when the frames have been sent that may still name them.
    var releasedSlots: ContiguousArray<UInt32> = []
    /// Those that are being sent.
    var frames = OutgoingFrames()
    var openCount = 0
    /// How many of them linger without a session.
    var refusedCount = 0
    /// Slots with output of this turn.
    var dirty: ContiguousArray<UInt32> = []
    /// Connections whose peers have ended their side and are still owed answers: see `hangUp`.
    var hungUp: ContiguousArray<HungUpConnection> = []
    /// Counts the turns.
    var turnSerial: UInt64 = 1
    /// Input of this turn, in bytes; beyond `turnInputLimit` the turn ends early.
    var turnInput = 0
    var isStepping = false
    /// Connections that were accepted in this turn.
    var turnAccepted = 0
    var held = HeldConnections()
    /// When all output together came to its limit, in ms (monotonic), while that is a reason to pause.
    var totalOutputSince: Int64 = 0
    var refusals = RefusedConnections()
    var addressShares: AddressShares
    var clock: TurnClock
    var metrics = ServerMetrics()
    /// The counters as they were when warnings were last logged, and when that was (ms, monotonic).
    var warned = RouterCounters()
    var lastWarnings = Int64.min / 2
    /// Inputs that were not recorded, as of then.
    var warnedLost: UInt64 = 0
    var phase = Phase.serving
    var hook: LoopHook?
    var sweepTimer: LoopTimer?
    var deadlineTimer: LoopTimer?
    /// Wakes the loop for another turn when nobody else does.
    var wakeup: LoopWakeup?
    var drainTimer: LoopTimer?
    var recordTimer: LoopTimer?
    var admin = AdminState()
    var signals: [LoopSignal] = []
    /// What else SIGHUP has done, beside reading the app file again.
    package var onHangUp: () -> Void = {}
    /// Nil if no service manager has started this process.
    var notifier: ServiceNotifier?
    /// Why it could not be told, as was logged last.
    var notifierFailure: NotificationError?
    /// Told once a second that time goes on, so that it says what it has left out; nil for none.
    package var logLimiter: LogLimiter?

    enum Phase {
        case serving
        case draining
        case ended
    }

    struct PeerEntry {
        var connection: TCPConnection?
        /// Who is at its other end; nil for none.
        var network: PeerNetwork?
        /// In ms since 1970.
        var openedAt: Int64 = 0
        var isDirty = false
        /// Why this peer is not read from, beside the reasons that all have.
        var pauses: ReadPauses = []
        /// Bytes of its answers that wait for the store.
        var uncommittedByteCount = 0
        /// Counts the connections that had the slot.
        var serial: UInt32 = 0
        /// Frames that leave right behind its WELCOME, while that is held; nil if it is not.
        var behindWelcome: [UInt8]?
        /// Its WELCOME was sent, or is held.
        var hasSession = false
        /// It was told why it gets no session; counted by `refusedCount`.
        var isRefused = false
        /// Its peer has ended its side, and is still owed answers.
        var hasHungUp = false
        /// Its frames that wait for a commit.
        var uncommittedCount = 0
        /// The last turn in which the router was given frames of it.
        var inputTurn: UInt64 = 0
        /// Bytes of frames that the router has taken.
        var inputByteCount: UInt64 = 0
        /// The server is draining, and has sent it everything.
        var isLeaving = false
        /// Being ended: its input is thrown away until it closes its end, or until this time (ms,
        /// monotonic), also if its ERROR is still held then; 0 while it is not being ended.
        var lingerUntil: Int64 = 0
    }

    /// Input after which a turn ends early, so that one fast peer does not keep the others waiting.
    static var turnInputLimit: Int { 1 << 20 }
    /// What a read may bring at least, however many share the work: a read costs something too.
    static var leastRead: Int { 16 << 10 }
    /// Held connections that are looked at in one turn; the others follow in the next.
    static var releasedPerTurn: Int { 512 }
    /// How long a connection that was ended may take to read its ERROR and close its end, in ms.
    static var lingerTime: Int64 { 2_000 }
    /// The same at a drain, for a peer that has been sent everything.
    static var drainLinger: Int64 { 500 }
    /// How long a peer that has ended its side may wait for its last answers, in ms: as long as
    /// the store fails, it would keep its descriptor for nothing.
    static var hangUpTime: Int64 { 10_000 }
    /// Bytes that may wait for a WELCOME; beyond, its peer is not read from.
    static var behindWelcomeLimit: Int { 64 << 10 }
    /// How long an ERROR may wait for the store, in ms; beyond, the connection ends without it, so
    /// that a disk which fails does not keep descriptors.
    static var heldErrorTime: Int64 { 10_000 }
    /// So many connections may be open beyond `RouterLimits.connections` while silent ones that were
    /// told to make room read their ERROR; beyond, those are closed at once.
    static var evictionMargin: Int { 32 }

    /// Binds and listens, with all state in memory; nothing is served until `run`.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, the limits and where the app file lies.
    ///   - apps: the app file as it was read first.
    ///   - seed: drawn at random for this run, as there is no store that has one.
    ///   - secrets: drawn at random for this process.
    ///   - board: where other threads ask how the router does.
    ///   - logger: what to log with; tokens and payloads are never logged.
    /// - Throws: `UVError` if an address cannot be bound.
    package convenience init(
        configuration: ServerConfiguration,
        apps: LoadedAppFile,
        seed: DecisionSeed,
        secrets: RouterSecrets,
        board: StatusBoard,
        logger: Logger
    ) throws(UVError) {
        let router = Router(
            catalog: apps.catalog,
            limits: configuration.limits,
            seed: seed,
            secrets: secrets
        )
        try self.init(configuration, router, apps.source, TurnClock(), board, logger)
        warnAboutOpenRoles(apps.catalog)
    }

    /// The same, from a store, which the server closes when `run` returns.
    package convenience init(
        configuration: ServerConfiguration,
        apps: LoadedAppFile,
        stored: StoredRouter,
        board: StatusBoard,
        logger: Logger
    ) throws {
        let origin = stored.origin
        try self.init(
            configuration,
            stored.takeRouter(),
            apps.source,
            TurnClock(after: origin.lastInstant),
            board,
            logger
        )
        let door = wakeup!.door
        driver = CommitDriver(from: stored, limits: configuration.checkpoints) {
            door.wake()
        }
        // The journal has a time from its first entry on: the next process goes on from it.
        router.tick(self.clock.now())
        self.clock.endTurn()
        if router.appsSource != apps.source {
            try requireRoom(for: apps.catalog, from: configuration.appFile ?? "the app file")
            router.install(apps.catalog, source: apps.source)
        }
        warnAboutOpenRoles(apps.catalog)
    }

    private init(
        _ configuration: ServerConfiguration,
        _ router: consuming Router,
        _ appFile: [UInt8],
        _ clock: TurnClock,
        _ board: StatusBoard,
        _ logger: Logger
    ) throws(UVError) {
        self.configuration = configuration
        addressShares = AddressShares(configuration.limits)
        self.board = board
        self.logger = logger
        self.router = router
        self.appFile = appFile
        self.clock = clock
        loop = try Loop()
        loop.inputLimit = configuration.limits.totalInput
        try listen()
        hook = try LoopHook(loop, owner: self)
        sweepTimer = try LoopTimer(loop, owner: self)
        deadlineTimer = try LoopTimer(loop, owner: self)
        wakeup = try LoopWakeup(loop, owner: self)
        drainTimer = try LoopTimer(loop, owner: self)
        recordTimer = try LoopTimer(loop, owner: self)
        try startSweeping()
        for number in [ServerSignal.interrupt, .terminate, .hangUp] {
            signals.append(try LoopSignal(loop, signal: number.rawValue, owner: self))
        }
    }

    /// The ports that are listened on, as `HOST:PORT`.
    package var listeningAddresses: [String] { listeners.map { $0.localAddress.description } }

    /// Serves until a signal has drained the router, and then closes the store.
    ///
    /// - Returns: how many records of the journal the store could not take.
    /// - Throws: `UVError` if the loop fails or a handle is left open, which would be a bug.
    package func run() throws(UVError) -> UInt64 {
        let result = Result { () throws(UVError) in try serve() }
        closeRecording()
        let lost = closeStore()
        try result.get()
        return lost
    }

    private func serve() throws(UVError) {
        openBoard()
        openAdmin()
        reportReady()
        // What the app file changed is written also if nobody ever connects.
        scheduleTurn()
        try loop.run()
        try loop.close()
    }

    /// - Returns: how many records it could not take.
    private func closeStore() -> UInt64 {
        guard let count = driver?.close(), count > 0 else { return 0 }
        logger.error(
            "the store could not take everything; what was not acknowledged, clients send it again",
            metadata: ["records": "\(count)"]
        )
        return count
    }

    /// A quarter of the shortest time-out, and half of what lies between two signs of life; at most a
    /// second.
    private var sweepInterval: UInt64 {
        let limits = configuration.limits
        let shortest = min(limits.helloTimeout, limits.frameTimeout, limits.pingInterval)
        let sign = notifier?.watchdogInterval ?? 2_000
        return UInt64(max(10, min(1_000, shortest / 4, sign / 2)))
    }

    /// Starts the timer of the sweep, or starts it anew.
    func startSweeping() throws(UVError) {
        let interval = sweepInterval
        try sweepTimer?.start(afterMilliseconds: interval, repeatingMilliseconds: interval)
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
