package import AdminAPI
package import DataStructures
internal import FrameCodec
package import LibuvLoop
package import Logging
internal import Platform
internal import ReloadModel
package import RouterCore
package import RouterStore

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
    var router: Router
    /// Nil if nothing is stored.
    private(set) var driver: CommitDriver?
    /// Nil if nothing is recorded.
    var recording: Recording?
    var peers: PeerTable
    var reading = ReadingState()
    /// Frames that are being sent.
    var frames = OutgoingFrames()
    var thisTurn: TurnState
    var metrics = ServerMetrics()
    var watch = LogWatch()
    var phase = Phase.serving
    var handles = ServerHandles()
    var admin: AdminState
    package var ties = ServerTies()

    enum Phase {
        case serving
        case draining
        case ended
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
            source: apps.source,
            limits: configuration.limits,
            seed: seed,
            secrets: secrets
        )
        try self.init(configuration, router, TurnClock(), board, logger)
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
            TurnClock(after: origin.lastInstant),
            board,
            logger
        )
        let door = handles.wakeup!.door
        driver = CommitDriver(from: stored, limits: configuration.checkpoints) {
            door.wake()
        }
        // The journal has a time from its first entry on: the next process goes on from it.
        router.tick(thisTurn.clock.now())
        thisTurn.clock.endTurn()
        if router.appsSource != apps.source {
            try requireRoom(for: apps.catalog, from: configuration.appFile ?? "the app file")
            router.install(apps.catalog, source: apps.source)
        }
        warnAboutOpenRoles(apps.catalog)
    }

    private init(
        _ configuration: ServerConfiguration,
        _ router: consuming Router,
        _ clock: TurnClock,
        _ board: StatusBoard,
        _ logger: Logger
    ) throws(UVError) {
        self.configuration = configuration
        peers = PeerTable(configuration.limits)
        admin = AdminState(board: board)
        self.logger = logger
        self.router = router
        thisTurn = TurnState(clock: clock)
        loop = try Loop()
        loop.inputLimit = configuration.limits.totalInput
        try listen()
        handles.hook = try LoopHook(loop, owner: self)
        handles.sweepTimer = try LoopTimer(loop, owner: self)
        handles.deadlineTimer = try LoopTimer(loop, owner: self)
        handles.wakeup = try LoopWakeup(loop, owner: self)
        handles.drainTimer = try LoopTimer(loop, owner: self)
        handles.recordTimer = try LoopTimer(loop, owner: self)
        try startSweeping()
        for number in [ServerSignal.interrupt, .terminate, .hangUp] {
            handles.signals.append(try LoopSignal(loop, signal: number.rawValue, owner: self))
        }
    }

    /// The ports that are listened on, as `HOST:PORT`.
    package var listeningAddresses: [String] {
        handles.listeners.map { $0.localAddress.description }
    }

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
        let sign = ties.manager.notifier?.watchdogInterval ?? 2_000
        return UInt64(max(10, min(1_000, shortest / 4, sign / 2)))
    }

    /// Starts the timer of the sweep, or starts it anew.
    func startSweeping() throws(UVError) {
        let interval = sweepInterval
        try handles.sweepTimer?.start(afterMilliseconds: interval, repeatingMilliseconds: interval)
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
                    handles.listeners.append(listener)
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
