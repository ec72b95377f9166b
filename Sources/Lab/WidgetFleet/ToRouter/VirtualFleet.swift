internal import Basics
internal import Foundation
internal import FrameCodec
internal import LoadReporting
internal import ReloadRouterClient
internal import RouterCore
internal import WidgetTimelines

/// Plays a fleet, a router and an origin in one process and in accelerated time. The same seed
/// plays the same run.
///
///     next thing due ─► origin's answers ─► pushes ─► devices ─► router ─► devices …
///
/// Widget code runs on the fleet's thread, asynchronous code too (`CodeExecutor`), unless it makes
/// threads of its own. Simulated time stands still until the code has answered or waits for the
/// origin.
final class VirtualFleet: FleetPorts {
    /// The resolution of simulated time.
    private static var tick: Milliseconds { .milliseconds(FleetReport.Mode.acceleratedTick) }
    /// The beginning of every run: Monday, 1 June 2026, 0:00.
    static var start: WallTime { WallTime(rawValue: 1_780_272_000_000) }

    private let settings: FleetSettings
    private let router: VirtualRouter
    /// Frames of the router that have not been read. The connections are the gateways, then the
    /// publisher.
    private var sent: FleetFrames
    private var engine: FleetEngine!
    /// Signalled when the mailbox has something, or code has stopped running.
    private let arrival: DispatchSemaphore
    private let code: CodeExecutor
    private var gateways: [DeviceSession]
    /// Those of each gateway.
    private var tickets: [TimelineTickets]
    private var publisher: PublisherSession
    private var reader = FrameReader()
    private let clock = VirtualClock(VirtualFleet.start)
    /// The simulated date.
    private var now = VirtualFleet.start {
        didSet {
            assert(now >= oldValue, "simulated time goes back")
            clock.set(now)
            router.advance(now - oldValue)
        }
    }
    private var scratch: [UInt8] = []
    /// The error that ended the run early.
    private var failure: ClientError?
    /// The number of questions whose code has run for longer than `patience`, and is not waited for
    /// any more.
    private var abandoned = 0

    init(_ settings: FleetSettings, catalog: AppCatalog) throws {
        assert(settings.gateways > 0, "no gateway speaks for the devices")
        self.settings = settings
        let scenario = settings.scenario
        let population = try FleetPopulation(
            scenario,
            declarations: settings.declarations,
            seed: settings.seed,
            now: Self.start
        )
        let count = settings.gateways
        sent = FleetFrames(connections: count + 1)
        router = Self.router(settings, catalog: catalog)
        var limits = ClientLimits()
        limits.registrations = scenario.devices
        limits.unansweredFrames = .max
        let gateway = HelloMessage(
            role: .gateway,
            app: scenario.app,
            token: settings.gatewayToken,
            name: nil
        )
        gateways = (0..<count).map { _ in DeviceSession(gateway, limits: limits) }
        tickets = Array(repeating: [:], count: count)
        publisher = PublisherSession(
            HelloMessage(
                role: .publisher,
                app: scenario.app,
                token: settings.publisherToken,
                name: "fleet"
            )
        )
        let arrival = DispatchSemaphore(value: 0)
        self.arrival = arrival
        let code = CodeExecutor { arrival.signal() }
        self.code = code
        engine = FleetEngine(
            scenario,
            population: population,
            seed: settings.seed,
            now: Self.start,
            mailbox: FleetMailbox(clock: clock, executor: code) { arrival.signal() },
            ports: self
        )
    }

    private static func router(_ settings: FleetSettings, catalog: AppCatalog) -> VirtualRouter {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        limits.connections = max(limits.connections, settings.gateways + 1)
        return VirtualRouter(
            catalog,
            limits: limits,
            seed: settings.seed,
            now: Instant(monotonic: MonotonicTime(rawValue: 1_000), wall: start)
        )
    }

    // MARK: - Running

    /// Plays a run on a thread of its own, where `progress` is called about ten times per second of
    /// real time.
    ///
    /// - Throws: `ScenarioError` if the widgets cannot be as the scenario states, or `ClientError`.
    static func play(
        _ settings: FleetSettings,
        catalog: AppCatalog,
        progress: @escaping (FleetEngine) -> Void
    ) async throws -> FleetReport {
        try await FleetStop.play { try VirtualFleet(settings, catalog: catalog).run(progress) }
    }

    /// Plays the run, and returns the report. `progress` is called about ten times per second of
    /// real time.
    ///
    /// - Throws: `ClientError` if the router ends a session, or a device's frame is too long.
    func run(_ progress: (FleetEngine) -> Void) throws(ClientError) -> FleetReport {
        for connection in 0...gateways.count { router.open(ConnectionSlot(index: connection)) }
        for gateway in gateways.indices { gateways[gateway].connected() }
        publisher.connected()
        var shown = settings.clock()
        while engine.director.phase != .over && !FleetStop.isRequested {
            playTick()
            if let failure { throw failure }
            let time = settings.clock()
            if time - shown >= .milliseconds(100) {
                shown = time
                progress(engine)
            }
        }
        engine.countMissing(fates())
        return report()
    }

    /// Plays one tick, and advances the time to the next in which anything is due.
    private func playTick() {
        engine.deliverAnswers()
        _ = engine.push(
            from: Self.exactTime(engine.director.startedAt),
            wall: now,
            using: &publisher
        )
        engine.advance(to: now)
        waitForCode()
        exchange()
        direct()
        if engine.director.phase == .over { return }
        let tick = Self.tick.rawValue
        let next = WallTime(rawValue: (nextWake.rawValue + tick - 1) / tick * tick)
        now = max(now + Self.tick, next)
    }

    private var nextWake: WallTime {
        // The publisher's window was full, and the router has answered since.
        if !engine.pushes.isEmpty { return now }
        var next = engine.director.nextWake
        if let wake = engine.nextWake { next = min(next, wake) }
        if let wake = router.nextWakeUp { next = min(next, wake) }
        if let time = engine.origin.nextAnswer { next = min(next, Self.date(time)) }
        if engine.director.phase == .running, let push = engine.pushes.next {
            next = min(next, engine.director.startedAt + Milliseconds(push))
        }
        return next
    }

    /// Runs widget code, and blocks while some runs on other threads. Simulated time stands still.
    private func waitForCode() {
        while true {
            code.run()
            // A fetch may be answered at once, after which the code continues.
            engine.readMailbox()
            if !code.isEmpty { continue }
            let runningQuestions = engine.mailbox.runningQuestions
            abandoned = min(abandoned, runningQuestions)
            if runningQuestions == abandoned {
                if engine.mailbox.isEmpty { return }
            } else if arrival.wait(timeout: .now() + settings.patience) == .timedOut {
                // The code is unlikely to answer later, so it is not waited for again.
                abandoned = engine.mailbox.runningQuestions
            }
        }
    }

    /// Exchanges frames between sessions and router until there are none left.
    private func exchange() {
        var isMore = true
        while isMore && failure == nil {
            isMore = false
            for gateway in gateways.indices where send(&gateways[gateway], on: gateway) {
                isMore = true
            }
            if send(&publisher, on: gateways.count) { isMore = true }
            router.settle(to: &sent)
            for gateway in gateways.indices where readReloads(gateway) { isMore = true }
            if readAnswers() { isMore = true }
            waitForCode()
        }
    }

    /// Passes a session's output to the router; false if there is none.
    private func send(_ session: inout some ClientSession, on connection: Int) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        session.takeOutput(into: &scratch, limit: ClientLimits.outputBatch)
        deliver(from: connection)
        return !scratch.isEmpty
    }

    /// Passes the bytes in `scratch` to the router, as received on a connection.
    private func deliver(from connection: Int) {
        scratch.withByteView {
            router.receive(all: $0, on: ConnectionSlot(index: connection), to: &sent)
        }
    }

    /// Reads what the router has sent to a gateway; false if there is nothing.
    private func readReloads(_ gateway: Int) -> Bool {
        if !read(gateway, into: &gateways[gateway]) { return false }
        for event in gateways[gateway].takeEvents() {
            engine.received(event, tickets: &tickets[gateway])
        }
        return true
    }

    /// Reads what the router has sent to the publisher; false if there is nothing.
    private func readAnswers() -> Bool {
        let before = publisher.statistics
        if !read(gateways.count, into: &publisher) { return false }
        _ = publisher.takeEvents()
        engine.recorder.answered(from: before, to: publisher.statistics)
        return true
    }

    /// Passes what the router has sent on a connection to its session; false if there is nothing.
    private func read(_ connection: Int, into session: inout some ClientSession) -> Bool {
        let bytes = sent.take(connection)
        if bytes.isEmpty { return false }
        bytes.withByteView { view in
            do throws(ClientError) {
                _ = try reader.read(view, into: &session)
            } catch {
                failure = failure ?? error
            }
        }
        return true
    }

    /// Performs the director's next step, if one is due.
    private func direct() {
        _ = engine.direct(
            at: now,
            isComplete: engine.isComplete,
            isQuiet: engine.pushes.isEmpty && engine.origin.nextAnswer == nil
                && engine.mailbox.runningQuestions == 0,
            requests: engine.origin.counts
        )
    }

    // MARK: - FleetPorts

    var exactTime: ExactTime { Self.exactTime(now) }

    /// A date of the run as an exact time: both clocks have the same zero.
    private static func exactTime(_ date: WallTime) -> ExactTime {
        ExactTime(rawValue: date.rawValue * 1_000_000)
    }

    /// The whole ms of an exact time of the run, as a date.
    private static func date(_ time: ExactTime) -> WallTime {
        WallTime(rawValue: time.rawValue / 1_000_000)
    }

    private func gateway(_ device: Int) -> Int { device % gateways.count }

    func send(_ frame: DeviceFrame, of device: Int, widget: Int?) {
        let gateway = gateway(device)
        do throws(ClientError) {
            guard let ticket = try gateways[gateway].send(frame), let widget else { return }
            tickets[gateway][ticket] = (device, widget)
        } catch {
            failure = failure ?? error
        }
    }

    func fetch(_ path: String, number: Int) { engine.askOrigin(path, number: number) }

    /// A lost connection is made anew at once.
    func isConnected(_ device: Int) -> Bool { true }

    func setOnline(_ isOnline: Bool, device: Int) -> Bool { false }

    func breakConnection(of device: Int) {
        let gateway = gateway(device)
        // Only half of the output is delivered: the router waits for the rest of a frame, and then
        // the connection ends.
        scratch.removeAll(keepingCapacity: true)
        gateways[gateway].takeOutput(into: &scratch, limit: ClientLimits.outputBatch)
        scratch.removeLast((scratch.count + 1) / 2)
        deliver(from: gateway)
        engine.recorder.connectionLost()
        gateways[gateway].disconnected()
        router.close(ConnectionSlot(index: gateway))
        router.settle(to: &sent)
        _ = sent.take(gateway)
        router.open(ConnectionSlot(index: gateway))
        gateways[gateway].connected()
    }

    /// What the router says of widgets without a RELOAD.
    private func fates() -> [Int: [String: WidgetFate]] {
        var fates: [Int: [String: WidgetFate]] = [:]
        for device in engine.devicesWithoutReload {
            let view = try? router.router.view(
                ofDevice: device.name,
                app: settings.scenario.app,
                now: router.now
            )
            // A device that the router does not know has no reload either.
            fates[device.number] = view.map { WidgetFate.fates(in: $0) } ?? [:]
        }
        return fates
    }

    private func report() -> FleetReport {
        let report = engine.report(settings, mode: .accelerated, connections: gateways.count)
        assertInvariants { () throws(InvariantViolation) in try router.router.checkInvariants() }
        return report
    }
}

/// Frames that the router of an accelerated fleet has sent, by connection, until they are read.
struct FleetFrames: VirtualPeers {
    private var bytes: [[UInt8]]

    /// - Parameter connections: the number of connections.
    init(connections: Int) { bytes = Array(repeating: [], count: connections) }

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        self.bytes[frame.connection.index] += bytes.array
    }

    /// Removes and returns the bytes sent to a connection since the last call.
    mutating func take(_ connection: Int) -> [UInt8] {
        defer { bytes[connection] = [] }
        return bytes[connection]
    }
}
