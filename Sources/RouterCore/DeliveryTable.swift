internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import WidgetMatching

/// Devices, widgets and connections, and which RELOADs are pending between them.
///
/// A RELOAD is contentless and idempotent, so what is pending is one bit per widget: it coalesces
/// instead of growing. Pending widgets hang in a chain on their device; a device with a chain is in
/// exactly one place:
///
///     offline             in no queue; looked at when a session for it begins
///     attached, writable  in `ready` (or `readyUrgent`), until the next step
///     attached, full      in its connection's `waiting` queue, until that drains
struct DeliveryTable: ~Copyable {
    /// What a push of the batch being matched has to say of its matches.
    struct PushOrigin: BitwiseCopyable {
        var isUrgent: Bool
        /// Whether the push was void when it arrived: it is judged like any other, and accepted.
        var isVoid: Bool
        var voidAt: Int64
    }

    var widgets = Slab<WidgetRecord>()
    var devices = Slab<DeviceRecord>()
    var deviceIndex = HashIndex()
    /// Device sessions by their device's id, whether or not widgets are stored for it.
    var deviceSessions = HashIndex()
    var names = ByteArena()
    var connections = Slab<ConnectionRecord>()
    var batch = PushBatch()
    /// By the `tag` of the push in the matcher's queue.
    var origins: ContiguousArray<PushOrigin> = []
    var ready = ReadyQueue()
    var readyUrgent = ReadyQueue()
    /// Devices with pending RELOADs, by the connection that is too full to take them.
    var waiting: [UInt32: ReadyQueue] = [:]
    let hashSeed: UInt64

    init(hashSeed: UInt64) {
        self.hashSeed = hashSeed
    }

    // MARK: - Matches

    /// Makes a RELOAD pending for each match of a batch, in three passes, so that the waits for
    /// widgets and for their devices overlap.
    mutating func take(_ matcher: borrowing WidgetMatcher) {
        let count = matcher.matchCount
        var start = 0
        while start < count {
            let end = min(start + Self.passLength, count)
            for index in start..<end { widgets.prefetch(matcher.match(at: index).widget) }
            for index in start..<end {
                devices.prefetch(widgets[matcher.match(at: index).widget].device)
            }
            for index in start..<end { take(matcher.match(at: index)) }
            start = end
        }
    }

    private static var passLength: Int { 64 }

    private mutating func take(_ match: WidgetMatch) {
        let origin = origins[Int(match.tag)]
        if origin.isVoid { return }
        batch.matched &+= 1
        markPending(match.widget, .push, isUrgent: origin.isUrgent, voidAt: origin.voidAt)
    }

    // MARK: - Pending

    /// Makes a RELOAD of the widget pending, and puts its device where the next step finds it.
    mutating func markPending(
        _ widget: WidgetID,
        _ cause: ReloadCause,
        isUrgent: Bool = false,
        voidAt: Int64 = .max
    ) {
        let device = widgets[widget].device
        if !widgets[widget].has(WidgetRecord.pending) {
            widgets[widget].flags |= WidgetRecord.pending
            widgets[widget].nextPending = devices[device].firstPending
            devices[device].firstPending = widget
        }
        devices[device].cause = cause
        if voidAt > devices[device].voidAt { devices[device].voidAt = voidAt }
        if isUrgent { devices[device].flags |= DeviceRecord.urgent }
        enqueue(device)
    }

    /// Puts a device with pending widgets in the queue of the next step, if a session is there.
    mutating func enqueue(_ device: DeviceID) {
        let record = devices[device]
        if record.has(DeviceRecord.queued) || !isAttached(record) { return }
        devices[device].flags |= DeviceRecord.queued
        if record.has(DeviceRecord.urgent) {
            readyUrgent.append(device)
        } else {
            ready.append(device)
        }
    }

    @inline(__always)
    func isAttached(_ device: DeviceRecord) -> Bool {
        device.connection != DeviceRecord.none
            && connections[device.connection].generation == device.generation
            && connections[device.connection].isOpen
            && connections[device.connection].session.phase != .ended
    }

    /// Lets a connection speak for a device; what the device has not answered is pending again.
    mutating func attach(_ device: DeviceID, to connection: UInt32) {
        let generation = connections[connection].generation
        let record = devices[device]
        if record.connection == connection && record.generation == generation { return }
        devices[device].connection = connection
        devices[device].generation = generation
        // A place in the queue of an earlier connection is found stale there.
        devices[device].flags &= ~DeviceRecord.queued
        var widget = record.firstWidget
        while widget != WidgetRecord.none {
            if widgets[widget].has(WidgetRecord.unanswered) {
                markPending(widget, record.cause)
            }
            widget = widgets[widget].nextOfDevice
        }
        if devices[device].firstPending != WidgetRecord.none { enqueue(device) }
    }

    /// Lets a device wait until its connection takes output again; it stays queued.
    mutating func wait(_ device: DeviceID) {
        waiting[devices[device].connection, default: ReadyQueue()].append(device)
    }

    /// The connection takes output again: its devices are ready.
    mutating func resume(_ connection: UInt32) {
        connections[connection].isWritable = true
        guard var queue = waiting.removeValue(forKey: connection) else { return }
        while let device = queue.popFirst() {
            let record = devices[device]
            if record.connection != connection || !record.has(DeviceRecord.queued) { continue }
            devices[device].flags &= ~DeviceRecord.queued
            if record.firstPending != WidgetRecord.none { enqueue(device) }
        }
    }

    // MARK: - Device sessions

    /// The session that speaks for a device of its own.
    func findDeviceSession(_ app: AppID, _ name: ByteView) -> UInt32? {
        deviceSessions.find(hash(app, name)) { connection in
            let record = connections[connection]
            return record.app == app && names.view(record.name, Int(record.nameCount)) == name
        }
    }

    /// Remembers which device a session speaks for.
    mutating func nameDeviceSession(_ connection: UInt32, _ app: AppID, _ name: ByteView) {
        connections[connection].name = names.store(name)
        connections[connection].nameCount = UInt8(name.count)
        deviceSessions.insert(hash(app, name), connection)
    }

    /// The session no longer speaks for a device.
    mutating func forgetDeviceSession(_ connection: UInt32) {
        let record = connections[connection]
        if record.name == ConnectionRecord.none { return }
        let name = names.view(record.name, Int(record.nameCount))
        deviceSessions.remove(hash(record.app, name), connection)
        names.free(record.name, Int(record.nameCount))
        connections[connection].name = ConnectionRecord.none
    }

    // MARK: - Devices

    func deviceName(_ device: DeviceID) -> ByteView {
        names.view(devices[device].name, Int(devices[device].nameCount))
    }

    func widgetName(_ widget: WidgetID) -> ByteView {
        names.view(widgets[widget].name, Int(widgets[widget].nameCount))
    }

    func findDevice(_ app: AppID, _ name: ByteView) -> DeviceID? {
        deviceIndex.find(hash(app, name)) { device in
            devices[device].app == app && deviceName(device) == name
        }
    }

    /// Stores a device without widgets.
    mutating func insertDevice(_ app: AppID, _ name: ByteView) -> DeviceID {
        let stored = names.store(name)
        let device = devices.insert(
            DeviceRecord(name: stored, app: app, nameCount: UInt8(name.count))
        )
        deviceIndex.insert(hash(app, name), device)
        return device
    }

    /// Forgets a device whose widgets are gone.
    mutating func removeDevice(_ device: DeviceID) {
        let record = devices[device]
        assert(record.firstWidget == WidgetRecord.none, "a removed device has no widgets")
        deviceIndex.remove(hash(record.app, deviceName(device)), device)
        names.free(record.name, Int(record.nameCount))
        setPushToken(device, nil)
        // Queues may still hold the number: a slot without pending widgets is passed over there.
        devices[device].firstPending = WidgetRecord.none
        devices.remove(device)
    }

    mutating func setPushToken(_ device: DeviceID, _ token: ByteView?) {
        let record = devices[device]
        if record.pushToken != DeviceRecord.none {
            names.free(record.pushToken, Int(record.pushTokenCount))
            devices[device].pushToken = DeviceRecord.none
        }
        if let token {
            devices[device].pushToken = names.store(token)
            devices[device].pushTokenCount = UInt16(token.count)
        }
    }

    func findWidget(_ device: DeviceID, _ name: ByteView) -> WidgetID? {
        var widget = devices[device].firstWidget
        while widget != WidgetRecord.none {
            if widgetName(widget) == name { return widget }
            widget = widgets[widget].nextOfDevice
        }
        return nil
    }

    private func hash(_ app: AppID, _ name: ByteView) -> UInt64 {
        hashBytes(name, seed: hashSeed &+ UInt64(app) &* 0x9e37_79b9_7f4a_7c15)
    }
}

/// Devices that a RELOAD is due for, first in first out, in memory that is used again.
struct ReadyQueue {
    private var devices: ContiguousArray<DeviceID> = []
    private var head = 0

    var isEmpty: Bool { head == devices.count }

    mutating func append(_ device: DeviceID) {
        devices.append(device)
    }

    mutating func popFirst() -> DeviceID? {
        if head == devices.count { return nil }
        let device = devices[head]
        head += 1
        if head == devices.count {
            devices.removeAll(keepingCapacity: true)
            head = 0
        }
        return device
    }
}
