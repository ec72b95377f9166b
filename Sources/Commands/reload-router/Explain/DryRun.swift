import CommandSupport
import DataStructures
import FrameCodec
import ReloadModel
import ReloadRouterClient
import ReloadScheduling
import RouterCore
import Times

/// A router in simulated time: shows what pushes lead to, without a server. `explain` runs it.
///
///     a day before        now                  until 25 h after the last push
///     ├─ past reloads ────┼─ state ─ pushes ───┼─ … ──────────────────────────►
///
/// It is the same router that `serve` runs, but only with the devices whose widgets the pushes
/// match. Other devices do not compete with them for the permits of an origin.
struct DryRun: ~Copyable {
    /// A push to simulate.
    struct Push {
        var payload: [UInt8]
        var isUrgent: Bool
        /// The kinds to which it is narrowed; nil for all.
        var kinds: [String]?
        /// When it happens.
        var at: WallTime
    }

    /// A widget that a RELOAD names, or that reloads along with those, and what the reload costs
    /// the widget's budget.
    struct Charge {
        var widget: WidgetID
        /// False for a sibling whose budget is spent: WidgetKit leaves it out.
        var reloads = true
        /// Reloads charged to its budget; 0 if they are free.
        var cost: Int
        /// The budget after the charge.
        var budget: WidgetBudget
    }

    /// A RELOAD that the router has sent.
    struct Reload {
        /// When it happens.
        var at: WallTime
        /// The widgets that it names.
        var widgets: [Charge]
        /// Other widgets of the same kinds on the device, which WidgetKit reloads along with them.
        var siblings: [Charge]
    }

    /// How long the router runs on after the last push.
    static let horizon = Milliseconds.hours(25)
    /// The most decisions that are kept for all devices together: 16 bytes each, 256 MiB.
    ///
    /// `decisions(on:using:)` throws if there were more: a story without its beginning would be
    /// wrong.
    private static let decisionLimit = 1 << 24
    /// How long before the first push the widgets were registered.
    private static let history = Milliseconds.days(1)

    /// The two connections, which are also indices of `lastSeqs`.
    private static let gateway = ConnectionSlot.first
    private static let publisher = ConnectionSlot(index: 1)

    private(set) var reloads: [Reload] = []
    /// When each push arrived.
    ///
    /// A push that is due in the same millisecond as a timer of the router arrives 1 ms later, so
    /// that the effects of the two can be distinguished.
    private(set) var pushTimes: [WallTime] = []
    /// True if a timer of the router was due at the very time to which the clock last advanced.
    private var hadTimer = false
    private let driver: VirtualRouter
    private let app: String
    /// Decisions kept for each device: one more than are reported, so that an overflow can be seen.
    private let decisionsPerDevice: Int
    /// The last sequence number sent on each connection.
    private var lastSeqs: [UInt64] = [0, 0]
    /// The budgets when the first push arrives.
    private(set) var initialBudgets: [WidgetID: WidgetBudget] = [:]
    /// The budgets when they were last read: a charge is the difference.
    private var budgets: [WidgetID: WidgetBudget] = [:]

    /// Makes a router with one app, whose clock stands a day before `now`.
    ///
    /// - Parameters:
    ///   - app: the app as its file declares it.
    ///   - now: when the first push arrives.
    ///   - devices: how many devices have widgets that the pushes match.
    ///   - decisions: how many decisions a device may have at most.
    init(app: AppDeclaration, now: WallTime, devices: Int, decisions: Int) {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        let share = max(Self.decisionLimit / max(devices, 1), 1)
        decisionsPerDevice = min(decisions + 1, share, DecisionLog.perDeviceLimit)
        limits.decisionsPerDevice = decisionsPerDevice
        driver = VirtualRouter(
            AppCatalog(apps: [app]),
            limits: limits,
            seed: 0,
            now: Instant(monotonic: MonotonicTime(rawValue: 1_000), wall: now - Self.history)
        )
        self.app = app.app
        for (connection, role, name) in [
            (Self.gateway, Peer.gateway, nil), (Self.publisher, Peer.publisher, "explain"),
        ] {
            driver.open(
                connection,
                with: HelloMessage(role: role, app: app.app, token: nil, name: name)
            )
        }
    }

    // MARK: - Running

    /// Replays the devices' past day, sends the pushes, and lets the time of `horizon` pass.
    ///
    /// - Throws: `SettingsProblem` if the router refuses a frame.
    mutating func run(
        _ pushes: [Push],
        devices: [RegisteredWidgets.Device],
        using registered: borrowing RegisteredWidgets
    ) throws {
        guard let first = pushes.first, let last = pushes.last else { return }
        assert(pushTimes.isEmpty && reloads.isEmpty, "a dry run is used only once")
        assert(first.at <= last.at, "the pushes are not in the order of their times")
        for device in devices { sendFromDevice(.widgets, body: device.body) }
        var past: [(device: String, reload: KnownState.Reload)] = []
        for device in devices { past += device.known.reloads.map { (device.name, $0) } }
        past.sort { $0.reload.age > $1.reload.age }
        for (device, reload) in past {
            try advance(to: first.at - reload.age, using: registered)
            // A timeline that WidgetKit made by itself, and that asks for no reload.
            let timeline = TimelineMessage.encode(
                device: device,
                widget: reload.widget,
                reload: nil,
                because: .date,
                entries: [],
                policy: .never
            )
            sendFromDevice(.timeline, body: timeline)
        }
        try advance(to: first.at, using: registered)
        for device in devices {
            if let state = device.known.stateBody { sendFromDevice(.state, body: state) }
            for widget in device.widgets { budgets[widget] = budget(widget, using: registered) }
        }
        initialBudgets = budgets
        for push in pushes {
            try advance(to: push.at, using: registered)
            if hadTimer { try advance(to: push.at + .milliseconds(1), using: registered) }
            pushTimes.append(driver.now.wall)
            let names = push.kinds.flatMap { KindNames.encode($0) }
            let (flags, prefix) = PushFrame.prefix(expiresAt: nil, kinds: names)
            send(
                Self.publisher,
                type: .push,
                body: prefix + push.payload,
                flags: flags | (push.isUrgent ? PushFlags.urgent : 0)
            )
            try step(registered)
        }
        try advance(to: last.at + Self.horizon, using: registered)
    }

    /// All decisions about a device's widgets since the first push except those with the reason
    /// `done`, oldest first.
    ///
    /// - Throws: `SettingsProblem` if there were more than are kept.
    func decisions(
        on device: String,
        using registered: borrowing RegisteredWidgets
    ) throws(SettingsProblem) -> [(widget: WidgetID, decision: Decision)] {
        let answers = driver.router.decisions(ofDevice: device, app: app) ?? []
        // The past reloads were recorded as `done`, before everything else. If the oldest decision
        // that is kept is one of them, only such decisions were dropped.
        if answers.count == decisionsPerDevice && answers[0].decision.reason != .done {
            throw SettingsProblem(
                "the device \(device) has more decisions than the \(decisionsPerDevice - 1) of a "
                    + "device that can be reported: give fewer pushes or fewer of its "
                    + "widgets"
            )
        }
        var found: [(widget: WidgetID, decision: Decision)] = []
        for answer in answers {
            guard answer.decision.reason != .done, let name = answer.widget,
                let widget = registered.number(of: name, on: device)
            else { continue }
            found.append((widget, answer.decision))
        }
        return found
    }

    /// The `Instant` at a date: the times that both clocks then show.
    func instant(_ wall: WallTime) -> Instant { driver.instant(wall: wall) }

    // MARK: - Time

    /// Advances to a wall time, stepping the router wherever one of its timers is due on the way.
    private mutating func advance(
        to wall: WallTime,
        using registered: borrowing RegisteredWidgets
    ) throws {
        while driver.advanceToWakeUp(before: wall) { try step(registered) }
        hadTimer = driver.nextWakeUp == wall
        driver.advance(max(wall - driver.now.wall, .zero))
        try step(registered)
    }

    /// Steps the router until it is at rest, and records the RELOADs that it sends.
    private mutating func step(_ registered: borrowing RegisteredWidgets) throws {
        repeat {
            var sent = SentReloads()
            try driver.step(to: &sent)
            while let reload = sent.reloads.first {
                let delivery = sent.reloads.prefix { $0.device == reload.device }
                record(delivery, using: registered)
                sent.reloads.removeFirst(delivery.count)
            }
        } while driver.router.needsStep
    }

    // MARK: - Frames

    private mutating func sendFromDevice(_ type: FrameType, body: [UInt8]) {
        send(Self.gateway, type: type, body: body)
    }

    private mutating func send(
        _ connection: ConnectionSlot,
        type: FrameType,
        body: [UInt8],
        flags: UInt8 = 0
    ) {
        lastSeqs[connection.index] += 1
        let seq = lastSeqs[connection.index]
        let frame = encodeFrame(type, flags: flags, seq: seq, body: body)
        let count = driver.receive(frame, on: connection)
        precondition(count == frame.count, "the router takes every frame between steps")
    }

    // MARK: - What it costs

    /// Records the RELOADs that one step sent to a device. A widget is charged once for all of
    /// them.
    private mutating func record(
        _ reloads: ArraySlice<ReloadEvent>,
        using registered: borrowing RegisteredWidgets
    ) {
        var reported: Set<WidgetID> = []
        var named: [[WidgetID]] = []
        for reload in reloads {
            named.append(
                reload.widgets.compactMap { registered.number(of: $0, on: reload.device) }
            )
            reported.formUnion(named[named.count - 1])
        }
        for widgets in named {
            guard let first = widgets.first else { continue }
            let device = registered.device(of: first)
            let kinds = Set(widgets.map { registered.widget($0).kind })
            let others = device.widgets.filter { other in
                kinds.contains(registered.widget(other).kind) && reported.insert(other).inserted
            }
            self.reloads.append(
                Reload(
                    at: driver.now.wall,
                    widgets: widgets.map { charge($0, using: registered) },
                    siblings: others.compactMap {
                        sibling($0, known: device.known, using: registered)
                    }
                )
            )
        }
    }

    /// The charge of a widget that no RELOAD names while others of its kind reload.
    ///
    /// - Returns: nil if the widget was not charged although its budget has room: a reload of its
    ///   own is pending, and the router sends that next.
    private mutating func sibling(
        _ widget: WidgetID,
        known: KnownState,
        using registered: borrowing RegisteredWidgets
    ) -> Charge? {
        var charge = charge(widget, using: registered)
        guard known.freeBecause == nil, charge.cost == 0,
            let allowance = charge.budget.allowance(at: driver.now)
        else { return charge }
        // Reloads of siblings may use all of the allowance, the reserve too.
        if charge.budget.used(at: driver.now) < allowance { return nil }
        charge.reloads = false
        return charge
    }

    /// Reads a widget's budget, and what it was charged since it was last read.
    private mutating func charge(
        _ widget: WidgetID,
        using registered: borrowing RegisteredWidgets
    ) -> Charge {
        let current = budget(widget, using: registered)
        let former = budgets.updateValue(current, forKey: widget) ?? current
        return Charge(
            widget: widget,
            cost: current.used(at: driver.now) - former.used(at: driver.now),
            budget: current
        )
    }

    private func budget(
        _ widget: WidgetID,
        using registered: borrowing RegisteredWidgets
    ) -> WidgetBudget {
        let name = registered.widget(widget)
        let found = driver.router.budget(ofWidget: name.id, device: name.device, app: app)
        guard let found else { preconditionFailure("the router has no widget \(name)") }
        return found
    }
}

/// Collects the RELOADs that one step sends, and throws at any frame that refuses something.
private struct SentReloads: VirtualPeers {
    var reloads: [ReloadEvent] = []

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) throws(SettingsProblem) {
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        switch frame.type {
        case .error, .reject:
            throw SettingsProblem("the router refuses: \(body.string)")
        case .reload:
            do throws(ProtocolError) {
                reloads.append(
                    try ReloadEvent(seq: bytes.bigEndian(UInt64.self, at: 8), reading: body)
                )
            } catch {
                throw SettingsProblem("the router's RELOAD is not valid: \(error.message)")
            }
        default: break
        }
    }
}
