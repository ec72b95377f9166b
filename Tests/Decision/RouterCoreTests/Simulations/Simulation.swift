import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// A few producers, gateways and devices that act at random.
///
/// What they send waits, in order, while the router holds their connection; it happens in the model
/// when the router has taken it.
struct Simulation {
    /// Frames on their way, and what they mean when they are taken.
    struct Input {
        var slot: ConnectionSlot
        var bytes: [UInt8]
        var taken: (inout Simulation) -> Void
    }

    private(set) var acts = 0
    private(set) var problem: String?
    private(set) var reloadCount = 0
    /// All that was sent.
    private(set) var history: [SentFrame] = []

    private let harness: RouterHarness
    private var random: SeededGenerator
    private var model = SimulationModel()
    private var sessionCount = 0
    private var publishers: [SimulationPublisher] = []
    private var waiting: [Input] = []
    /// Whether pushes may be matched in several portions.
    private let isPortioned: Bool
    private(set) var portionCount = 0
    /// How often frames were taken while a push was handed out.
    private(set) var overlapCount = 0
    /// Sequence numbers of frames that must be refused, and where.
    private var expectedRejects: [(slot: ConnectionSlot, seq: UInt64)] = []
    private var lastReloads: [SentReload] = []
    /// Connections that have sent what is no frame and must be ended.
    private var malformed: [ConnectionSlot] = []

    private let deviceNames = (0..<6).map { "device-\($0)" }
    private let characters = (0..<5).map { "hero-\($0)" }
    private let kinds = ["detail", "log"]

    /// - Parameters:
    ///   - seed: the same one plays the same.
    ///   - portion: widgets that the router finds in one go, if it is to be few.
    ///   - work: what a connection may spend of a tick, and a fourth of the tick, if that is to be
    ///     little.
    ///   - keepsJournal: whether a twin follows what happens.
    ///   - keepsCapture: whether what is accepted is captured.
    init(
        seed: UInt64,
        portion: Int? = nil,
        work: Int? = nil,
        keepsJournal: Bool = false,
        keepsCapture: Bool = false
    ) {
        random = SeededGenerator(seed: seed)
        isPortioned = portion != nil
        harness = RouterHarness(seed: seed) { limits in
            limits.matchesPerStep = portion ?? limits.matchesPerStep
            if let work {
                limits.workPerTick = 4 * work
                limits.workPerConnection = work
            }
            // What a push costs that finds one widget, so that keys and conditions come in
            // portions, too.
            if let portion { limits.workPerStep = portion * (WorkCost.probe + WorkCost.posting) }
            if portion != nil { limits.journalRecord = 40 }
        }
        if keepsJournal { harness.keepJournal(.game, seed: seed) }
        if keepsCapture { harness.keepCapture(.game) }
        for number in 0..<3 {
            let slot = harness.connect(
                .publisher,
                "producer-\(number)",
                wantsOutcomes: number == 1
            )
            publishers.append(.init(slot: slot, wantsOutcomes: number == 1))
        }
        for _ in 0..<2 { beginGateway() }
        let gateway = gateways()[0]
        for name in deviceNames { register(name, gateway) }
        self.tick()
    }

    /// Of the journal so far, if one is kept.
    var journalChecksum: UInt64? {
        harness.writeJournal()
        return harness.replica?.checksum
    }

    /// Of all that was written and sent.
    var transcript: Transcript { harness.transcript }

    /// In what the twin that follows the journal is another than the router.
    var difference: String? {
        harness.writeJournal()
        // What is being searched for is known to the twin when all of it has been found.
        return harness.router.isBusy ? nil : harness.replica?.difference(from: harness.router)
    }

    // MARK: - Acts

    mutating func act() {
        acts += 1
        harness.advance(Int64(random.below(50)))
        switch random.below(20) {
        case 0...6: push()
        case 7...8:
            frameOfDevice { simulation, name, session in simulation.register(name, session) }
        case 9...10:
            frameOfDevice { simulation, name, session in
                simulation.request(name, session)
            }
        case 11...13: answer()
        case 14: beginDevice()
        case 15: endSession()
        case 16: fill()
        case 17: drain()
        case 18: reconnectPublisher()
        case 19: misbehave()
        default: break
        }
        switch random.below(6) {
        case 0...1: tick()
        case 2...3: step()
        default: break
        }
    }

    /// Everybody reads, and every device has a session: then nothing may be owed any more.
    mutating func settle() {
        tick()
        harness.checkInvariants()
        for session in model.sessions.keys.sorted() where !model.sessions[session]!.isWritable {
            setWritable(session, true)
        }
        if gateways().isEmpty { beginGateway() }
        let gateway = gateways()[0]
        for name in deviceNames { request(name, speaker(of: name) ?? gateway, kind: "static") }
        tick()
        if problem == nil && !model.due.isEmpty { problem = "\(model.due) is still owed" }
        let isReady = harness.router.hasReadyDevices
        if problem == nil && isReady { problem = "the router still has something ready" }
    }

    private mutating func push() {
        let index = random.below(publishers.count)
        for _ in 0...random.below(4) {
            let taken = publishers[index].welcomedSeq
            let isDuplicate = taken > 0 && random.below(6) == 0
            let character = characters[random.below(characters.count)]
            let kind = random.below(4) == 0 ? kinds[random.below(2)] : nil
            let narrowed = kind.map { "@\($0) " } ?? ""
            let payload = narrowed + #"{"character":"\#(character)"}"#
            let isExpired = random.below(10) == 0
            if !isDuplicate { publishers[index].lastSeq += 1 + UInt64(random.below(3)) }
            let seq = isDuplicate ? taken : publishers[index].lastSeq
            let bytes = harness.pushFrame(
                seq,
                payload,
                flags: UInt8(random.below(2)),
                expiresAt: isExpired ? UInt64(harness.now.wall.rawValue) : nil
            )
            let input = Input(slot: publishers[index].slot, bytes: bytes) { simulation in
                let hasEffect = !isDuplicate && !isExpired
                let count =
                    hasEffect ? simulation.model.push(character, kinds: kind.map { [$0] }) : 0
                simulation.publishers[index].taken(seq, matching: count)
            }
            waiting.append(input)
        }
        offer()
    }

    private mutating func frameOfDevice(_ body: (inout Simulation, String, Int) -> Void) {
        let name = deviceNames[random.below(deviceNames.count)]
        guard let session = speaker(of: name) else { return }
        body(&self, name, session)
    }

    /// A session that may speak for the device, chosen at random.
    private mutating func speaker(of name: String) -> Int? {
        let own = model.sessions.values.contains { $0.device == name && !$0.hasFailed }
        let able = model.sessions.filter { _, session in
            !session.hasFailed && session.device == (own ? name : nil)
        }
        .keys.sorted()
        return able.isEmpty ? nil : able[random.below(able.count)]
    }

    private mutating func register(_ name: String, _ session: Int) {
        var widgets: [String: SimulationModel.Widget] = [:]
        for number in 0..<5 where number == 0 || random.below(2) == 0 {
            widgets["w\(number)"] = .init(
                kind: kinds[random.below(2)],
                family: ["small", "large"][random.below(2)],
                character: characters[random.below(5)]
            )
        }
        let list = widgets.keys.sorted().map { id in
            var widget = TestWidget(
                id,
                widgets[id]!.kind,
                #"{"character":"\#(widgets[id]!.character)"}"#
            )
            widget.family = widgets[id]!.family
            return widget
        }
        send(session) { harness, slot in
            harness.widgets(slot, name, list)
        } taken: { simulation in
            simulation.model.replace(name, widgets)
            simulation.model.attach(name, to: session)
        }
    }

    private mutating func request(_ name: String, _ session: Int, kind: String? = nil) {
        let wanted = kind ?? (random.below(2) == 0 ? nil : kinds[random.below(2)])
        send(session) { harness, slot in
            harness.request(slot, name, kind: wanted)
        } taken: { simulation in
            simulation.model.attach(name, to: session)
            simulation.model.request(name, kind: wanted)
        }
    }

    /// A device answers one of the last RELOADs, perhaps too late.
    private mutating func answer() {
        guard !lastReloads.isEmpty else { return }
        let reload = lastReloads[random.below(lastReloads.count)]
        let session = model.session(of: reload.slot)
        // Only from the session that speaks for the device: from another, it would be moved first.
        guard let session, model.devices[reload.device]!.session == session,
            !model.sessions[session]!.hasFailed
        else { return }
        for id in reload.widgets where model.devices[reload.device]!.widgets[id] != nil {
            answer(reload, id, session)
        }
    }

    private mutating func answer(_ reload: SentReload, _ id: String, _ session: Int) {
        var seq: UInt64 = 0
        send(session) { harness, slot in
            seq = harness.timeline(slot, reload.device, id, reload: reload.seq)
        } taken: { simulation in
            if simulation.model.devices[reload.device]!.widgets[id] == nil {
                simulation.expectedRejects.append((reload.slot, seq))
                return
            }
            simulation.model.answer(reload.device, id, reload.seq)
            simulation.model.attach(reload.device, to: session)
        }
    }

    /// A session that speaks for devices sends what is no frame, and its connection stays for a
    /// while.
    private mutating func misbehave() {
        let able = model.sessions.filter { !$0.value.hasFailed }.keys.sorted()
        guard !able.isEmpty, random.below(2) == 0 else { return }
        let session = able[random.below(able.count)]
        send(session) { harness, slot in
            harness.send(slot, [0, 0, 0, 0])
        } taken: { simulation in
            simulation.model.sessions[session]!.hasFailed = true
            simulation.malformed.append(simulation.model.sessions[session]!.slot)
        }
    }

    // MARK: - Input

    /// Sends what `frames` makes, on the connection of a session.
    private mutating func send(
        _ session: Int,
        _ frames: (RouterHarness, ConnectionSlot) -> Void,
        taken: @escaping (inout Simulation) -> Void
    ) {
        let slot = model.sessions[session]!.slot
        let bytes = harness.collect { frames(harness, slot) }
        waiting.append(
            .init(slot: slot, bytes: bytes) { simulation in
                // Of a session that was ended meanwhile nothing is looked at.
                if simulation.model.sessions[session]?.hasFailed == false { taken(&simulation) }
            }
        )
        offer()
    }

    /// Hands the router what waits, as far as it takes it: at once what one connection has sent in
    /// a row.
    private mutating func offer() {
        while let slot = nextSlot, problem == nil {
            // So long that no REQUEST is taken for the echo of a RELOAD.
            harness.advance(6_000)
            let start = waiting.firstIndex { $0.slot == slot } ?? 0
            let row = waiting[start...].prefix { $0.slot == slot }
            let inputCount = waiting.count
            let isFanningOut = harness.router.isFanningOut
            var count = harness.send(slot, row.flatMap(\.bytes))
            if isFanningOut && count > 0 { overlapCount += 1 }
            while count > 0 {
                let input = waiting.remove(at: start)
                count -= input.bytes.count
                input.taken(&self)
            }
            if harness.router.isPaused(slot) { continue }
            if count != 0 || inputCount != waiting.count + row.count {
                problem = "of \(row.count) frames \(inputCount - waiting.count) were taken"
            }
        }
    }

    /// The first connection of which something waits that the router takes.
    private var nextSlot: ConnectionSlot? {
        for input in waiting where !harness.router.isPaused(input.slot) { return input.slot }
        return nil
    }

    /// What was on its way on a connection is lost with it.
    private mutating func disconnect(_ slot: ConnectionSlot) {
        waiting.removeAll { $0.slot == slot }
        harness.close(slot)
    }

    // MARK: - Sessions

    private func gateways() -> [Int] {
        model.sessions.filter { $0.value.device == nil && !$0.value.hasFailed }.keys.sorted()
    }

    private mutating func begin(_ slot: ConnectionSlot, device: String?) -> Int {
        sessionCount += 1
        model.sessions[sessionCount] = .init(slot: slot, device: device)
        return sessionCount
    }

    private mutating func beginGateway() {
        // What was sent before is looked at first.
        if sessionCount > 0 { tick() }
        _ = begin(harness.connect(.gateway), device: nil)
    }

    private mutating func beginDevice() {
        tick()
        let name = deviceNames[random.below(deviceNames.count)]
        let slot = harness.open()
        harness.hello(slot, .device, name)
        let session = begin(slot, device: name)
        model.attach(name, to: session)
    }

    private mutating func endSession() {
        if random.below(2) == 0 { tick() }
        let all = model.sessions.keys.sorted()
        guard !all.isEmpty else { return beginGateway() }
        let session = all[random.below(all.count)]
        disconnect(model.sessions[session]!.slot)
        model.closed(session)
        if gateways().count < 2 { beginGateway() }
    }

    private mutating func reconnectPublisher() {
        let index = random.below(publishers.count)
        disconnect(publishers[index].slot)
        publishers[index].disconnected()
        tick()
        // The OUTCOME of a duplicate comes at once: the step may still have had one for it.
        publishers[index].disconnected()
        _ = harness.connect(
            .publisher,
            "producer-\(index)",
            slot: publishers[index].slot,
            wantsOutcomes: publishers[index].wantsOutcomes
        )
    }

    private mutating func fill() {
        let all = model.sessions.keys.sorted()
        if !all.isEmpty { setWritable(all[random.below(all.count)], false) }
    }

    private mutating func drain() {
        let full = model.sessions.filter { !$0.value.isWritable }.keys.sorted()
        if !full.isEmpty { setWritable(full[random.below(full.count)], true) }
    }

    private mutating func setWritable(_ session: Int, _ isWritable: Bool) {
        let slot = model.sessions[session]!.slot
        if isWritable {
            harness.router.outputDrained(slot)
        } else {
            harness.router.outputFilled(slot)
        }
        model.sessions[session]!.isWritable = isWritable
    }

    // MARK: - Turns

    /// One step of the router; with small portions not all that is due is sent in it.
    private mutating func step() {
        let sent = harness.step()
        history += sent
        for frame in sent where problem == nil { problem = check(frame) }
        let isFanningOut = harness.router.isFanningOut
        if isFanningOut { portionCount += 1 }
        offer()
    }

    /// As many steps as it takes: then nothing is left.
    private mutating func tick() {
        var needsStep = true
        while needsStep && problem == nil {
            let hasWaiting = !waiting.isEmpty
            step()
            needsStep = hasWaiting || harness.router.needsStep
        }
        if problem != nil { return }
        if !model.due.isEmpty { problem = "\(model.due) was due and not sent" }
        model.settled()
        if !(model.expectedFailures + malformed).isEmpty {
            problem = "\(model.expectedFailures + malformed) should have been ended"
        }
        if !expectedRejects.isEmpty { problem = "\(expectedRejects) should have been refused" }
        if let publisher = publishers.first(where: { !$0.isAcknowledged }) {
            problem = "\(publisher) was not told of its matches"
        }
    }

    private mutating func check(_ frame: SentFrame) -> String? {
        switch frame {
        case .reload(let reload):
            reloadCount += 1
            lastReloads.append(reload)
            if lastReloads.count > 20 { lastReloads.removeFirst() }
            return model.sent(reload, isPortion: isPortioned)
        case .ack(let slot, let seq, let count):
            guard let index = publishers.firstIndex(where: { $0.slot == slot }) else { return nil }
            return publishers[index].acknowledged(seq, matching: count)
        case .outcome(let slot, let seq, let text):
            guard let index = publishers.firstIndex(where: { $0.slot == slot }) else {
                return "\(frame) was not to be expected"
            }
            return publishers[index].reported(seq, text)
        case .fail(let slot, .sessionReplaced, _):
            guard let index = model.expectedFailures.firstIndex(of: slot) else {
                return "\(frame) was not to be expected"
            }
            model.expectedFailures.remove(at: index)
            return nil
        case .fail(let slot, .frameLength, _):
            guard let index = malformed.firstIndex(of: slot) else {
                return "\(frame) was not to be expected"
            }
            malformed.remove(at: index)
            return nil
        case .reject(let slot, let seq, .widgetUnknown, _):
            let known = expectedRejects.firstIndex { $0.slot == slot && $0.seq == seq }
            guard let known else { return "\(frame) was not to be expected" }
            expectedRejects.remove(at: known)
            return nil
        case .welcome, .detached, .attached:
            return nil
        case .ping, .pong, .reject, .scheduled, .goaway, .fail:
            return "\(frame) was not to be expected"
        }
    }
}
