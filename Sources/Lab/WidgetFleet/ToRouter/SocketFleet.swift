internal import Basics
internal import Cryptography
internal import Foundation
internal import FrameCodec
internal import HTTPFetching
internal import LibuvLoop
internal import LoadReporting
internal import Platform
internal import ReloadRouterClient
internal import RouterSimulation
internal import WidgetTimelines

/// Plays a fleet in real time over sockets, on one thread with one loop.
///
///     timer, RELOADs, HTTP answers ─► FleetEngine ─► frames ─► connections ─► router
///                                              └───► GET ────► HTTPClient ──► origin
final class SocketFleet {
    /// How often to check for what is due.
    private static var interval: Milliseconds { .milliseconds(1) }
    /// How often connections check their timeouts.
    private static var connectionInterval: Milliseconds { .milliseconds(250) }
    /// The most connections of devices from one source address, which has about 28,000 ports.
    private static var connectionsPerSource: Int { 20_000 }

    let settings: FleetSettings
    let loop: Loop
    /// The addresses of the router, which are tried one after the other.
    private(set) var addresses: [SocketAddress] = []
    /// What TLS sessions begin with, and whose name the router's certificate must have; nil for no
    /// TLS.
    private(set) var security: (context: TLSClientContext, host: String)?
    private(set) var limits = ClientLimits()
    var reader = FrameReader()
    /// A buffer for output, which all connections share to save memory.
    var scratch: [UInt8] = []
    private var timer: LoopTimer!
    private var wakeup: LoopWakeup!
    private(set) var engine: FleetEngine!
    /// One for each gateway, or for each device.
    var connections: [FleetConnection<DeviceSession>] = []
    /// What the devices report over HTTP, if they have no sessions.
    var reports: FleetReports?
    /// APNs, if the devices have no sessions.
    private var apns: FleetAPNs?
    private var publisher: FleetConnection<PublisherSession>!
    /// The publisher's statistics when they were last read.
    var answered = PublisherStatistics()
    /// Connections with output that is not flushed.
    var dirty: [FleetConnection<DeviceSession>] = []
    /// The origin, if it is not the fleet's own.
    let remoteOrigin: RemoteOrigin?
    /// When the run began to start its devices, by the wall clock.
    private let wallStart: WallTime
    /// The time of the monotonic clock at `wallStart`.
    private let monotonicStart: ExactTime
    /// When the measured run began, by the monotonic clock; `none` before.
    private var runStart = ExactTime.none
    /// When the connections last checked their timeouts.
    private var checkedAt = WallTime.zero
    /// When the progress was last reported.
    private var progressAt = WallTime.zero
    private var quiet = QuietPeriod()
    private var usage: FleetUsage
    private(set) var failure: (any Error)?
    /// True once the router has accepted any session.
    var isReached = false
    private let progress: (FleetEngine) -> Void
    /// When the devices' page was last refreshed.
    private var refreshedAt = WallTime.zero

    /// - Throws: `FleetError` or `ScenarioError` if the fleet cannot start.
    init(
        _ settings: FleetSettings,
        router: Endpoint,
        progress: @escaping (FleetEngine) -> Void
    ) throws {
        self.settings = settings
        self.progress = progress
        let descriptors = try Self.spareDescriptors(settings)
        let loop = try Loop()
        self.loop = loop
        let scenario = settings.scenario
        usage = FleetUsage(settings)
        let population = try FleetPopulation(
            scenario,
            declarations: settings.declarations,
            seed: settings.seed,
            names: settings.names,
            now: .now
        )
        // Making a million devices takes seconds; the run's time begins after that.
        monotonicStart = settings.clock()
        wallStart = .now
        remoteOrigin = scenario.origin.url.map { url in
            RemoteOrigin(
                url,
                plan: scenario.origin,
                loop: loop,
                descriptors: descriptors,
                waiting: max(1_000_000, 4 * scenario.devices)
            )
        }
        timer = try LoopTimer(loop, owner: self)
        wakeup = try LoopWakeup(loop, owner: self)
        let mailbox = wakeup.mailbox
        engine = FleetEngine(
            scenario,
            population: population,
            seed: settings.seed,
            now: wallStart,
            mailbox: FleetMailbox { mailbox.wake() },
            ports: self
        )
        engine.looksAtFirstPage = settings.looksAtFirstPage
        if let page = settings.page {
            engine.onRendered = { [unowned self] device, rendering in
                page.rendered(device, rendering: rendering, in: engine)
            }
        }
        // What exists until here is closed by `run`, whether it connects or not.
        do { try connect(router) } catch { fail(error) }
    }

    /// The file descriptors that are left besides those for connections to the router.
    ///
    /// - Throws: `FleetError` if these are too few for the origin.
    private static func spareDescriptors(_ settings: FleetSettings) throws(FleetError) -> Int {
        let limit = raiseFileDescriptorLimit()
        let connections = settings.gateways > 0 ? settings.gateways : settings.scenario.devices
        // 256 descriptors are for the program itself and its page.
        let isRemote = settings.scenario.origin.url != nil
        let needed = connections + 256 + (isRemote ? RemoteOrigin.leastConnections : 0)
        if limit >= needed { return limit - connections - 256 }
        throw FleetError(
            "the fleet needs \(needed) open files, and may have \(limit): raise `ulimit -n`, play "
                + "fewer devices, or let gateways speak for them"
        )
    }

    private func connect(_ router: Endpoint) throws {
        limits.registrations = settings.scenario.devices
        limits.unansweredFrames = .max
        addresses = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)
        security = try settings.security.context(for: router).map { ($0, router.host) }
        publisher = FleetConnection<PublisherSession>(
            self,
            session: PublisherSession(
                hello(.publisher, token: settings.publisherToken, name: "fleet"),
                limits: limits
            )
        )
        if !settings.scenario.pushes.isEmpty { publisher.connect() }
        if failure != nil { return }
        if let apns = settings.apns { return try play(apns) }
        if settings.gateways > 0 {
            let session = DeviceSession(
                hello(.gateway, token: settings.gatewayToken, name: nil),
                limits: limits
            )
            connections = (0..<settings.gateways).map { _ in
                FleetConnection<DeviceSession>(self, source: nil, session: session)
            }
            for connection in connections where failure == nil { connection.connect() }
            return
        }
        let sources = try sources(of: addresses[0])
        connections = engine.devices.indices.map { device in
            let session = DeviceSession(
                hello(.device, token: settings.deviceToken, name: engine.devices[device].name),
                limits: limits
            )
            let source = sources.isEmpty ? nil : sources[device / Self.connectionsPerSource]
            return FleetConnection<DeviceSession>(self, source: source, session: session)
        }
    }

    /// Plays APNs, and lets the devices report over HTTP.
    private func play(_ apns: FleetAPNsSettings) throws {
        engine.inbox = FleetInbox(
            settings.scenario.apns,
            devices: engine.devices.count,
            seed: settings.seed
        )
        reports = FleetReports(self, url: apns.listener)
        self.apns = try FleetAPNs(loop, address: apns.address) { [unowned self] token, expiry in
            engine.accepted(token: token, expiry: expiry)
        }
    }

    /// The measurement begins: some owners have removed the app by now.
    private func beginPushes() {
        guard let apns else { return }
        engine.inbox?.begin()
        for token in engine.removeApps() { apns.kill(token) }
        apns.begin()
    }

    /// True if all reports have answers, and no push is on its way to a device with a network.
    private var isReported: Bool { reports?.isIdle != false && engine.isDelivered }

    /// The source addresses for connections to a router on this machine, if one address has too few
    /// ports; otherwise none.
    private func sources(of address: SocketAddress) throws -> [SocketAddress] {
        let count = settings.scenario.devices / Self.connectionsPerSource + 1
        guard count > 1, address.description.hasPrefix("127.") else { return [] }
        return try (1...count).map { number in
            try SocketAddress.resolve(host: "127.0.1.\(number)", port: 0, loop: loop)[0]
        }
    }

    private func hello(_ role: Peer, token: String?, name: String?) -> HelloMessage {
        HelloMessage(role: role, app: settings.scenario.app, token: token, name: name)
    }

    // MARK: - Running

    /// Plays a run on a thread of its own, where `progress` is called about ten times a second.
    ///
    /// - Throws: `FleetError`, `ScenarioError` or `ClientError`, which kept it from starting or
    ///   ended it.
    static func play(
        _ settings: FleetSettings,
        router address: String,
        progress: @escaping (FleetEngine) -> Void
    ) async throws -> FleetReport {
        guard let router = Endpoint(address) else {
            throw FleetError("\(address) is not an address")
        }
        return try await FleetStop.play {
            try SocketFleet(settings, router: router, progress: progress).run()
        }
    }

    /// Plays the run, and returns the report.
    ///
    /// - Throws: the error that ended it early.
    func run() throws -> FleetReport {
        if failure == nil { try timer.start(after: .zero, repeating: Self.interval) }
        try loop.run()
        try loop.close()
        if let failure { throw failure }
        return report()
    }

    private func end() {
        timer.close()
        wakeup.close()
        publisher?.disconnect()
        reports?.close()
        apns?.close()
        for connection in connections { connection.disconnect() }
        usage.endRun()
        remoteOrigin?.close()
    }

    func fail(_ error: any Error) {
        if failure != nil { return }
        failure = error
        end()
    }

    /// Does everything that is due now.
    func tick() {
        let now = wallStart + Milliseconds(exactTime - monotonicStart)
        engine.deliverAnswers()
        if engine.push(from: runStart, wall: now, using: &publisher.session) { publisher.pump() }
        settings.page?.perform(engine)
        engine.advance(to: now)
        reports?.tick(at: now)
        pump()
        if failure != nil { return }
        direct(now)
        if let page = settings.page, now - refreshedAt >= .milliseconds(250) {
            refreshedAt = now
            page.refresh(engine)
        }
        if now - checkedAt >= Self.connectionInterval {
            checkedAt = now
            publisher.tick()
            for connection in connections { connection.tick() }
        }
        if now - progressAt >= .milliseconds(100) {
            progressAt = now
            progress(engine)
        }
        if FleetStop.isRequested && engine.director.phase != .over { finish() }
    }

    /// Takes the run's next step if it is due.
    private func direct(_ now: WallTime) {
        let isAsking = engine.mailbox.runningQuestions > 0
        let pusher = publisher.session
        let isBusy =
            engine.director.phase != .ending || isAsking || !isAnswered || !engine.pushes.isEmpty
            || pusher.settledThrough < pusher.lastSeq || !isReported
        let isQuiet = quiet.observe(now, isBusy: isBusy, progress: engine.recorder.progressedAt)
        let isComplete = engine.isComplete && !isAsking && reports?.isIdle != false
        let step = engine.direct(
            at: now,
            isComplete: isComplete,
            isQuiet: isQuiet,
            requests: remoteOrigin?.counts ?? engine.origin.counts
        )
        switch step {
        case .begin?:
            runStart = exactTime
            usage.begin(devices: engine.devices.count)
            beginPushes()
        case .endSecond?: if engine.director.phase == .ending { usage.endRun() }
        case .over?: finish()
        case nil: break
        }
    }

    /// True if the origin has answered everything.
    private var isAnswered: Bool { remoteOrigin?.isIdle ?? (engine.origin.nextAnswer == nil) }

    private(set) var isFinished = false

    private func finish() {
        if isFinished { return }
        isFinished = true
        // The devices are still connected: what the router says of them holds for the run.
        let inquiry = settings.askRouter.map {
            RouterInquiry(app: settings.scenario.app, ask: $0)
        }
        engine.countMissing(inquiry?.fates(of: engine.devicesWithoutReload))
        end()
    }

    /// Sends what devices have output in this tick.
    func pump() {
        while let connection = dirty.popLast() {
            connection.isDirty = false
            connection.pump()
        }
    }

    private func report() -> FleetReport {
        var report = engine.report(settings, mode: .real, connections: connections.count)
        usage.fill(&report)
        report.apns?.refused = apns?.refused ?? [:]
        report.apns?.reports = reports?.answeredCount ?? 0
        return report
    }
}
