internal import Cryptography
internal import DeviceSimulation
internal import Foundation
internal import FrameCodec
internal import HTTPFetching
internal import LibuvLoop
internal import LoadReporting
internal import Platform
internal import ReloadRouterClient
internal import TestOrigin
internal import Times
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
    private let loop: Loop
    private var network: FleetNetwork!
    private var timer: LoopTimer!
    private var wakeup: LoopWakeup!
    private(set) var engine: FleetEngine!
    private var director: FleetDirector
    /// One for each gateway, or for each device.
    private var connections: [FleetConnection<DeviceSession>] = []
    private var publisher: FleetConnection<PublisherSession>!
    /// The publisher's statistics when they were last read.
    private var answered = PublisherStatistics()
    /// Connections with output that is not flushed.
    private var dirty: [FleetConnection<DeviceSession>] = []
    private var offline = OfflineBuffer()
    private let origin: FleetOrigin
    private var pushes: PushQueue
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
    private var failure: (any Error)?
    /// True once the router has accepted any session.
    private var isReached = false
    private let progress: (FleetProgress) -> Void
    /// When the devices' page was last refreshed.
    private var refreshedAt = WallTime.zero

    /// - Throws: `FleetError` or `ScenarioError` if the fleet cannot start.
    init(
        _ settings: FleetSettings,
        router: Endpoint,
        progress: @escaping (FleetProgress) -> Void
    ) throws {
        self.settings = settings
        self.progress = progress
        let descriptors = try Self.descriptorsForOrigin(settings)
        loop = try Loop()
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
        origin = try FleetOrigin(
            scenario.origin,
            seed: settings.seed,
            rampEnd: wallStart + Milliseconds(seconds: scenario.rampSeconds),
            loop: loop,
            descriptors: descriptors,
            waiting: max(1_000_000, 4 * scenario.devices)
        )
        director = FleetDirector(scenario, now: wallStart)
        pushes = PushQueue(scenario, seed: settings.seed)
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
        try connect(router)
    }

    /// The file descriptors that are left for the origin, besides those for connections to the
    /// router.
    ///
    /// - Throws: `FleetError` if these are too few.
    private static func descriptorsForOrigin(_ settings: FleetSettings) throws(FleetError) -> Int {
        let limit = raiseFileDescriptorLimit()
        let connections = settings.gateways > 0 ? settings.gateways : settings.scenario.devices
        // 256 descriptors are for the program itself and its page.
        let left = limit - connections - 256
        if left >= FleetOrigin.leastDescriptors { return left }
        let needed = connections + 256 + FleetOrigin.leastDescriptors
        throw FleetError(
            "the fleet needs \(needed) open files, and may have \(limit): raise `ulimit -n`, play "
                + "fewer devices, or let gateways speak for them"
        )
    }

    private func connect(_ router: Endpoint) throws {
        var limits = ClientLimits()
        limits.registrations = settings.scenario.devices
        limits.unansweredFrames = .max
        let addresses = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)
        let context = try settings.security.context(for: router)
        network = FleetNetwork(
            loop,
            addresses: addresses,
            security: context.map { ($0, router.host) },
            limits: limits,
            owner: self
        )
        publisher = FleetConnection<PublisherSession>(
            network,
            session: PublisherSession(
                hello(.publisher, token: settings.publisherToken, name: "fleet"),
                limits: limits
            )
        )
        if !settings.scenario.pushes.isEmpty { publisher.connect() }
        if settings.gateways > 0 {
            let session = DeviceSession(
                hello(.gateway, token: settings.gatewayToken, name: nil),
                limits: limits
            )
            connections = (0..<settings.gateways).map { _ in
                FleetConnection<DeviceSession>(network, source: nil, session: session)
            }
            for connection in connections { connection.connect() }
            return
        }
        let sources = try sources(of: addresses[0])
        connections = engine.devices.indices.map { device in
            let session = DeviceSession(
                hello(.device, token: settings.deviceToken, name: engine.devices[device].name),
                limits: limits
            )
            let source = sources.isEmpty ? nil : sources[device / Self.connectionsPerSource]
            return FleetConnection<DeviceSession>(network, source: source, session: session)
        }
    }

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

    /// Plays the run.
    ///
    /// - Returns: the report.
    /// - Throws: the error that ended it early.
    func run() throws -> FleetReport {
        try timer.start(after: .zero, repeating: Self.interval)
        try loop.run()
        try loop.close()
        if let failure { throw failure }
        return report()
    }

    private func end() {
        timer.close()
        wakeup.close()
        publisher.disconnect()
        for connection in connections { connection.disconnect() }
        usage.endRun()
        origin.close()
    }

    private func fail(_ error: any Error) {
        if failure != nil { return }
        failure = error
        end()
    }

    /// Does everything that is due now.
    private func tick() {
        let now = wallStart + Milliseconds(exactTime - monotonicStart)
        push(now)
        settings.page?.perform(engine)
        engine.advance(to: now)
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
            progress(FleetProgress(engine, director: director, now: now))
        }
        if settings.stop.isRequested && director.phase != .over { finish() }
    }

    /// Takes the run's next step if it is due.
    private func direct(_ now: WallTime) {
        let isAsking = engine.mailbox.runningQuestions > 0
        let pusher = publisher.session
        let isBusy =
            director.phase != .ending || isAsking || !origin.isIdle || !pushes.isEmpty
            || pusher.settledThrough < pusher.lastSeq
        let isQuiet = quiet.observe(now, isBusy: isBusy, progress: engine.recorder.progressedAt)
        let isComplete = engine.isComplete && !isAsking
        switch director.step(at: now, isComplete: isComplete, isQuiet: isQuiet) {
        case .begin?:
            runStart = exactTime
            usage.begin(devices: engine.devices.count)
            engine.recorder.begin(origin: origin.sums)
        case .endSecond?:
            engine.recorder.endSecond(origin: origin.sums, online: engine.onlineCount)
            if director.phase == .ending { usage.endRun() }
        case .over?: finish()
        case nil: break
        }
    }

    private var isFinished = false
    /// What the router has said at the end of widgets without a RELOAD; nil if it was not asked.
    private var fates: [Int: [String: WidgetFate]]?
    /// When it was asked.
    private var askedAt = WallTime.zero

    private func finish() {
        if isFinished { return }
        isFinished = true
        // The devices are still connected: what the router says of them holds for the run.
        if let ask = settings.askRouter {
            let inquiry = RouterInquiry(app: settings.scenario.app, ask: ask)
            askedAt = .now
            fates = inquiry.fates(of: engine.devicesWithoutReload)
        }
        engine.countMissing(fates)
        end()
    }

    /// Sends what devices have output in this tick.
    private func pump() {
        while let connection = dirty.popLast() {
            connection.isDirty = false
            connection.pump()
        }
    }

    // MARK: - Pushes

    /// Makes the pushes that are due, and sends as many as the publisher takes.
    private func push(_ now: WallTime) {
        if director.phase == .running {
            pushes.make(until: exactTime, start: runStart, wall: now)
        }
        let isSent = pushes.send { entry in
            guard entry.message.offer(to: &publisher.session) else { return false }
            origin.apply(entry.message.payload)
            engine.pushed(entry.push, payload: entry.payload, at: entry.time)
            return true
        }
        if isSent { publisher.pump() }
    }

    private func report() -> FleetReport {
        var report = engine.report(
            settings,
            mode: .real,
            connections: connections.count,
            startedAt: director.startedAt
        )
        usage.fill(&report)
        if fates != nil { report.router.untold = engine.recorder.untold(at: askedAt) }
        if settings.stop.isRequested { report.wasInterrupted = true }
        return report
    }
}

extension SocketFleet: TimerOwner, WakeupOwner {
    func timerFired(_ timer: LoopTimer) { tick() }

    func wokenUp(_ wakeup: LoopWakeup) {
        engine.readMailbox()
        pump()
    }
}

extension SocketFleet: FleetConnectionOwner {
    func connectionHasEvents(_ connection: FleetConnection<DeviceSession>) {
        if connection.isEstablished { isReached = true }
        for event in connection.session.takeEvents() {
            engine.received(event, tickets: &connection.tickets, offline: &offline)
        }
    }

    func connectionHasEvents(_ connection: FleetConnection<PublisherSession>) {
        if connection.isEstablished { isReached = true }
        _ = connection.session.takeEvents()
        engine.recorder.answered(from: answered, to: connection.session.statistics)
        answered = connection.session.statistics
    }

    func connectionLost(_ error: ClientError) {
        if isFinished || failure != nil { return }
        engine.recorder.connectionLost()
        // A router that refuses would refuse again, and a router that has not been reached so far
        // may never be reached.
        if !error.isTemporary || !isReached { fail(error) }
    }
}

extension SocketFleet: FleetPorts {
    var exactTime: ExactTime { settings.clock() }

    private func connection(_ device: Int) -> FleetConnection<DeviceSession> {
        connections[settings.gateways > 0 ? device % settings.gateways : device]
    }

    func send(_ frame: DeviceFrame, of device: Int, widget: Int?) {
        if offline.keep(frame, of: device, widget: widget) { return }
        let connection = connection(device)
        do throws(ClientError) {
            if let ticket = try connection.session.send(frame), let widget {
                connection.tickets[ticket] = (device, widget)
            }
        } catch {
            return fail(error)
        }
        if connection.isIdle { return connection.connect() }
        if !connection.isDirty {
            connection.isDirty = true
            dirty.append(connection)
        }
    }

    func fetch(_ path: String, number: Int) {
        origin.ask(path) { [unowned self] answer in engine.fetched(number, answer: answer) }
    }

    func isConnected(_ device: Int) -> Bool { connection(device).isEstablished }

    func setOnline(_ isOnline: Bool, device: Int) {
        if settings.gateways == 0 {
            // The session keeps the device's frames until it is connected again.
            if isOnline { connections[device].connect() } else { connections[device].disconnect() }
            return
        }
        if !isOnline { return offline.begin(device) }
        let kept = offline.end(device)
        for (frame, widget) in kept.frames { send(frame, of: device, widget: widget) }
        for reload in kept.reloads { engine.received(reload) }
    }

    func breakConnection(of device: Int) { connection(device).breakInFrame() }
}
