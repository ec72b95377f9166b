import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport

/// Random devices, pushes, timelines, states, app files and clocks; what the router sends is judged
/// by what must hold whatever the policies are.
final class SchedulingSimulation {
    static let kindCount = 4
    private static let characters = ["kit", "otter"]
    private static let widgetNames = ["u", "v", "w", "x"]

    let harness: SchedulingHarness
    var random: SeededGenerator
    private(set) var devices: [ModelDevice]
    private let losesInputs: Bool
    private let isOperated: Bool
    private(set) var pauseCount = 0
    private(set) var slotCount = 0

    func notePause() { pauseCount += 1 }
    func noteSlots() { slotCount += 1 }
    private(set) var problem: String?
    private(set) var acts = 0
    private(set) var history: [String] = []
    /// The latest date that there has been: the wall clock jumps back, too.
    private var latestWall = Int64.min
    private var bounds = [ModelBounds](repeating: ModelBounds(), count: kindCount)
    private var kinds: [KindDeclaration] = []

    /// - Parameters:
    ///   - seed: of everything.
    ///   - keepsJournal: whether a twin follows what happens.
    ///   - store: what keeps it, if the process ends and begins again from there.
    ///   - losesInputs: whether the store may lose inputs: then devices and router are of different
    ///     opinions, and only what the router thinks is judged.
    ///   - isOperated: whether an operator pauses the app now and then, and asks for places.
    init(
        seed: UInt64,
        keepsJournal: Bool = false,
        store: ((RouterLimits) -> any RouterStore)? = nil,
        losesInputs: Bool = false,
        isOperated: Bool = false
    ) {
        self.losesInputs = losesInputs
        self.isOperated = isOperated
        random = SeededGenerator(seed: seed)
        let (kinds, origins) = Self.declarations(&random)
        harness = SchedulingHarness(
            kinds,
            origins: origins,
            keepsJournal: keepsJournal,
            store: store
        ) { limits in
            // Every other time pushes are matched in portions, and their records end in between.
            if seed.isMultiple(of: 2) {
                limits.matchesPerStep = 2
                limits.journalRecord = 40
            }
        }
        devices = (0..<6).map { ModelDevice(name: "d\($0)") }
        adopt(kinds)
        harness.onReload = { [unowned self] in judge($0) }
    }

    private func adopt(_ kinds: [KindDeclaration]) {
        self.kinds = kinds
        for (kind, declaration) in kinds.enumerated() { bounds[kind].add(declaration.policy) }
    }

    // MARK: - Acts

    func act() {
        acts += 1
        // One that has just begun again may have to end a fan-out before it takes frames.
        if harness.router.router.isBusy { _ = harness.settle() }
        if isOperated { operate() }
        switch random.below(100) {
        case 0..<30: push()
        case 30..<45: timeline()
        case 45..<55: state()
        case 55..<62: request()
        case 62..<70: toggleSession()
        case 70..<76: register()
        case 76..<78: install()
        case 78..<80: jump()
        case 80..<84: toggleOutput()
        default: pass(random.pick([1, 500, 3_000, 40_000, 400_000, 4_000_000, 40_000_000]))
        }
        _ = harness.settle()
        verify()
        if harness.router.store != nil && random.below(25) == 0 { restart() }
    }

    func fail(_ text: String, isOfModel: Bool = false) {
        if isOfModel && losesInputs { return }
        if problem == nil { problem = text }
    }

    private func pass(_ longest: Int) {
        _ = harness.run(until: harness.time + 1 + Int64(random.below(longest)))
    }

    private func push() {
        // Its connection is not read from.
        if isPaused { return }
        // Nor while what it has sent to the process before is handed out.
        if harness.router.router.isPaused(harness.publisher) { _ = harness.settle() }
        let character = random.pick(Self.characters)
        let value = random.below(3) == 0 ? nil : random.below(3)
        let flags: UInt8 = random.below(6) == 0 ? PushFlags.urgent : 0
        let wait: Int64? = random.below(4) == 0 ? Int64(random.below(600_000)) - 1_000 : nil
        let version = random.below(3) == 0 ? nil : random.below(12)
        let member =
            (value.map { #","hp":\#($0)"# } ?? "") + (version.map { #","version":\#($0)"# } ?? "")
        let expiresAt = wait.map {
            harness.router.now.wall.rawValue + $0 - harness.start.wall.rawValue
        }
        for index in devices.indices {
            for name in devices[index].names {
                let widget = devices[index].widgets[name]!
                let isPushed = widget.characters.contains(character) && wait.map { $0 > 0 } ?? true
                devices[index].widgets[name]!.isPushed = isPushed
                if !isPushed { continue }
                devices[index].widgets[name]!.hasCause = true
                let isChange = devices[index].widgets[name]!.take(
                    character,
                    value: value,
                    version: version,
                    policy: kinds[widget.kind].policy
                )
                if isChange && wait == nil { devices[index].widgets[name]!.isPending = true }
            }
        }
        harness.push(
            #"{"character":"\#(character)"\#(member)}"#,
            flags: flags,
            expiresAt: expiresAt
        )
    }

    /// A device that has a session, and widgets.
    private func present() -> Int? {
        let there = devices.indices.filter {
            devices[$0].slot != nil && !devices[$0].widgets.isEmpty && !devices[$0].isFull
        }
        return there.isEmpty ? nil : random.pick(there)
    }

    private func timeline() {
        guard let index = present(), let slot = devices[index].slot else { return }
        let name = random.pick(devices[index].names)
        let widget = devices[index].widgets[name]!
        let answers = widget.isUnanswered && random.below(4) > 0
        let offset = Int64(random.below(3_000_000)) - 10_000
        let date = harness.router.now.wall.rawValue + offset
        let policy = random.pick([#""never""#, #""atEnd""#, #"{"after":\#(date)}"#])
        let ownTimer = random.below(4) == 0
        harness.router.timeline(
            slot,
            devices[index].name,
            name,
            reload: answers ? widget.lastReload : nil,
            entries: [date],
            policy: policy,
            because: answers
                ? nil
                : random.pick([nil, "intent", "locale", "accessibility", "date", "request"]),
            ownTimer: ownTimer
        )
        if answers { devices[index].widgets[name]!.isUnanswered = false }
        // A reload for the former date may wait for the budget.
        if widget.hasDate(by: harness.router.now.wall.rawValue) {
            devices[index].widgets[name]!.hasCause = true
        }
        let isNever = policy == #""never""# || ownTimer
        devices[index].widgets[name]!.date = isNever ? nil : date
        let keepsTime = ownTimer && policy != #""never""#
        devices[index].widgets[name]!.ownDate = keepsTime ? date : nil
    }

    private func state() {
        guard let index = present(), let slot = devices[index].slot else { return }
        var members: [String] = []
        if random.below(2) == 0 {
            let shown = devices[index].names.filter { _ in random.below(2) == 0 }
            members.append(#""visible":[\#(shown.map { "\"\($0)\"" }.joined(separator: ","))]"#)
            latestWall = max(latestWall, harness.router.now.wall.rawValue)
            for name in shown {
                // Behind, if its own timer has run out; it reloads if it was not in sight before.
                guard let date = devices[index].widgets[name]!.ownDate else { continue }
                if date <= latestWall { devices[index].widgets[name]!.hasCause = true }
            }
        }
        if random.below(3) == 0 {
            devices[index].isForeground = random.below(3) == 0
            members.append(#""foreground":\#(devices[index].isForeground)"#)
        }
        if random.below(4) == 0 {
            devices[index].hasMedia = random.below(3) == 0
            members.append(#""media":\#(devices[index].hasMedia ? #""audio""# : "null")"#)
        }
        if devices[index].isExempt { letGo(index) }
        if random.below(4) == 0 {
            members.append(#""location":"significant-change""#)
            for name in devices[index].names {
                let kind = devices[index].widgets[name]!.kind
                if !kinds[kind].policy.usesLocation { continue }
                devices[index].widgets[name]!.hasCause = true
                devices[index].widgets[name]!.isPending = true
                devices[index].widgets[name]!.mayBeFree = true
            }
        }
        if members.isEmpty { return }
        harness.state(slot, devices[index].name, members.joined(separator: ","))
    }

    /// What waits on a device is free now, and may be sent later.
    private func letGo(_ index: Int) {
        for name in devices[index].names { devices[index].widgets[name]!.mayBeFree = true }
    }

    private func request() {
        guard let index = present(), let slot = devices[index].slot else { return }
        let kind = random.below(2) == 0 ? nil : random.below(Self.kindCount)
        let isDownload = random.below(3) == 0
        for name in devices[index].names {
            if kind != nil && devices[index].widgets[name]!.kind != kind { continue }
            devices[index].widgets[name]!.hasCause = true
            devices[index].widgets[name]!.isPending = true
            if isDownload { devices[index].widgets[name]!.mayBeFree = true }
        }
        harness.router.request(
            slot,
            devices[index].name,
            kind: kind.map { "k\($0)" },
            because: isDownload ? "download" : nil
        )
    }

    // MARK: - Sessions and widgets

    private func toggleSession() {
        let index = random.below(devices.count)
        if devices[index].slot == nil { connect(index) } else { disconnect(index) }
    }

    private func connect(_ index: Int) {
        // The RELOADs of the session's begin come with the next step.
        for name in devices[index].names where devices[index].widgets[name]!.isUnanswered {
            devices[index].widgets[name]!.hasCause = true
            devices[index].widgets[name]!.mayBeFree = true
        }
        devices[index].slot = harness.router.connect(.device, devices[index].name)
    }

    private func disconnect(_ index: Int) {
        harness.router.close(devices[index].slot!)
        devices[index].slot = nil
        devices[index].isFull = false
    }

    private func toggleOutput() {
        guard
            let index = devices.indices.filter({ devices[$0].slot != nil }).randomElement(
                using: &random
            )
        else { return }
        devices[index].isFull.toggle()
        if devices[index].isFull {
            harness.router.router.outputFilled(devices[index].slot!)
        } else {
            harness.router.router.outputDrained(devices[index].slot!)
        }
    }

    /// The process ends and another one goes on from the store.
    private func restart() {
        for index in devices.indices {
            devices[index].slot = nil
            devices[index].isFull = false
        }
        do {
            try harness.restart(keepsAll: !losesInputs)
        } catch {
            fail("after a restart: \(error)")
        }
    }

    private func register() {
        let index = random.below(devices.count)
        guard let slot = devices[index].slot, !devices[index].isFull else { return }
        var widgets: [String: ModelWidget] = [:]
        if devices[index].widgets.isEmpty {
            // A device that is stored anew is in the foreground only when it says so.
            devices[index].isForeground = false
            devices[index].hasMedia = false
        }
        for name in Self.widgetNames where random.below(3) > 0 {
            var widget = ModelWidget(
                kind: random.below(Self.kindCount),
                characters: random.pick([["kit"], ["otter"], Self.characters])
            )
            if var old = devices[index].widgets[name] {
                // A reload for a date that has passed may wait for the budget.
                if old.hasDate(by: harness.router.now.wall.rawValue) { old.hasCause = true }
                if random.below(3) > 0 {
                    widget = old
                } else {
                    widget = old.edited(to: widget)
                }
            }
            widgets[name] = widget
        }
        let edited = editedNames(
            from: devices[index].widgets.mapValues(\.kind),
            to: widgets.mapValues(\.kind)
        )
        for (former, name) in edited {
            var old = devices[index].widgets[former]!
            if old.hasDate(by: harness.router.now.wall.rawValue) { old.hasCause = true }
            widgets[name] = old.edited(to: widgets[name]!)
        }
        devices[index].widgets = widgets
        let list = widgets.keys.sorted().map { name in
            TestWidget(
                name,
                "k\(widgets[name]!.kind)",
                #"{"character":\#(widgets[name]!.characters)}"#
            )
        }
        harness.router.widgets(slot, devices[index].name, list)
    }

    private func install() {
        let (kinds, origins) = Self.declarations(&random)
        // Other fields are none that the widgets are known to have shown.
        for index in devices.indices {
            for name in devices[index].names {
                let kind = devices[index].widgets[name]!.kind
                let (new, old) = (kinds[kind].policy, self.kinds[kind].policy)
                if new.observes != old.observes || new.inlines != old.inlines
                    || new.newest != old.newest
                {
                    devices[index].widgets[name]!.forgetShown()
                }
            }
        }
        adopt(kinds)
        harness.router.install(.of(kinds, origins))
    }

    private func jump() {
        let wall = harness.router.now.wall.rawValue
        latestWall = max(latestWall, wall)
        for index in devices.indices {
            // A date that has come stays so, also if the clock is set back while its reload waits.
            for name in devices[index].names where devices[index].widgets[name]!.hasDate(by: wall) {
                devices[index].widgets[name]!.hasCause = true
            }
        }
        harness.router.now.wall += Milliseconds(random.below(8_000_000) - 4_000_000)
    }

    // MARK: - Judging

    private func judge(_ reload: SentReload) {
        history.append("\(harness.time) \(reload)")
        guard let index = devices.firstIndex(where: { $0.name == reload.device }),
            devices[index].slot == reload.slot, !devices[index].isFull
        else {
            return fail("\(reload) is for a session that is not there, or full", isOfModel: true)
        }
        let now = harness.router.now
        var keepsApart: Set<Int> = []
        var isKept: Set<Int> = []
        for name in reload.widgets {
            guard let widget = devices[index].widgets[name] else {
                fail("\(reload) names \(name)", isOfModel: true)
                continue
            }
            if !widget.hasCause && !widget.hasDate(by: now.wall.rawValue) {
                let why =
                    harness.router.router.decisions(ofDevice: reload.device, app: "game") ?? []
                fail(
                    "\(reload) at \(harness.time): \(name) has no cause, or is before its date "
                        + "\(widget.date ?? 0); \(why.suffix(8))",
                    isOfModel: true
                )
            }
            let isFree = devices[index].isExempt || widget.mayBeFree
            keepsApart.insert(widget.kind)
            let distance = widget.lastSent.map { now.monotonic.rawValue - $0 } ?? .max
            if isFree || distance >= bounds[widget.kind].spacing { isKept.insert(widget.kind) }
            if !isFree { pay(index, name, now.monotonic.rawValue) }
            if !widget.hasCause { devices[index].widgets[name]!.date = nil }
            // It may have been sent for something else, before the portion of the push with this
            // widget.
            devices[index].widgets[name]!.hasCause =
                widget.isPushed && harness.router.router.isFanningOut
            devices[index].widgets[name]!.isPending = false
            devices[index].widgets[name]!.mayBeFree = devices[index].isExempt
            devices[index].widgets[name]!.lastSent = now.monotonic.rawValue
            devices[index].widgets[name]!.lastReload = reload.seq
            devices[index].widgets[name]!.isUnanswered = true
        }
        for kind in keepsApart.subtracting(isKept) {
            fail(
                "\(reload) at \(harness.time): no widget of k\(kind) has kept its spacing",
                isOfModel: true
            )
        }
    }

    private func pay(_ index: Int, _ name: String, _ now: Int64) {
        var widget = devices[index].widgets[name]!
        widget.paid.removeAll { $0 <= now - day }
        widget.paid.append(now)
        devices[index].widgets[name] = widget
        guard let allowance = bounds[widget.kind].allowance, widget.paid.count > allowance else {
            return
        }
        fail(
            "\(devices[index].name) \(name) has reloaded \(widget.paid.count) times in a day",
            isOfModel: true
        )
    }

    /// Lets everything come to rest: all devices there, in the foreground, and able to take output.
    func rest() {
        resume()
        for index in devices.indices {
            if devices[index].slot == nil { connect(index) }
            if devices[index].isFull { harness.router.router.outputDrained(devices[index].slot!) }
            devices[index].isFull = false
            if devices[index].widgets.isEmpty { continue }
            devices[index].isForeground = true
            letGo(index)
            harness.state(devices[index].slot!, devices[index].name, #""foreground":true"#)
        }
        _ = harness.run(until: harness.time + 30 * hour)
        verify()
        verifyRest()
        for device in devices {
            for name in device.names where device.widgets[name]!.isPending {
                fail("\(device.name) \(name) is owed a reload at the end", isOfModel: true)
            }
        }
    }
}
