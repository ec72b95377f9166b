internal import Basics
internal import Foundation
internal import ReloadRouterClient
internal import ReloadScheduling
internal import RouterSimulation
internal import WidgetTimelines

/// All devices of a fleet, without the sockets or the simulation around them.
///
///     timers, RELOADs, answers ─► SimulatedDevice ─► actions ─► frames, questions to providers
///
/// It belongs to one thread. Apart from the widget code that it runs, it is pure: its owner
/// supplies the time, and randomness follows from the seed.
final class FleetEngine {
    let scenario: FleetScenario
    let population: FleetPopulation
    let mailbox: FleetMailbox
    unowned let ports: any FleetPorts
    /// The phase of the run.
    private(set) var director: FleetDirector
    private(set) var pushes: PushQueue
    var origin: FleetOrigin
    /// What is kept for devices without a network, unless each has a connection of its own.
    var offline = OfflineBuffer()
    var devices: ContiguousArray<SimulatedDevice>
    var recorder: FleetRecorder
    var fetches = FetchTable()
    var random: SplitMix64
    /// The current time.
    private(set) var now: WallTime
    private var habits: DeviceHabits
    private var timers: FleetTimers
    /// True for each device that has started.
    private var begun: ContiguousArray<Bool>
    /// True for each device that has a network.
    private var online: ContiguousArray<Bool>
    /// Devices that have a network.
    private(set) var onlineCount: Int
    /// Devices that have started.
    private(set) var begunCount = 0
    /// Widgets that have had their first timeline.
    var liveCount = 0
    /// The results of background downloads, by the number of the widget and by path; kept until the
    /// widget's next timeline.
    var downloads: [Int: [String: Data]] = [:]
    /// Frames of devices that the router has refused, and the first of these refusals.
    var rejectedCount = 0
    var firstRejection: Rejection?
    /// True if any widget has a push handler, to which the token is passed.
    let hasPushHandlers: Bool
    /// What APNs does with pushes; nil if the devices have sessions.
    var inbox: FleetInbox?
    let calendar = Calendar.current
    /// True if all devices show the first page of their screen from the start.
    var looksAtFirstPage = false
    /// Called with everything that a widget renders.
    var onRendered: ((_ device: Int, Rendering) -> Void)?

    init(
        _ scenario: FleetScenario,
        population: FleetPopulation,
        seed: UInt64,
        now: WallTime,
        mailbox: FleetMailbox,
        ports: any FleetPorts
    ) {
        var population = population
        devices = population.takeDevices()
        self.scenario = scenario
        self.population = population
        self.mailbox = mailbox
        self.ports = ports
        self.now = now
        director = FleetDirector(scenario, now: now)
        pushes = PushQueue(scenario, seed: seed)
        origin = FleetOrigin(
            scenario.origin,
            seed: seed,
            rampEnd: now + Milliseconds(seconds: scenario.rampSeconds)
        )
        recorder = FleetRecorder(widgets: population.widgetCount)
        habits = DeviceHabits(scenario, seed: seed)
        random = SplitMix64(seed: seed, stream: 1 << 41)
        timers = FleetTimers(devices: devices.count, now: now)
        begun = ContiguousArray(repeating: false, count: devices.count)
        online = ContiguousArray(repeating: true, count: devices.count)
        onlineCount = devices.count
        hasPushHandlers = population.declarations.contains { $0.pushHandler != nil }
        assert(
            devices.count == population.firstWidgets.count - 1,
            "the population's devices were taken before"
        )
        schedule()
    }

    /// Schedules the start of the devices, one after the other.
    private func schedule() {
        let ramp = scenario.rampSeconds * 1_000
        for device in devices.indices {
            let delay = Int64(ramp * Double(device) / Double(devices.count))
            timers.set(.wake, for: device, at: now + .milliseconds(delay))
        }
    }

    // MARK: - The run

    /// Makes the pushes that are due since the measured run began, and sends as many as the
    /// publisher's session takes; true if it has taken any.
    func push(
        from start: ExactTime,
        wall: WallTime,
        using publisher: inout PublisherSession
    ) -> Bool {
        if director.phase == .running {
            pushes.make(until: ports.exactTime, start: start, wall: wall)
        }
        return pushes.send { entry in
            guard entry.message.offer(to: &publisher) else { return false }
            origin.apply(entry.payload)
            pushed(entry.push, payload: entry.payload, at: entry.time)
            return true
        }
    }

    /// Takes the run's next step; nil if none is due. See `FleetDirector.step`.
    func direct(
        at now: WallTime,
        isComplete: Bool,
        isQuiet: Bool,
        requests: OriginCounts
    ) -> FleetDirector.Step? {
        let step = director.step(at: now, isComplete: isComplete, isQuiet: isQuiet)
        switch step {
        case .begin?: recorder.begin(origin: requests)
        case .endSecond?: recorder.endSecond(origin: requests, online: onlineCount)
        case .over?, nil: break
        }
        return step
    }

    // MARK: - Time

    /// When the next timer is due; nil if there is none.
    var nextWake: WallTime? { timers.next }

    /// Advances the time, and does what is due.
    func advance(to time: WallTime) {
        now = max(now, time)
        while let timer = timers.take(until: now) {
            switch timer.kind {
            case .wake: wake(timer.number)
            case .habit: live(timer.number)
            case .delivery: deliver(to: timer.number)
            case .fetch: ask(timer.number)
            }
        }
        readMailbox()
    }

    /// Starts a device at its first timer, and wakes it at later ones.
    private func wake(_ device: Int) {
        if inbox?.isGone(device) == true { return }
        if begun[device] { return act(device) { $0.wake(at: now, into: &$1) } }
        begun[device] = true
        begunCount += 1
        assert(begunCount <= begun.count, "a device starts twice")
        if let pause = habits.begin(device) { timers.set(.habit, for: device, at: now + pause) }
        act(device) { $0.begin(at: now, into: &$1) }
        if looksAtFirstPage { act(device) { $0.look(at: 0, now: now, into: &$1) } }
        reportToPushHandlers(device)
    }

    /// Performs the next event of a device's owner.
    private func live(_ device: Int) {
        if inbox?.isGone(device) == true { return }
        let (event, pause) = habits.next(device)
        if let pause { timers.set(.habit, for: device, at: now + pause) }
        let now = now
        act(device) { live, actions in
            switch event {
            case .looks(let page): live.look(at: page, now: now, into: &actions)
            case .looksAway: live.look(at: nil, now: now, into: &actions)
            case .opensApp: live.setForeground(true, now: now, into: &actions)
            case .leavesApp: live.setForeground(false, now: now, into: &actions)
            case .plays: live.setMedia(.audio, now: now, into: &actions)
            case .isSilent: live.setMedia(.silent, now: now, into: &actions)
            case .moves: live.move(&actions)
            case .losesNetwork, .findsNetwork, .connectionBreaks: break
            }
        }
        switch event {
        case .losesNetwork: setOnline(false, device: device)
        case .findsNetwork: setOnline(true, device: device)
        case .connectionBreaks: ports.breakConnection(of: device)
        default: break
        }
    }

    func isOnline(_ device: Int) -> Bool { online[device] }

    /// Passes on what was kept for a device that has a network again.
    private func resend(_ device: Int) {
        let kept = offline.end(device)
        for (frame, widget) in kept.frames { ports.send(frame, of: device, widget: widget) }
        for reload in kept.reloads { received(reload) }
    }

    /// Disconnects a device from the network, or connects it again.
    func setOnline(_ isOnline: Bool, device: Int) {
        if online[device] == isOnline { return }
        online[device] = isOnline
        onlineCount += isOnline ? 1 : -1
        assert((0...online.count).contains(onlineCount), "a device's network is counted twice")
        if !ports.setOnline(isOnline, device: device) {
            if isOnline { resend(device) } else { offline.begin(device) }
        }
        if isOnline { resumeDelivery(to: device) }
    }

    /// Changes a device, and performs the actions that result.
    func act(_ device: Int, body: (inout SimulatedDevice, inout [DeviceAction]) -> Void) {
        var actions: [DeviceAction] = []
        body(&devices[device], &actions)
        for action in actions { perform(action, of: device) }
        timers.set(.wake, for: device, at: devices[device].nextWake)
    }

    func setDeliveryTimer(_ device: Int, at time: WallTime) {
        timers.set(.delivery, for: device, at: time)
    }

    func setFetchTimer(_ number: Int, at time: WallTime) {
        assert(fetches[number] != nil, "the fetch has its answer")
        timers.set(.fetch, for: number, at: time)
    }
}

/// The world around a fleet's devices: sockets, or a simulation.
protocol FleetPorts: AnyObject {
    /// The time by a monotonic clock.
    var exactTime: ExactTime { get }
    /// Sends a frame of a device, perhaps later. If `widget` is not nil, the frame is the TIMELINE
    /// of that widget, and the router's answer is reported by `FleetEngine.scheduled`.
    func send(_ frame: DeviceFrame, of device: Int, widget: Int?)
    /// Sends a fetch to the origin; its answer is reported by `FleetEngine.fetched`.
    func fetch(_ path: String, number: Int)
    /// True if the router can reach the device now.
    func isConnected(_ device: Int) -> Bool
    /// Disconnects a device from the network, or connects it again; returns false if others share
    /// its connection, so that the engine keeps what it sends and gets.
    func setOnline(_ isOnline: Bool, device: Int) -> Bool
    /// Breaks a device's connection in the middle of a frame.
    func breakConnection(of device: Int)
}

/// The widget that each pending TIMELINE of a session is for, by its ticket.
typealias TimelineTickets = [UInt64: (device: Int, widget: Int)]
