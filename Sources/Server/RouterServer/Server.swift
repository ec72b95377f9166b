package import AdminAPI
package import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
package import LibuvLoop
package import Logging
internal import Platform
package import RouterCore
package import RouterStore

/// The running router: one loop thread that owns all state.
///
///     read callback ──► frames ──► Router.received      (nothing is written yet)
///     check hook, once a tick ──► Router.step ──► frames ──► output memory ──► one flush each
///                                     └──► journal ──► the store's thread ──► answers leave
///
/// Everything here happens on the loop's thread. Every decision is made in `Router`. Each job of a
/// server is a type with its own state, which knows `Core` and the jobs that it uses; this class
/// says in which order they are done, and has the connections.
package final class Server {
    /// Where the server listens, and its limits; fixed when it is created.
    let configuration: ServerConfiguration
    let core: Core
    /// Connections and publishers over HTTP, by slot.
    let peers: PeerTable
    let reading: Reading
    let output: Output
    var ticks = Ticks()
    let metrics: ServerMetrics
    let admin: OperatorRequests
    let appFiles: AppFiles
    let admission: SessionAdmission
    let publishing: Publishing
    /// Delivery to devices without a session; nil if there is none.
    var apns: APNsDelivery?
    /// What connects the server to its program; set before `run`.
    package let integration: ServerIntegration

    /// Like `Output.lingerTime`, but during a drain, for a peer whose output has all been queued.
    static var drainLinger: Milliseconds { .milliseconds(500) }
    /// How long a peer that has ended its side may wait for its last answers. Without a limit, it
    /// would keep its descriptor for as long as the store fails.
    static var hangUpTime: Milliseconds { .seconds(10) }
    /// Connections that may be open beyond `RouterLimits.connections` while evicted silent ones
    /// read their ERROR; beyond it, those are closed at once.
    static var evictionMargin: Int { 32 }

    /// Binds and listens, with all state in memory; nothing is served until `run`. The app file is
    /// already read; seed and secrets are random for each run, as there is no store that keeps the
    /// seed. Other threads ask `snapshot` for the status. Tokens and payloads are never logged.
    ///
    /// - Throws: `UVError` if an address cannot be bound; `TLSError` if a certificate or key is not
    ///   usable.
    package convenience init(
        configuration: ServerConfiguration,
        apps: AppFile,
        seed: DecisionSeed,
        secrets: RouterSecrets,
        snapshot: StatusSnapshot,
        logger: Logger
    ) throws {
        let router = Router(
            catalog: apps.catalog,
            source: apps.source,
            limits: configuration.limits,
            seed: seed,
            secrets: secrets
        )
        try self.init(
            configuration,
            router: router,
            access: apps.access,
            clock: TickClock(),
            snapshot: snapshot,
            logger: logger
        )
        try appFiles.requireAllowed(apps)
        appFiles.warn(AppFileNotes(apps))
    }

    /// Binds and listens, with a router from a store; the store is closed when `run` returns.
    ///
    /// - Throws: `UVError` if an address cannot be bound; `AppFileProblem` if the app file differs
    ///   from the stored one and exceeds the router's limits.
    package convenience init(
        configuration: ServerConfiguration,
        apps: AppFile,
        stored: StoredRouter,
        snapshot: StatusSnapshot,
        logger: Logger
    ) throws {
        let origin = stored.origin
        try self.init(
            configuration,
            router: stored.takeRouter(),
            access: apps.access,
            clock: TickClock(after: origin.lastInstant),
            snapshot: snapshot,
            logger: logger
        )
        let (limits, wake) = (configuration.checkpoints, core.mailbox.wake)
        core.commits = Commits(CommitDriver(from: stored, limits: limits, onChange: wake))
        if let last = origin.lastInstant { metrics.mark(.end, at: last.wall) }
        // Gives the journal a time from its first entry on, from which the next process continues.
        core.router.tick(core.now)
        core.clock.endTick()
        try appFiles.requireAllowed(apps)
        if core.router.appsSource != apps.source || core.router.isCatalogChanging {
            core.router.install(apps.catalog, source: apps.source)
        }
        appFiles.warn(AppFileNotes(apps))
    }

    private init(
        _ configuration: ServerConfiguration,
        router: consuming Router,
        access: [AppAccess],
        clock: TickClock,
        snapshot: StatusSnapshot,
        logger: Logger
    ) throws {
        self.configuration = configuration
        let security = try configuration.security.map { (security) throws(TLSError) in
            // The name of version 1 of the push protocol, as ALPN wants one.
            try TLSServerContext(security, protocols: ["rr/1"])
        }
        peers = PeerTable(configuration.limits)
        core = try Core(router, limits: configuration.limits, clock: clock, logger: logger)
        metrics = ServerMetrics(core)
        reading = Reading(core, peers: peers, metrics: metrics, security: security)
        let gatekeeper = try Gatekeeper(access, wake: core.mailbox.wake)
        admission = SessionAdmission(reading, gatekeeper: gatekeeper)
        let sessions = PushSessions(byteLimit: configuration.memory.pushes)
        output = Output(reading, admission: admission, sessions: sessions)
        let answers = UncommittedAnswers(reading)
        integration = ServerIntegration(reading)
        appFiles = AppFiles(
            configuration,
            admission: admission,
            answers: answers,
            integration: integration
        )
        publishing = Publishing(output, answers: answers)
        admin = OperatorRequests(
            publishing,
            appFiles: appFiles,
            snapshot: snapshot,
            backupFolder: configuration.backupFolder
        )
        publishing.endIfEmpty = { [unowned self] in endIfEmpty() }
        appFiles.onChange = { [unowned self] in apns?.readAgain(for: core.router) }
        core.loop.inputLimit = core.limits.totalInput
        if configuration.appFile != nil { integration.fileIsReread(.apps) }
        if security != nil { integration.fileIsReread(.certificates) }
        try reading.listen(on: configuration.endpoints, owner: self)
        ticks.hook = try LoopHook(core.loop, owner: self)
        ticks.sweepTimer = try ServerTimer(self) { $0.sweep() }
        ticks.drainTimer = try ServerTimer(self) { $0.closeAll() }
        ticks.deadline = Deadline(try ServerTimer(self))
        ticks.wakeup = try LoopWakeup(core.loop, mailbox: core.mailbox, owner: self)
        try ticks.startSweeping(core.limits, watchdog: nil)
        integration.signals = try ServerSignals(self)
    }

    /// Serves until a signal or an operator has drained the router, and then closes the store.
    ///
    /// - Returns: how many records of the journal could not be written and are lost.
    /// - Throws: `UVError` if the loop fails or a handle is left open, which would be a bug.
    package func run() throws(UVError) -> UInt64 {
        let result = Result { () throws(UVError) in try serve() }
        let lost = core.close()
        metrics.closeHistory()
        try result.get()
        return lost
    }

    private func serve() throws(UVError) {
        admin.snapshot.open(core.mailbox.wake)
        admin.mailbox?.open(core.mailbox.wake)
        // The first reading only says where counting begins.
        metrics.recordHistory()
        core.clock.endTick()
        metrics.mark(.start)
        integration.ready()
        // Changes of the app file are written even if no peer ever connects.
        core.scheduleTick()
        try core.loop.run()
        try core.loop.close()
    }
}
