internal import Basics
internal import FrameCodec
internal import RouterCore

/// The activities of devices and their owners.
///
/// Each chain of events (connections, views, use of the app, changes) draws from the device's
/// random stream, in an order that no RELOAD changes. So runs in different modes simulate the same
/// day.
extension Simulation {
    /// Schedules the first events of a device.
    mutating func beginLife(_ device: UInt32) {
        let connect = draw(device, from: .zero...SimulatedTime.warmUp * 9 / 10)
        schedule(.connect, for: device, after: connect)
        scheduleNext(.view, for: device)
        scheduleNext(.open, for: device)
        scheduleNext(.change, for: device)
    }

    private mutating func draw(_ device: UInt32, from range: ClosedRange<Int64>) -> Int64 {
        fleet.devices[Int(device)].random.within(range)
    }

    private mutating func draw(
        _ device: UInt32,
        from range: ClosedRange<Milliseconds>
    ) -> Milliseconds {
        .milliseconds(draw(device, from: range.lowerBound.rawValue...range.upperBound.rawValue))
    }

    private mutating func scheduleNext(_ what: SimulationEvent.Kind, for device: UInt32) {
        let perDay: Int64 =
            switch what {
            case .view: fleet.devices[Int(device)].viewFrequency.perDay
            case .open: 150
            default: 120
            }
        if perDay == 0 { return }
        let wall = wall
        let next = DayCurve.next(
            after: wall,
            perDay: perDay,
            using: &fleet.devices[Int(device)].random
        )
        schedule(what, for: device, after: next - wall)
    }

    // MARK: - The network

    /// Connects a device, which stays connected for some hours.
    mutating func connect(_ device: UInt32) throws(Violation) {
        let index = Int(device)
        assert(!fleet.devices[index].isOnline, "the device has a connection")
        try settle()
        fleet.devices[index].connection += 1
        fleet.devices[index].seq = 0
        fleet.devices[index].isOnline = true
        record.work.connections += 1
        checker.connected(fleet.widgetNumbers(device))
        driver.open(ConnectionSlot(rawValue: device))
        let hello = HelloMessage(
            role: .device,
            app: World.app,
            token: nil,
            name: fleet.devices[index].model.name
        )
        try send(device, frame: encodeFrame(.hello, seq: 0, body: hello.encoded))
        schedule(
            .disconnect,
            for: device,
            after: draw(device, from: .hours(2)...(.hours(10))),
            extra: fleet.devices[index].connection
        )
        let hasNews =
            !fleet.devices[index].isRegistered || fleet.devices[index].hasUnsentState
            || fleet.widgetNumbers(device).contains { fleet.widgets[Int($0)].isUnreported }
        if hasNews { schedule(.announce, for: device, after: .milliseconds(100)) }
    }

    /// Disconnects a device, mostly for minutes, sometimes for hours. Does nothing if `connection`
    /// is not its current one.
    mutating func disconnect(_ device: UInt32, connection: UInt32) {
        let index = Int(device)
        guard fleet.devices[index].isOnline, fleet.devices[index].connection == connection else {
            return
        }
        let isShort = draw(device, from: 0...4) != 0
        let away: ClosedRange<Milliseconds> =
            isShort ? .seconds(30)...(.minutes(5)) : .minutes(30)...(.hours(3))
        leaveNetwork(device, for: draw(device, from: away))
    }

    private mutating func leaveNetwork(_ device: UInt32, for away: Milliseconds) {
        assert(
            fleet.devices[Int(device)].isOnline && away > .zero,
            "the device has no connection to lose"
        )
        driver.close(ConnectionSlot(rawValue: device))
        fleet.devices[Int(device)].isOnline = false
        schedule(.connect, for: device, after: away)
    }

    /// Simulates a partial failure of the network: one device in twenty loses its connection, and
    /// connects again after 5 to 60 s.
    mutating func outage() {
        for device in 0..<UInt32(options.devices) {
            let hash = SplitMix64.mixed(
                options.seed &+ UInt64(device) << 20 ^ UInt64(wall.rawValue)
            )
            if hash % 20 != 0 || !fleet.devices[Int(device)].isOnline { continue }
            leaveNetwork(device, for: .milliseconds(5_000 + Int64(hash >> 32) % 55_000))
        }
    }

    /// Reports what has changed on a device while the router did not hear of it.
    mutating func announce(_ device: UInt32) throws(Violation) {
        let index = Int(device)
        if !fleet.devices[index].isOnline { return }
        if !fleet.devices[index].hasBegun {
            fleet.devices[index].hasBegun = true
            try act(device) { $0.begin(at: $1, into: &$2) }
        }
        if !fleet.devices[index].isRegistered { try register(device) }
        if fleet.devices[index].hasUnsentState {
            try notify(fleet.devices[index].model.state, of: device)
        }
        for (position, widget) in fleet.widgetNumbers(device).enumerated()
        where fleet.widgets[Int(widget)].isUnreported {
            fleet.widgets[Int(widget)].isUnreported = false
            if fleet.widgets[Int(widget)].isRemoved { continue }
            try act(device) { $0.reloadByItself(position, now: $1, into: &$2) }
        }
    }

    // MARK: - The owner

    /// Lets the owner look at a page of the home screen, if the router can be reached.
    mutating func view(_ device: UInt32) throws(Violation) {
        scheduleNext(.view, for: device)
        let turned = draw(device, from: 0...9)
        let page = turned < 6 ? 0 : turned < 9 ? 1 : 2
        let length = draw(device, from: .seconds(5)...(.seconds(30)))
        if !fleet.devices[Int(device)].isKnown { return }
        record.work.views += 1
        try act(device) { $0.look(at: page, now: $1, into: &$2) }
        schedule(.viewEnd, for: device, after: length)
    }

    /// Lets the owner turn the screen off.
    mutating func endView(_ device: UInt32) throws(Violation) {
        try act(device) { $0.look(at: nil, now: $1, into: &$2) }
    }

    /// Lets the owner open the app, which sometimes requests a reload of all widgets.
    mutating func open(_ device: UInt32) throws(Violation) {
        scheduleNext(.open, for: device)
        let length = draw(device, from: .minutes(1)...(.minutes(10)))
        let asks = draw(device, from: 0...9) == 0
        if fleet.devices[Int(device)].model.isForeground { return }
        schedule(.leave, for: device, after: length)
        try act(device) { $0.setForeground(true, now: $1, into: &$2) }
        if asks { try request(nil, of: device) }
    }

    /// Moves the app to the background, where it sometimes continues to play media.
    mutating func leave(_ device: UInt32) throws(Violation) {
        let plays = draw(device, from: 0...19) == 0
        try act(device) { $0.setForeground(false, now: $1, into: &$2) }
        if !plays || !fleet.devices[Int(device)].isKnown { return }
        try act(device) { $0.setMedia(.audio, now: $1, into: &$2) }
        schedule(.mediaEnd, for: device, after: SimulatedTime.hour / 2)
    }

    /// Lets the device stop playing media.
    mutating func endMedia(_ device: UInt32) throws(Violation) {
        try act(device) { $0.setMedia(.silent, now: $1, into: &$2) }
    }

    /// Lets the app request a reload of a kind, or of all kinds.
    mutating func request(_ kind: World.Kind?, of device: UInt32) throws(Violation) {
        try act(device) { $0.request(kinds: [kind?.name], isDownload: false, into: &$2) }
    }

    /// Changes something on a device: it moves, its app requests a reload, or a widget is
    /// configured, removed or added.
    mutating func change(_ device: UInt32) throws(Violation) {
        scheduleNext(.change, for: device)
        let what = draw(device, from: 0...99)
        let range = fleet.widgetNumbers(device)
        let widget = UInt32(
            draw(device, from: Int64(range.lowerBound)...Int64(range.upperBound) - 1)
        )
        if !fleet.devices[Int(device)].hasBegun { return }
        switch what {
        case 0..<60:
            let isUsed = range.contains { fleet.widgets[Int($0)].kind == .weather }
            if !isUsed || !fleet.devices[Int(device)].isKnown { return }
            try act(device) { $0.move(&$2) }
        case 60..<85: try request(fleet.widgets[Int(widget)].kind, of: device)
        case 85..<95:
            let family = fleet.widgets[Int(widget)].kind.family
            fleet.widgets[Int(widget)].topic = world.widgetTopic(
                family,
                using: &fleet.devices[Int(device)].random
            )
            if !fleet.widgets[Int(widget)].isRemoved { try place(widget, on: device) }
        default:
            let last = range.upperBound - 1
            if last == range.lowerBound { return }
            fleet.widgets[Int(last)].isRemoved.toggle()
            if !fleet.widgets[Int(last)].isRemoved { return try place(last, on: device) }
            try act(device) { $0.remove(range.count - 1, into: &$2) }
        }
    }

    private mutating func place(_ widget: UInt32, on device: UInt32) throws(Violation) {
        let position = Int(widget - fleet.devices[Int(device)].firstWidget)
        try act(device) { $0.place(position, at: $1, into: &$2) }
    }
}
