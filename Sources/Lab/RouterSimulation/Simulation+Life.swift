internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import RouterCore
internal import Times

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
        assert(!isOnline(device), "the device has a connection")
        let index = Int(device)
        try settle()
        fleet.devices[index].connection &+= 1
        fleet.devices[index].seq = 0
        fleet.devices[index].set(SimulatedDevice.online, to: true)
        record.work.connections += 1
        checker.connected(fleet.widgetNumbers(device))
        driver.open(ConnectionSlot(rawValue: device))
        frames.clear()
        frames.appendHello(device: device)
        try send(device)
        schedule(
            .disconnect,
            for: device,
            after: draw(device, from: .hours(2)...(.hours(10))),
            extra: UInt32(fleet.devices[index].connection)
        )
        if hasNews(device) { schedule(.announce, for: device, after: .milliseconds(100)) }
    }

    /// Returns true if the device has changes to report to the router.
    private func hasNews(_ device: UInt32) -> Bool {
        let record = fleet.devices[Int(device)]
        let reported =
            SimulatedDevice.dirty | SimulatedDevice.sightReported | SimulatedDevice.mediaReported
        if record.flags & reported != 0 { return true }
        if record.has(SimulatedDevice.front) != record.has(SimulatedDevice.frontReported) {
            return true
        }
        return fleet.widgetNumbers(device).contains {
            fleet.widgets[Int($0)].has(SimulatedWidget.new)
        }
    }

    /// Disconnects a device, mostly for minutes, sometimes for hours. Does nothing if `connection`
    /// is not its current one.
    mutating func disconnect(_ device: UInt32, connection: UInt32) {
        let record = fleet.devices[Int(device)]
        guard record.has(SimulatedDevice.online), UInt32(record.connection) == connection else {
            return
        }
        let isShort = draw(device, from: 0...4) != 0
        let away: ClosedRange<Milliseconds> =
            isShort ? .seconds(30)...(.minutes(5)) : .minutes(30)...(.hours(3))
        leaveNetwork(device, for: draw(device, from: away))
    }

    private mutating func leaveNetwork(_ device: UInt32, for away: Milliseconds) {
        assert(isOnline(device) && away > .zero, "the device has no connection to lose")
        driver.close(ConnectionSlot(rawValue: device))
        fleet.devices[Int(device)].set(SimulatedDevice.online, to: false)
        schedule(.connect, for: device, after: away)
    }

    /// Simulates a partial failure of the network: one device in twenty loses its connection, and
    /// connects again after 5 to 60 s.
    mutating func outage() {
        for device in 0..<UInt32(options.devices) {
            let hash = SplitMix64.mixed(
                options.seed &+ UInt64(device) << 20 ^ UInt64(wall.rawValue)
            )
            if hash % 20 != 0 || !isOnline(device) { continue }
            leaveNetwork(device, for: .milliseconds(5_000 + Int64(hash >> 32) % 55_000))
        }
    }

    private func isOnline(_ device: UInt32) -> Bool {
        fleet.devices[Int(device)].has(SimulatedDevice.online)
    }

    /// Returns true if the device is online and the router knows its current widgets.
    private func isKnownToRouter(_ device: UInt32) -> Bool {
        isOnline(device) && !fleet.devices[Int(device)].has(SimulatedDevice.dirty)
    }

    // MARK: - Reports of a device that is back

    /// Sends what has changed on a device while it was offline: WIDGETS, and its STATE.
    mutating func announce(_ device: UInt32) throws(Violation) {
        if !isOnline(device) { return }
        try settle()
        frames.clear()
        var count: UInt64 = 0
        if fleet.devices[Int(device)].has(SimulatedDevice.dirty) {
            reportWidgets(device)
            count += 1
        }
        let record = fleet.devices[Int(device)]
        let isFront = record.has(SimulatedDevice.front)
        let isStale =
            isFront != record.has(SimulatedDevice.frontReported)
            || record.flags & (SimulatedDevice.sightReported | SimulatedDevice.mediaReported) != 0
        if isStale {
            beginState(device)
            frames.append(isFront ? ",\"foreground\":true" : ",\"foreground\":false")
            frames.append(",\"media\":null,\"visible\":[]}")
            endState(device, front: isFront, sight: false, media: false)
            count += 1
        }
        if count > 0 { try send(device, frames: count) }
        for widget in fleet.widgetNumbers(device)
        where fleet.widgets[Int(widget)].has(SimulatedWidget.new) {
            build(widget)
        }
    }

    private mutating func reportWidgets(_ device: UInt32) {
        frames.begin()
        frames.append("{\"device\":\"")
        frames.append(device: device)
        frames.append("\",\"widgets\":[")
        let range = fleet.widgetNumbers(device)
        var isFirst = true
        for widget in range {
            let record = fleet.widgets[Int(widget)]
            if !record.has(SimulatedWidget.placed) {
                checker.removed(widget)
                continue
            }
            checker.placed(
                widget,
                device: device,
                kind: record.kind.rawValue,
                topic: record.topic,
                at: now
            )
            if !isFirst { frames.append(",") }
            isFirst = false
            frames.append("{\"id\":\"w")
            frames.append(Int64(widget - range.lowerBound))
            frames.append("\",\"kind\":\"")
            frames.append(record.kind.name)
            frames.append("\",\"family\":\"systemSmall\",\"configuration\":{")
            frames.append(record.kind.family, topic: record.topic)
            frames.append("}}")
        }
        frames.append("]}")
        frames.end(.widgets, seq: nextSeq(device))
        fleet.devices[Int(device)].set(SimulatedDevice.dirty, to: false)
    }

    /// Returns the sequence number for the next frame of a device.
    mutating func nextSeq(_ device: UInt32) -> UInt64 {
        fleet.devices[Int(device)].seq += 1
        return UInt64(fleet.devices[Int(device)].seq)
    }

    // MARK: - STATE

    /// Begins a STATE of a device.
    private mutating func beginState(_ device: UInt32) {
        frames.begin()
        frames.append("{\"device\":\"")
        frames.append(device: device)
        frames.append("\"")
    }

    /// Begins a STATE that is sent alone, after the router has finished its fan-outs.
    private mutating func beginStateAlone(_ device: UInt32) throws(Violation) {
        try settle()
        frames.clear()
        beginState(device)
    }

    /// Ends a STATE, and records what it has reported: nil for what it does not mention.
    private mutating func endState(
        _ device: UInt32,
        front: Bool? = nil,
        sight: Bool? = nil,
        media: Bool? = nil
    ) {
        frames.end(.state, seq: nextSeq(device))
        var record = fleet.devices[Int(device)]
        if let front { record.set(SimulatedDevice.frontReported, to: front) }
        if let sight { record.set(SimulatedDevice.sightReported, to: sight) }
        if let media { record.set(SimulatedDevice.mediaReported, to: media) }
        fleet.devices[Int(device)] = record
        checker.recordState(
            device,
            front: record.has(SimulatedDevice.frontReported),
            media: record.has(SimulatedDevice.mediaReported)
        )
    }

    /// Lets the owner look at some pages of the home screen, if the router can be reached.
    mutating func view(_ device: UInt32) throws(Violation) {
        scheduleNext(.view, for: device)
        let turned = draw(device, from: 0...9)
        let page: UInt8 = turned < 6 ? 0 : turned < 9 ? 1 : 2
        let length = draw(device, from: .seconds(5)...(.seconds(30)))
        if !isKnownToRouter(device) { return }
        try beginStateAlone(device)
        frames.append(",\"visible\":[")
        let range = fleet.widgetNumbers(device)
        var isFirst = true
        for widget in range {
            let record = fleet.widgets[Int(widget)]
            guard record.page <= page, record.has(SimulatedWidget.placed) else { continue }
            fleet.widgets[Int(widget)].views += 1
            checker.viewed(widget, at: now)
            frames.append(isFirst ? "\"w" : ",\"w")
            isFirst = false
            frames.append(Int64(widget - range.lowerBound))
            frames.append("\"")
        }
        frames.append("]}")
        endState(device, sight: true)
        try send(device)
        self.record.work.views += 1
        schedule(.viewEnd, for: device, after: length)
    }

    /// Lets the owner turn the screen off.
    mutating func endView(_ device: UInt32) throws(Violation) {
        let record = fleet.devices[Int(device)]
        if !isKnownToRouter(device) || !record.has(SimulatedDevice.sightReported) { return }
        try beginStateAlone(device)
        frames.append(",\"visible\":[]}")
        endState(device, sight: false)
        try send(device)
    }

    /// Lets the owner open the app, which sometimes requests a reload of all widgets.
    mutating func open(_ device: UInt32) throws(Violation) {
        scheduleNext(.open, for: device)
        let length = draw(device, from: .minutes(1)...(.minutes(10)))
        let asks = draw(device, from: 0...9) == 0
        if fleet.devices[Int(device)].has(SimulatedDevice.front) { return }
        fleet.devices[Int(device)].set(SimulatedDevice.front, to: true)
        schedule(.leave, for: device, after: length)
        if !isKnownToRouter(device) { return }
        try beginStateAlone(device)
        frames.append(",\"foreground\":true}")
        endState(device, front: true)
        if asks { writeRequest(device, kind: nil) }
        try send(device, frames: asks ? 2 : 1)
    }

    /// Moves the app to the background, where it sometimes continues to play media.
    mutating func leave(_ device: UInt32) throws(Violation) {
        let plays = draw(device, from: 0...19) == 0
        fleet.devices[Int(device)].set(SimulatedDevice.front, to: false)
        if !isKnownToRouter(device) { return }
        try beginStateAlone(device)
        frames.append(",\"foreground\":false")
        frames.append(plays ? ",\"media\":\"audio\"}" : "}")
        endState(device, front: false, media: plays ? true : nil)
        try send(device)
        if plays { schedule(.mediaEnd, for: device, after: SimulatedTime.hour / 2) }
    }

    /// Lets the device stop playing media.
    mutating func endMedia(_ device: UInt32) throws(Violation) {
        let record = fleet.devices[Int(device)]
        if !isKnownToRouter(device) || !record.has(SimulatedDevice.mediaReported) { return }
        try beginStateAlone(device)
        frames.append(",\"media\":null}")
        endState(device, media: false)
        try send(device)
    }

    // MARK: - Changes

    /// Changes something on a device: it moves, its app requests a reload, or a widget is
    /// configured, removed or added.
    mutating func change(_ device: UInt32) throws(Violation) {
        scheduleNext(.change, for: device)
        let what = draw(device, from: 0...99)
        let range = fleet.widgetNumbers(device)
        let widget = UInt32(
            draw(device, from: Int64(range.lowerBound)...Int64(range.upperBound) - 1)
        )
        switch what {
        case 0..<60: try move(device)
        case 60..<85:
            if !isKnownToRouter(device) { return }
            try settle()
            frames.clear()
            writeRequest(device, kind: fleet.widgets[Int(widget)].kind)
            try send(device)
        case 85..<95:
            let family = fleet.widgets[Int(widget)].kind.family
            let topic = world.widgetTopic(family, using: &fleet.devices[Int(device)].random)
            fleet.widgets[Int(widget)].topic = topic
            fleet.widgets[Int(widget)].set(SimulatedWidget.new, to: true)
            becomeDirty(device)
        default:
            let last = range.upperBound - 1
            if last == range.lowerBound { return }
            let isPlaced = fleet.widgets[Int(last)].has(SimulatedWidget.placed)
            fleet.widgets[Int(last)].set(SimulatedWidget.placed, to: !isPlaced)
            fleet.widgets[Int(last)].set(SimulatedWidget.new, to: !isPlaced)
            becomeDirty(device)
        }
    }

    /// Marks a device's widgets as changed, and lets it report them if it is online.
    private mutating func becomeDirty(_ device: UInt32) {
        fleet.devices[Int(device)].set(SimulatedDevice.dirty, to: true)
        if isOnline(device) { schedule(.announce, for: device, after: .milliseconds(100)) }
    }

    /// Reports a significant change of location, if one of the device's widgets uses it.
    private mutating func move(_ device: UInt32) throws(Violation) {
        let range = fleet.widgetNumbers(device)
        let isUsed = range.contains { fleet.widgets[Int($0)].kind == .weather }
        if !isUsed || !isKnownToRouter(device) { return }
        try settle()
        for widget in range { checker.moved(widget) }
        frames.clear()
        beginState(device)
        frames.append(",\"location\":\"significant-change\"}")
        endState(device)
        try send(device)
    }

    /// Writes a REQUEST for a kind, or for all kinds.
    mutating func writeRequest(_ device: UInt32, kind: World.Kind?) {
        frames.begin()
        frames.append("{\"device\":\"")
        frames.append(device: device)
        if let kind {
            frames.append("\",\"kind\":\"")
            frames.append(kind.name)
        }
        frames.append("\"}")
        frames.end(.request, seq: nextSeq(device))
        for widget in fleet.widgetNumbers(device)
        where kind == nil || fleet.widgets[Int(widget)].kind == kind {
            checker.requested(widget)
        }
    }
}
