package import Basics
internal import FrameCodec
internal import ReloadRouterClient
package import RouterCore

/// Plays a day of many devices and one router, in simulated time, and checks every RELOAD against
/// the rules. `reload-lab simulate` runs it once for each mode of spreading.
///
///     queue ──► devices, publishers ──frames──► VirtualRouter
///       ▲                                            │ settle, once a tick of 10 ms
///       └──── what they do next ◄──── RELOAD … ◄─────┘
///
/// The router is the real one, and exchanges bytes with the world as on the wire. Time, network,
/// devices and publishers are simulated, and depend on nothing but the seed. A frame arrives in the
/// tick in which it is sent; the network's delay is a part of the time that a provider takes to
/// build a timeline. There are no PINGs: they would only take computing time.
package struct Simulation: ~Copyable, VirtualPeers {
    let options: SimulationOptions
    let mode: SpreadPolicy.Mode
    let world: World
    /// When the run starts.
    let start: WallTime
    /// When the run ends, from its start.
    let end: Milliseconds

    let driver: VirtualRouter
    var queue: EventQueue
    var fleet: WorldFleet
    var checker: Checker
    var publishers: SimulatedPublishers
    var record: DayRecord
    /// The device whose frames are passed to `trace`, as text with the mode and the time; nil for
    /// none.
    package var tracedDevice: UInt32?
    /// Called with each frame of the traced device.
    package var trace: (String) -> Void = { _ in }
    /// The second of the run in which the router's sums were last checked against each other.
    private var checkedAt: Int64 = -1

    /// Prepares a day: the router, the fleet and an empty queue. The options must be valid.
    package init(_ options: SimulationOptions, mode: SpreadPolicy.Mode) {
        precondition(options.problem == nil, "the options are checked")
        self.options = options
        self.mode = mode
        world = World(devices: options.devices)
        let begin = SimulatedTime.monday + .hours(Int64(options.firstHour))
        start = begin - SimulatedTime.warmUp
        end = SimulatedTime.warmUp + .hours(Int64(options.hours))
        var limits = RouterLimits()
        limits.removeWorkLimits()
        limits.connections = options.devices + SimulatedPublishers.count
        driver = VirtualRouter(
            world.catalog(mode),
            limits: limits,
            seed: options.seed,
            hashKey: options.hashKey,
            now: Instant(monotonic: MonotonicTime(rawValue: 1_000), wall: start)
        )
        queue = EventQueue(horizon: end)
        fleet = WorldFleet(options, in: world, at: start)
        checker = Checker(
            policies: World.Kind.allCases.map { World.policy($0, mode: mode) },
            topics: world.topicCount,
            devices: options.devices,
            widgets: fleet.widgets.count
        )
        publishers = SimulatedPublishers(options, in: world)
        record = DayRecord(
            mode: mode,
            requests: ContiguousArray(repeating: 0, count: options.hours * 3_600),
            start: begin
        )
    }

    /// The simulated date.
    var wall: WallTime { driver.now.wall }

    /// The simulated time from the run's start.
    var now: Milliseconds { wall - start }

    // MARK: - Running

    /// Runs to the end. `progress` is called about every ten simulated minutes with the completed
    /// part of the run, in per cent.
    ///
    /// - Throws: the first violation of a rule.
    package mutating func run(
        progress: (Int) -> Void = { _ in }
    ) throws(SimulationFailure) -> DayRecord {
        assert(record.work.ticks == 0, "a simulation runs once")
        do throws(Violation) {
            try begin()
            var reported = Milliseconds.zero
            while try tick() {
                if now >= reported {
                    progress(Int(now * 100 / end as Int64))
                    reported = now + .minutes(10)
                }
            }
            try finish()
        } catch {
            throw failure(error)
        }
        return record
    }

    /// Plays the next tick in which an event or a timer of the router is due; returns false if the
    /// run is over.
    private mutating func tick() throws(Violation) -> Bool {
        let wake = wakeUp
        let next = queue.nextTick(before: min(wake, end)) ?? wake
        if next >= end { return false }
        assert(
            next > now && next.rawValue % EventQueue.tick.rawValue == 0,
            "time passes from tick to tick"
        )
        // The record begins. There are events in every minute, so this is exact to the minute.
        if now < SimulatedTime.warmUp && next >= SimulatedTime.warmUp { record.sums = .init() }
        driver.advance(next - now)
        queue.advance(to: next)
        record.work.ticks += 1
        while let event = queue.popFirst() {
            record.work.events += 1
            try handle(event)
        }
        try step()
        if now.wholeSeconds != checkedAt {
            checkedAt = now.wholeSeconds
            // Looking at every widget takes longer than all other work, so this is done only every
            // ten minutes.
            let isCounted = checkedAt % 600 == 0
            try checker.balanced(DecisionSums(of: driver.router, isCounted: isCounted))
            if isCounted { try checkSlots() }
            // All tables are checked against each other once an hour.
            if checkedAt % 3_600 == 0 { try checkTables() }
        }
        return true
    }

    /// Checks that the slots in the ledgers are those that widgets have.
    func checkSlots() throws(Violation) {
        let used = driver.router.usedSlotCount
        try checker.balanced(driver.router.slotCounters, used: used)
    }

    /// Checks that the router's tables agree with each other.
    func checkTables() throws(Violation) {
        do throws(InvariantViolation) {
            try driver.router.checkInvariants()
        } catch {
            throw Violation("tables", text: error.description)
        }
    }

    /// The tick of the router's next timer, from the run's start; `max` if there is none.
    private var wakeUp: Milliseconds {
        guard let next = driver.nextWakeUp else { return .max }
        return Self.tick(from: max(next - start, now + EventQueue.tick))
    }

    /// The beginning of the first tick that begins at `time` or after it.
    private static func tick(from time: Milliseconds) -> Milliseconds {
        let tick = EventQueue.tick.rawValue
        return .milliseconds((time.rawValue + tick - 1) / tick * tick)
    }

    private func failure(_ violation: Violation) -> SimulationFailure {
        var subject = ""
        if let device = violation.device { subject = "device d-\(device) " }
        if let widget = violation.widget {
            let record = fleet.widgets[Int(widget)]
            let number = widget - fleet.devices[Int(record.device)].firstWidget
            subject = "device d-\(record.device), widget w\(number) (\(record.kind.name)) "
        }
        return SimulationFailure(
            violation: violation,
            options: options,
            mode: mode.rawValue,
            wall: wall,
            subject: subject
        )
    }

    // MARK: - Queue

    /// Schedules an event after a delay, for the next tick at the earliest.
    mutating func schedule(
        _ kind: SimulationEvent.Kind,
        for target: UInt32,
        after delay: Milliseconds,
        extra: UInt32 = 0
    ) {
        let time = Self.tick(from: now + max(delay, EventQueue.tick))
        if time >= end { return }
        queue.insert(SimulationEvent(time: time, target: target, extra: extra, kind: kind))
    }

    private mutating func handle(_ event: SimulationEvent) throws(Violation) {
        switch event.kind {
        case .connect: try connect(event.target)
        case .disconnect: disconnect(event.target, connection: event.extra)
        case .announce: try announce(event.target)
        case .view: try view(event.target)
        case .viewEnd: try endView(event.target)
        case .open: try open(event.target)
        case .leave: try leave(event.target)
        case .mediaEnd: try endMedia(event.target)
        case .change: try change(event.target)
        case .built: try built(event.target, question: event.extra)
        case .publish: try publish()
        case .wide: try wide()
        case .duel: try duel()
        case .broadcast: try broadcast(left: event.extra)
        case .programme: try broadcast(Int(event.extra))
        case .outage: outage()
        }
    }

    private mutating func begin() throws(Violation) {
        try beginPublishing()
        for device in 0..<UInt32(options.devices) { beginLife(device) }
    }

    // MARK: - The router

    /// Passes a frame to the router.
    ///
    /// The router must not be in the middle of a fan-out; callers that record facts in the checker
    /// call `settle` before.
    mutating func send(_ slot: UInt32, frame: [UInt8]) throws(Violation) {
        record.work.framesSent += 1
        if slot == tracedDevice { frame.withByteView { passOn($0, direction: "<-") } }
        let taken = driver.receive(frame, on: ConnectionSlot(rawValue: slot))
        precondition(taken == frame.count, "a router at rest takes whole frames")
    }

    /// Lets the router finish fan-outs and other work that it has begun.
    mutating func settle() throws(Violation) {
        if driver.router.isBusy || driver.router.isFanningOut { try step() }
    }

    /// Steps the router until it is at rest.
    mutating func step() throws(Violation) { try driver.settle(to: &self) }

    /// Records in the checker whether a push is being matched in portions.
    package mutating func stepped(_ router: inout Router) {
        if router.isFanningOut { checker.recordPortions() }
    }

    /// Processes a frame that the router sends to a device or a publisher.
    package mutating func send(_ frame: OutgoingFrame, bytes: ByteView) throws(Violation) {
        record.work.framesReceived += 1
        // Connections have the numbers of the devices and, after these, of the publishers.
        let slot = frame.connection.rawValue
        let seq = bytes.bigEndian(UInt64.self, at: 8)
        if slot == tracedDevice { passOn(bytes, direction: "->") }
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        switch frame.type {
        case .reload:
            let event: ReloadEvent
            do throws(ProtocolError) {
                event = try ReloadEvent(seq: seq, reading: body)
            } catch {
                throw Violation("protocol", text: error.message, device: slot)
            }
            try reloaded(event, on: slot)
        case .ack:
            if body.count == 0 { return }
            try acknowledged(slot, through: seq, matched: body.bigEndian(UInt32.self, at: 0))
        case .scheduled: try scheduled(slot, body: body)
        case .welcome, .ping, .pong: break
        default:
            throw Violation(
                "protocol",
                text: "is sent \(frame.type.name) \(body.string)",
                device: slot
            )
        }
    }

    /// Passes a frame to `trace`: one that a device sends (`<-`), or one that it receives (`->`).
    private func passOn(_ frame: ByteView, direction: String) {
        let type = FrameType(rawValue: frame[4])
        let seq = frame.bigEndian(UInt64.self, at: 8)
        // The body of an ACK is not text.
        let body = type == .ack ? "" : frame.slice(FrameHeader.byteCount, to: frame.count).string
        let head = "\(mode.rawValue) \(SimulatedTime.text(wall)) \(direction)"
        trace("\(head) \(type?.name ?? "?") \(seq)" + (body.isEmpty ? "" : " " + body))
    }
}
