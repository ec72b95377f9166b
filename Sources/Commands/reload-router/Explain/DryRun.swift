import AdminAPI
import Basics
import CommandSupport
import FrameCodec
import RouterCore

/// A router in virtual time, with the devices of a file: `explain` asks it where no router runs.
///
///     a day before        now                  until 25 h after the last push
///     ├─ past reloads ────┼─ state ─ pushes ───┼─ … ──────────────────────────►
struct DryRun: ~Copyable {
    /// How long the router runs on after the last push: until then, all of every budget is
    /// available again.
    static let horizon = Milliseconds.hours(25)
    /// How long before the first push the widgets were registered.
    private static let history = Milliseconds.days(1)

    /// The two connections, which are also indices of `lastSeqs`.
    private static let gateway = ConnectionSlot.first
    private static let publisher = ConnectionSlot(index: 1)

    private let app: String
    private let driver: VirtualRouter
    /// The last sequence number sent on each connection.
    private var lastSeqs: [UInt64] = [0, 0]
    /// What the file says of the devices, by their names. These are bytes, as in a router: Swift
    /// compares strings by canonical equivalence.
    private var known: [[UInt8]: KnownState] = [:]
    /// What the router has decided since the first push.
    private(set) var story: DryRunStory

    /// Makes a router with one app, and plays the past day of the devices in a file, which has one
    /// WIDGETS body on each line. `now` is when the first push comes.
    ///
    /// - Throws: `SettingsProblem` with the line if a router would refuse it.
    init(_ app: AppDeclaration, widgets file: String, now: WallTime) throws {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        // The trace has all decisions.
        limits.decisionsPerDevice = 0
        self.app = app.app
        story = DryRunStory(app: app.app)
        driver = VirtualRouter(
            AppCatalog(apps: [app]),
            limits: limits,
            seed: 0,
            now: Instant(monotonic: MonotonicTime(rawValue: 1_000), wall: now - Self.history)
        )
        for (connection, role, name) in [
            (Self.gateway, Peer.gateway, nil), (Self.publisher, Peer.publisher, "explain"),
        ] {
            driver.open(
                connection,
                with: HelloMessage(role: role, app: app.app, token: nil, name: name)
            )
        }
        try register(file, kinds: Set(app.kinds.map(\.kind)))
        try playPast(until: now)
        driver.router.isTracing = true
    }

    func state(of device: String) -> KnownState? { known[Array(device.utf8)] }

    /// The `Instant` at a date: the times that both clocks then show.
    func instant(_ wall: WallTime) -> Instant { driver.instant(wall: wall) }

    // MARK: - The past

    /// Sends the widgets of each line: those of a later line replace the device's earlier ones.
    private mutating func register(_ file: String, kinds: Set<String>) throws {
        var check = WidgetsCheck(kinds: kinds)
        var lines = try LineReader(file)
        while let line = try lines.nextNonBlank() {
            try line.bytes.withByteView { body in
                let location = "\(file): line \(line.number)"
                if let problem = check.problem(in: body) {
                    let column = problem.column.map { ", column \($0)" } ?? ""
                    throw SettingsProblem("\(location)\(column): \(problem.message)")
                }
                let message = try WidgetsMessage(body)
                known[Array(message.device.string.utf8)] = try KnownState(body, message: message)
                do throws(SettingsProblem) {
                    try send(.widgets, body: body.array, on: Self.gateway)
                } catch {
                    throw SettingsProblem("\(location): \(error)")
                }
            }
        }
    }

    /// Plays the reloads that the file states, and puts the devices into the states that it states.
    private mutating func playPast(until now: WallTime) throws {
        let names = known.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var past: [(device: [UInt8], reload: KnownState.Reload)] = []
        for name in names { past += (known[name]?.reloads ?? []).map { (name, $0) } }
        past.sort { $0.reload.age > $1.reload.age }
        for (device, reload) in past {
            try advance(to: now - reload.age)
            // A timeline that WidgetKit made by itself, and that asks for no reload.
            let timeline = TimelineMessage.encode(
                device: String(decoding: device, as: UTF8.self),
                widget: reload.widget,
                reload: nil,
                because: .date,
                entries: [],
                policy: .never
            )
            try send(.timeline, body: timeline, on: Self.gateway)
        }
        try advance(to: now)
        for state in names.compactMap({ known[$0]?.stateBody }) {
            try send(.state, body: state, on: Self.gateway)
        }
    }

    // MARK: - Pushes

    /// The router's answer to the question what a push would lead to now. If `isWhole`, all widgets
    /// are examined for near misses, and not only as many as a router that serves can afford.
    ///
    /// - Throws: `ProtocolError` if the router refuses the push, or does not know a name.
    func explain(_ request: ExplainRequest, isWhole: Bool) throws -> JSONValue {
        let work = try driver.router.beginExplaining(
            app: request.app,
            payload: request.payload,
            kinds: request.kinds,
            isUrgent: request.isUrgent,
            device: request.device,
            kind: request.kind,
            limit: request.limit,
            near: request.near,
            now: driver.now
        )
        if isWhole { work.examineAll() }
        while !driver.router.resume(work) {}
        return try JSONValue(ObjectBody.explanation(work.explanation, hints: []).json)
    }

    mutating func push(_ request: ExplainRequest) throws(SettingsProblem) {
        let names = request.kinds.flatMap { KindNames.encode($0) }
        let (flags, prefix) = PushFrame.prefix(expiresAt: nil, kinds: names)
        try send(
            .push,
            body: prefix + request.payload,
            flags: flags | (request.isUrgent ? PushFlags.urgent : 0),
            on: Self.publisher
        )
    }

    /// Lets the time of `horizon` pass.
    mutating func finish() throws(SettingsProblem) {
        try advance(to: driver.now.wall + Self.horizon)
    }

    /// Advances to a wall time, stepping the router wherever one of its timers is due on the way.
    mutating func advance(to wall: WallTime) throws(SettingsProblem) {
        while driver.advanceToWakeUp(before: wall) { try driver.settle(to: &story) }
        driver.advance(max(wall - driver.now.wall, .zero))
        try driver.settle(to: &story)
    }

    private mutating func send(
        _ type: FrameType,
        body: [UInt8],
        flags: UInt8 = 0,
        on connection: ConnectionSlot
    ) throws(SettingsProblem) {
        lastSeqs[connection.index] += 1
        let seq = lastSeqs[connection.index]
        let frame = encodeFrame(type, flags: flags, seq: seq, body: body)
        let count = driver.receive(frame, on: connection)
        precondition(count == frame.count, "a router at rest takes whole frames")
        try driver.settle(to: &story)
    }
}
