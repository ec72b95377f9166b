internal import DataStructures
internal import FrameCodec
internal import RouterCore

/// The activities of devices and their owners.
///
/// Each chain of events (the network, views, sessions of the app, changes) draws from the device's
/// random stream, in an order that no RELOAD changes. So runs in different modes simulate the same
/// day.
extension Simulation {
    /// Schedules the first events of a device.
    mutating func beginLife(_ device: UInt32) {
        let connect = draw(device, 0...SimulatedTime.warmUp * 9 / 10)
        schedule(.connect, device, after: connect)
        scheduleNext(.view, device)
        scheduleNext(.open, device)
        scheduleNext(.change, device)
    }

    private mutating func draw(_ device: UInt32, _ range: ClosedRange<Int64>) -> Int64 {
        fleet.devices[Int(device)].random.within(range)
    }

    private mutating func scheduleNext(_ what: SimulationEvent.What, _ device: UInt32) {
        let perDay: Int64 =
            switch what {
            case .view: fleet.devices[Int(device)].eyes.perDay
            case .open: 150
            default: 120
            }
        if perDay == 0 { return }
        let wall = wall
        let next = DayCurve.next(
            after: wall,
            perDay: perDay,
            &fleet.devices[Int(device)].random
        )
        schedule(what, device, after: next - wall)
    }

    // MARK: - The network

    /// Connects a device, which stays connected for some hours.
    mutating func connect(_ device: UInt32) throws(Violation) {
        let index = Int(device)
        try settle()
        fleet.devices[index].connection &+= 1
        fleet.devices[index].seq = 0
        fleet.devices[index].unacknowledged = 0
        fleet.devices[index].set(SimulatedDevice.online, true)
        record.work.connections += 1
        checker.connected(fleet.widgetNumbers(device))
        driver.open(device)
        frames.clear()
        frames.appendHello(device: device)
        try send(device)
        schedule(
            .disconnect,
            device,
            after: draw(device, 2 * SimulatedTime.hour...10 * SimulatedTime.hour),
            extra: UInt32(fleet.devices[index].connection)
        )
        if hasNews(device) { schedule(.announce, device, after: 100) }
    }

    /// True if the device has something to report to the router.
    private func hasNews(_ device: UInt32) -> Bool {
        let record = fleet.devices[Int(device)]
        let told = SimulatedDevice.dirty | SimulatedDevice.sightTold | SimulatedDevice.mediaTold
        if record.flags & told != 0 { return true }
        if record.has(SimulatedDevice.front) != record.has(SimulatedDevice.frontTold) {
            return true
        }
        return fleet.widgetNumbers(device).contains {
            fleet.widgets[Int($0)].has(SimulatedWidget.new)
        }
    }

    /// Disconnects a device, mostly for a moment, at times for hours.
    mutating func disconnect(_ device: UInt32, connection: UInt32) {
        let record = fleet.devices[Int(device)]
        guard record.has(SimulatedDevice.online), UInt32(record.connection) == connection else {
            return
        }
        let isShort = draw(device, 0...4) != 0
        let away =
            isShort
            ? 30 * SimulatedTime.second...5 * SimulatedTime.minute
            : SimulatedTime.hour / 2...3 * SimulatedTime.hour
        leaveNetwork(device, for: draw(device, away))
    }

    private mutating func leaveNetwork(_ device: UInt32, for away: Int64) {
        driver.close(device)
        fleet.devices[Int(device)].set(SimulatedDevice.online, false)
        schedule(.connect, device, after: away)
    }

    /// Simulates a partial failure of the network: one device in twenty loses its connection, and
    /// is back within a minute.
    mutating func outage() {
        for device in 0..<UInt32(options.devices) {
            let hash = SplitMix64.mixed(options.seed &+ UInt64(device) << 20 ^ UInt64(wall))
            if hash % 20 != 0 || !isOnline(device) { continue }
            leaveNetwork(device, for: 5_000 + Int64(hash >> 32) % 55_000)
        }
    }

    private func isOnline(_ device: UInt32) -> Bool {
        fleet.devices[Int(device)].has(SimulatedDevice.online)
    }

    /// True if the router can accept frames about the device's widgets now.
    private func isHeard(_ device: UInt32) -> Bool {
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
            tellWidgets(device)
            count += 1
        }
        let record = fleet.devices[Int(device)]
        let isFront = record.has(SimulatedDevice.front)
        let isStale =
            isFront != record.has(SimulatedDevice.frontTold)
            || record.flags & (SimulatedDevice.sightTold | SimulatedDevice.mediaTold) != 0
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

    private mutating func tellWidgets(_ device: UInt32) {
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
            frames.append(record.kind.family, record.topic)
            frames.append("}}")
        }
        frames.append("]}")
        frames.end(.widgets, seq: nextSeq(device))
        fleet.devices[Int(device)].set(SimulatedDevice.dirty, false)
    }

    /// The sequence number for the next frame of a device.
    mutating func nextSeq(_ device: UInt32) -> UInt64 {
        fleet.devices[Int(device)].seq += 1
        return UInt64(fleet.devices[Int(device)].seq)
    }

    // MARK: - STATE

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

    /// Ends a STATE; for nil, what was reported before still holds.
    private mutating func endState(
        _ device: UInt32,
        front: Bool? = nil,
        sight: Bool? = nil,
        media: Bool? = nil
    ) {
        frames.end(.state, seq: nextSeq(device))
        var record = fleet.devices[Int(device)]
        if let front { record.set(SimulatedDevice.frontTold, front) }
        if let sight { record.set(SimulatedDevice.sightTold, sight) }
        if let media { record.set(SimulatedDevice.mediaTold, media) }
        fleet.devices[Int(device)] = record
        checker.isFree(
            device,
            front: record.has(SimulatedDevice.frontTold),
            media: record.has(SimulatedDevice.mediaTold)
        )
    }

    /// The owner looks at a page of the home screen.
    mutating func view(_ device: UInt32) throws(Violation) {
        scheduleNext(.view, device)
        let turned = draw(device, 0...9)
        let page: UInt8 = turned < 6 ? 0 : turned < 9 ? 1 : 2
        let length = draw(device, 5_000...30_000)
        if !isHeard(device) { return }
        try beginStateAlone(device)
        frames.append(",\"visible\":[")
        let range = fleet.widgetNumbers(device)
        var isFirst = true
        for widget in range {
            let seen = fleet.widgets[Int(widget)]
            guard seen.page <= page, seen.has(SimulatedWidget.placed) else { continue }
            fleet.widgets[Int(widget)].views += 1
            checker.seen(widget, at: now)
            frames.append(isFirst ? "\"w" : ",\"w")
            isFirst = false
            frames.append(Int64(widget - range.lowerBound))
            frames.append("\"")
        }
        frames.append("]}")
        endState(device, sight: true)
        try send(device)
        self.record.work.views += 1
        schedule(.viewEnd, device, after: length)
    }

    /// The owner turns the screen off.
    mutating func endView(_ device: UInt32) throws(Violation) {
        let record = fleet.devices[Int(device)]
        if !isHeard(device) || !record.has(SimulatedDevice.sightTold) { return }
        try beginStateAlone(device)
        frames.append(",\"visible\":[]}")
        endState(device, sight: false)
        try send(device)
    }

    /// The owner opens the app; at times it requests a reload of all widgets.
    mutating func open(_ device: UInt32) throws(Violation) {
        scheduleNext(.open, device)
        let length = draw(device, SimulatedTime.minute...10 * SimulatedTime.minute)
        let asks = draw(device, 0...9) == 0
        if fleet.devices[Int(device)].has(SimulatedDevice.front) { return }
        fleet.devices[Int(device)].set(SimulatedDevice.front, true)
        schedule(.leave, device, after: length)
        if !isHeard(device) { return }
        try beginStateAlone(device)
        frames.append(",\"foreground\":true}")
        endState(device, front: true)
        if asks { writeRequest(device, kind: nil) }
        try send(device, frames: asks ? 2 : 1)
    }

    /// The app goes to the background; at times it continues to play media.
    mutating func leave(_ device: UInt32) throws(Violation) {
        let plays = draw(device, 0...19) == 0
        fleet.devices[Int(device)].set(SimulatedDevice.front, false)
        if !isHeard(device) { return }
        try beginStateAlone(device)
        frames.append(",\"foreground\":false")
        frames.append(plays ? ",\"media\":\"audio\"}" : "}")
        endState(device, front: false, media: plays ? true : nil)
        try send(device)
        if plays { schedule(.mediaEnd, device, after: SimulatedTime.hour / 2) }
    }

    /// The device stops playing media.
    mutating func endMedia(_ device: UInt32) throws(Violation) {
        let record = fleet.devices[Int(device)]
        if !isHeard(device) || !record.has(SimulatedDevice.mediaTold) { return }
        try beginStateAlone(device)
        frames.append(",\"media\":null}")
        endState(device, media: false)
        try send(device)
    }

    // MARK: - Changes

    /// The device moves, the app requests a reload, or a widget is configured, removed or added.
    mutating func change(_ device: UInt32) throws(Violation) {
        scheduleNext(.change, device)
        let what = draw(device, 0...99)
        let range = fleet.widgetNumbers(device)
        let widget = UInt32(draw(device, Int64(range.lowerBound)...Int64(range.upperBound) - 1))
        switch what {
        case 0..<60: try move(device)
        case 60..<85:
            if !isHeard(device) { return }
            try settle()
            frames.clear()
            writeRequest(device, kind: fleet.widgets[Int(widget)].kind)
            try send(device)
        case 85..<95:
            let family = fleet.widgets[Int(widget)].kind.family
            let topic = world.widgetTopic(family, &fleet.devices[Int(device)].random)
            fleet.widgets[Int(widget)].topic = topic
            fleet.widgets[Int(widget)].set(SimulatedWidget.new, true)
            becomeDirty(device)
        default:
            let last = range.upperBound - 1
            if last == range.lowerBound { return }
            let isPlaced = fleet.widgets[Int(last)].has(SimulatedWidget.placed)
            fleet.widgets[Int(last)].set(SimulatedWidget.placed, !isPlaced)
            fleet.widgets[Int(last)].set(SimulatedWidget.new, !isPlaced)
            becomeDirty(device)
        }
    }

    private mutating func becomeDirty(_ device: UInt32) {
        fleet.devices[Int(device)].set(SimulatedDevice.dirty, true)
        if isOnline(device) { schedule(.announce, device, after: 100) }
    }

    private mutating func move(_ device: UInt32) throws(Violation) {
        let range = fleet.widgetNumbers(device)
        let isUsed = range.contains { fleet.widgets[Int($0)].kind == .weather }
        if !isUsed || !isHeard(device) { return }
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
