import FrameCodec
import ReloadModel
import RouterCore
import Testing

/// A few producers, gateways and devices that act at random.
struct Simulation {
    private(set) var acts = 0
    private(set) var problem: String?
    private(set) var reloadCount = 0
    /// All that was sent.
    private(set) var history: [SentFrame] = []

    private let harness: RouterHarness
    private var random: SeededGenerator
    private var model = SimulationModel()
    private var sessionCount = 0
    private var publishers: [UInt32] = []
    private var lastSeqs: [UInt64] = []
    /// What the next ACK of each publisher must say.
    private var matched: [UInt32: UInt32] = [:]
    private var lastReloads: [SentReload] = []
    /// Connections that have sent what is no frame and must be ended.
    private var malformed: [UInt32] = []

    private let deviceNames = (0..<6).map { "device-\($0)" }
    private let characters = (0..<5).map { "hero-\($0)" }
    private let kinds = ["detail", "log"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        harness = RouterHarness(seed: seed)
        for number in 0..<3 {
            publishers.append(harness.connect(.publisher, "producer-\(number)"))
            lastSeqs.append(0)
        }
        for _ in 0..<2 { beginGateway() }
        let gateway = gateways()[0]
        for name in deviceNames { register(name, gateway) }
        turn()
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
        if random.below(3) == 0 { turn() }
    }

    /// Everybody reads, and every device has a session: then nothing may be owed any more.
    mutating func settle() {
        turn()
        for session in model.sessions.keys.sorted() where !model.sessions[session]!.isWritable {
            setWritable(session, true)
        }
        if gateways().isEmpty { beginGateway() }
        let gateway = gateways()[0]
        for name in deviceNames { request(name, gateway, kind: "static") }
        turn()
        if problem == nil && !model.due.isEmpty { problem = "\(model.due) is still owed" }
        let isReady = harness.router.hasReadyDevices
        if problem == nil && isReady { problem = "the router still has something ready" }
    }

    private mutating func push() {
        let index = random.below(publishers.count)
        let slot = publishers[index]
        var bytes: [UInt8] = []
        for _ in 0...random.below(4) {
            let isDuplicate = lastSeqs[index] > 0 && random.below(6) == 0
            let character = characters[random.below(characters.count)]
            let kind = random.below(4) == 0 ? kinds[random.below(2)] : nil
            let narrowed = kind.map { #","kinds":["\#($0)"]"# } ?? ""
            let payload = #"{"character":"\#(character)"\#(narrowed)}"#
            let isVoid = random.below(10) == 0
            if !isDuplicate { lastSeqs[index] += 1 + UInt64(random.below(3)) }
            bytes += harness.pushFrame(
                lastSeqs[index],
                payload,
                flags: UInt8(random.below(2)),
                voidAt: isVoid ? UInt64(harness.now.wall) : nil
            )
            let count =
                isDuplicate || isVoid
                ? 0 : model.push(character, kinds: kind.map { [$0] })
            matched[slot, default: 0] += count
        }
        harness.send(slot, bytes)
    }

    private mutating func frameOfDevice(_ body: (inout Simulation, String, Int) -> Void) {
        let name = deviceNames[random.below(deviceNames.count)]
        guard let session = speaker(of: name) else { return }
        body(&self, name, session)
    }

    /// A session that may speak for the device, chosen at random.
    private mutating func speaker(of name: String) -> Int? {
        let able = model.sessions.filter { _, session in
            !session.hasFailed && (session.device == nil || session.device == name)
        }
        .keys.sorted()
        return able.isEmpty ? nil : able[random.below(able.count)]
    }

    private mutating func register(_ name: String, _ session: Int) {
        var widgets: [String: SimulationModel.Widget] = [:]
        for number in 0..<5 where number == 0 || random.below(2) == 0 {
            widgets["w\(number)"] = .init(
                kind: kinds[random.below(2)],
                character: characters[random.below(5)]
            )
        }
        let list = widgets.keys.sorted().map { id in
            TestWidget(
                id,
                widgets[id]!.kind,
                #"{"character":"\#(widgets[id]!.character)"}"#
            )
        }
        harness.widgets(model.sessions[session]!.slot, name, list)
        model.replace(name, widgets)
        model.attach(name, to: session)
    }

    private mutating func request(_ name: String, _ session: Int, kind: String? = nil) {
        let wanted = kind ?? (random.below(2) == 0 ? nil : kinds[random.below(2)])
        harness.request(model.sessions[session]!.slot, name, kind: wanted)
        model.attach(name, to: session)
        model.request(name, kind: wanted)
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
            harness.timeline(reload.slot, reload.device, id, reload: reload.seq)
            model.answer(reload.device, id, reload.seq)
        }
    }

    /// A session that speaks for devices sends what is no frame, and its connection stays for a
    /// while.
    private mutating func misbehave() {
        let able = model.sessions.filter { !$0.value.hasFailed }.keys.sorted()
        guard !able.isEmpty, random.below(2) == 0 else { return }
        let session = able[random.below(able.count)]
        model.sessions[session]!.hasFailed = true
        malformed.append(model.sessions[session]!.slot)
        harness.send(model.sessions[session]!.slot, [0, 0, 0, 0])
    }

    // MARK: - Sessions

    private func gateways() -> [Int] {
        model.sessions.filter { $0.value.device == nil && !$0.value.hasFailed }.keys.sorted()
    }

    private mutating func begin(_ slot: UInt32, device: String?) -> Int {
        sessionCount += 1
        model.sessions[sessionCount] = .init(slot: slot, device: device)
        return sessionCount
    }

    private mutating func beginGateway() {
        // What was sent before is looked at first.
        if sessionCount > 0 { turn() }
        _ = begin(harness.connect(.gateway), device: nil)
    }

    private mutating func beginDevice() {
        turn()
        let name = deviceNames[random.below(deviceNames.count)]
        let slot = harness.open()
        harness.hello(slot, .device, name)
        let session = begin(slot, device: name)
        model.attach(name, to: session)
    }

    private mutating func endSession() {
        turn()
        let all = model.sessions.keys.sorted()
        guard !all.isEmpty else { return beginGateway() }
        let session = all[random.below(all.count)]
        harness.close(model.sessions[session]!.slot)
        model.closed(session)
        if gateways().count < 2 { beginGateway() }
    }

    private mutating func reconnectPublisher() {
        turn()
        let index = random.below(publishers.count)
        harness.close(publishers[index])
        publishers[index] = harness.connect(
            .publisher,
            "producer-\(index)",
            slot: publishers[index]
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
        if isWritable { harness.router.drained(slot) } else { harness.router.filled(slot) }
        model.sessions[session]!.isWritable = isWritable
    }

    // MARK: - Turns

    private mutating func turn() {
        let sent = harness.step()
        history += sent
        for frame in sent where problem == nil { problem = check(frame) }
        if problem != nil { return }
        if !model.due.isEmpty { problem = "\(model.due) was due and not sent" }
        if !(model.expectedFailures + malformed).isEmpty {
            problem = "\(model.expectedFailures + malformed) should have been ended"
        }
        if let (slot, count) = matched.first(where: { $0.value > 0 }) {
            problem = "publisher \(slot) was not told of \(count) matches"
        }
    }

    private mutating func check(_ frame: SentFrame) -> String? {
        switch frame {
        case .reload(let reload):
            reloadCount += 1
            lastReloads.append(reload)
            if lastReloads.count > 20 { lastReloads.removeFirst() }
            return model.sent(reload)
        case .ack(let slot, let seq, let count):
            guard let index = publishers.firstIndex(of: slot) else { return nil }
            let expected = matched.removeValue(forKey: slot) ?? 0
            if seq != lastSeqs[index] || count != expected {
                return "\(frame) should say \(lastSeqs[index]) and \(expected)"
            }
            return nil
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
        case .welcome:
            return nil
        case .ping, .pong, .reject, .scheduled, .goaway, .fail:
            return "\(frame) was not to be expected"
        }
    }
}
