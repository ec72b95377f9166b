internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import WidgetMatching

/// Devices, widgets and sessions, and which RELOADs are pending between them.
///
/// A RELOAD is contentless and idempotent, so what is pending is one bit per widget: it coalesces
/// instead of growing. Pending widgets hang in a chain on their device; a device with a chain is in
/// exactly one place of the agenda, unless it is offline: then in none, and it is looked at when a session
/// for it begins.
struct DeliveryTable: ~Copyable {
    var widgets = TrackedSlab<WidgetRecord>()
    var schedules = TrackedSlab<WidgetSchedule>()
    var devices = TrackedSlab<DeviceRecord>()
    var deviceIndex = HashIndex()
    /// Devices that are restored, and will be in `deviceIndex`.
    var restoredDevices = HashIndexBatch()
    /// Device sessions by their device's id, whether or not widgets are stored for it.
    var deviceSessions = HashIndex()
    var names = ByteArena()
    /// By connection.
    var sessions = Slab<SessionRecord>()
    var appCounts: ContiguousArray<StoredAppCounts> = []
    /// The `bytes` of all apps.
    private(set) var storedBytes = 0
    /// How many widgets are in each stage; those that wait are right, the others are not counted.
    private(set) var stages = StageCounts()
    /// Of `deviceIndex` and `deviceSessions`: devices are named by others.
    let hashKey: HashKey

    init(hashKey: HashKey) {
        self.hashKey = hashKey
    }

    // MARK: - Pending

    /// Puts a widget in its device's pending chain, and the device where the next step finds it.
    @inline(__always)
    mutating func markReady(
        _ widget: WidgetID,
        _ cause: ReloadCause,
        isUrgent: Bool,
        voidAt: Int64,
        _ agenda: inout Agenda
    ) {
        let device = widgets[widget].device
        if widgets[widget].stage != .ready {
            setStage(widget, .ready)
            widgets[widget].nextPending = devices[device].firstPending
            devices[device].firstPending = widget
        }
        devices[device].cause = cause
        if voidAt > devices[device].voidAt { devices[device].voidAt = voidAt }
        if isUrgent { devices[device].flags |= DeviceRecord.urgent }
        enqueue(device, &agenda)
    }

    /// Starts to bring close what a delivery reads of a device whose record is close.
    @inline(__always)
    func prefetchPending(of device: DeviceID) {
        let widget = devices[device].firstPending
        if widget == WidgetRecord.none { return }
        widgets.prefetch(widget)
        schedules.prefetch(widget)
    }

    /// Starts to bring close the names that a RELOAD has of a device whose records are close.
    @inline(__always)
    func prefetchNames(of device: DeviceID) {
        names.prefetch(devices[device].name)
        let widget = devices[device].firstPending
        if widget != WidgetRecord.none { names.prefetch(widgets[widget].name) }
    }

    /// Puts a device with pending widgets in the queue of the next step, if a session is there.
    ///
    /// Inlined: a call would copy the table, of more than a kilobyte, for the sake of borrowing it.
    @inline(__always)
    func enqueue(_ device: DeviceID, _ agenda: inout Agenda) {
        if !agenda.isKept { return }
        let record = devices[device]
        if agenda.isQueued(device) || !isAttached(record) { return }
        agenda.append(device, isUrgent: record.has(DeviceRecord.urgent))
    }

    // MARK: - Counts

    /// Moves a widget's reload to where it waits now.
    @inline(__always)
    mutating func setStage(_ widget: WidgetID, _ stage: ReloadStage) {
        stages.move(from: widgets[widget].stage, to: stage)
        widgets[widget].stage = stage
    }

    /// Counts the stages of all widgets anew.
    mutating func setStages(_ stages: StageCounts) {
        self.stages = stages
    }

    /// A session takes on its role, and counts from now on.
    mutating func beginSession(_ connection: UInt32, _ role: Peer) {
        sessions[connection].role = role
        count(sessions[connection].app) { $0.sessions += 1 }
    }

    mutating func endSession(_ connection: UInt32) {
        sessions[connection].role = nil
        count(sessions[connection].app) { $0.sessions -= 1 }
    }

    @inline(__always)
    func isAttached(_ device: DeviceRecord) -> Bool {
        device.connection < sessions.end
            && sessions[device.connection].number == device.session
            && sessions[device.connection].role != nil
    }

    /// Lets a connection speak for a device.
    ///
    /// - Returns: whether another one did before, or none.
    mutating func attach(_ device: DeviceID, to connection: UInt32) -> Bool {
        let session = sessions[connection].number
        let record = devices[device]
        if record.connection == connection && record.session == session { return false }
        detach(record)
        sessions[connection].deviceCount &+= 1
        devices[device].connection = connection
        devices[device].session = session
        return true
    }

    /// A device's connection no longer speaks for it.
    private mutating func detach(_ record: DeviceRecord) {
        // That of a session from a checkpoint, where devices are not counted, has 0.
        guard isAttached(record), sessions[record.connection].deviceCount > 0 else { return }
        sessions[record.connection].deviceCount -= 1
    }

    func counts(of app: AppID) -> StoredAppCounts {
        Int(app) < appCounts.count ? appCounts[Int(app)] : StoredAppCounts()
    }

    /// Changes what is counted of an app.
    @inline(__always)
    mutating func count(_ app: AppID, _ change: (inout StoredAppCounts) -> Void) {
        while appCounts.count <= Int(app) { appCounts.append(StoredAppCounts()) }
        change(&appCounts[Int(app)])
    }

    /// Counts bytes of `StoredCost` that an app has taken, or given back if there are fewer than 0.
    @inline(__always)
    mutating func countBytes(_ app: AppID, _ byteCount: Int) {
        storedBytes += byteCount
        count(app) { $0.bytes += byteCount }
    }

    /// The connection takes output again: its devices are ready.
    func resume(_ connection: UInt32, _ agenda: inout Agenda) {
        guard var queue = agenda.removeWaiting(for: connection) else { return }
        while let device = queue.popFirst() {
            let record = devices[device]
            if record.connection != connection || !agenda.removeQueued(device) { continue }
            if record.firstPending != WidgetRecord.none { enqueue(device, &agenda) }
        }
    }

    /// Whether widgets are stored for a device of this number.
    func isStored(_ device: UInt32) -> Bool {
        device < devices.end && devices[device].firstWidget != WidgetRecord.none
    }

    /// Brings close what `ReloadState.writeRegistration` reads of a device here.
    ///
    /// - Returns: its first widget, or `WidgetRecord.none`.
    func prefetchRecord(of device: DeviceID) -> WidgetID {
        let record = devices[device]
        names.prefetch(record.name)
        if record.firstWidget != WidgetRecord.none {
            names.prefetch(widgets[record.firstWidget].name)
        }
        return record.firstWidget
    }

    // MARK: - Device sessions

    /// The session that speaks for a device of its own.
    func findDeviceSession(_ app: AppID, _ name: ByteView) -> UInt32? {
        deviceSessions.find(hash(app, name)) { connection in
            let record = sessions[connection]
            return record.app == app && names.view(record.name, Int(record.nameCount)) == name
        }
    }

    /// Remembers which device a session speaks for.
    mutating func nameDeviceSession(_ connection: UInt32, _ app: AppID, _ name: ByteView) {
        sessions[connection].name = names.store(name)
        sessions[connection].nameCount = UInt8(name.count)
        deviceSessions.insert(hash(app, name), connection)
    }

    /// The session no longer speaks for a device.
    mutating func forgetDeviceSession(_ connection: UInt32) {
        let record = sessions[connection]
        if record.name == SessionRecord.none { return }
        let name = names.view(record.name, Int(record.nameCount))
        deviceSessions.remove(hash(record.app, name), connection)
        names.free(record.name, Int(record.nameCount))
        sessions[connection].name = SessionRecord.none
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
        count(app) { $0.devices += 1 }
        countBytes(app, StoredCost.device + StoredCost.text(name.count))
        return device
    }

    /// Says whose device it is of which the rest has been restored; it is found by its name only after
    /// `finishRestoring`.
    mutating func restoreDevice(_ device: DeviceID, _ app: AppID, _ name: ByteView) {
        var record = devices[device]
        record.name = names.store(name)
        record.app = app
        record.nameCount = UInt8(name.count)
        devices.insert(record, at: device)
        count(app) { $0.devices += 1 }
        countBytes(app, StoredCost.device + StoredCost.text(name.count))
        restoredDevices.insert(hash(app, name), device, in: &deviceIndex)
    }

    /// All devices have been restored.
    mutating func finishRestoring() {
        restoredDevices.finish(&deviceIndex)
    }

    /// Says whose widget it is of which the rest has been restored.
    mutating func restoreWidget(
        _ widget: WidgetID,
        of device: DeviceID,
        _ name: ByteView,
        _ kind: KindID
    ) {
        widgets[widget].device = device
        widgets[widget].name = names.store(name)
        widgets[widget].nameCount = UInt8(name.count)
        widgets[widget].kind = kind
        count(devices[device].app) { $0.widgets += 1 }
        countBytes(devices[device].app, StoredCost.text(name.count))
    }

    /// Forgets a device whose widgets are gone.
    mutating func removeDevice(_ device: DeviceID) {
        let record = devices[device]
        assert(record.firstWidget == WidgetRecord.none, "a removed device has no widgets")
        detach(record)
        count(record.app) { $0.devices -= 1 }
        countBytes(record.app, -StoredCost.device - StoredCost.text(Int(record.nameCount)))
        deviceIndex.remove(hash(record.app, deviceName(device)), device)
        names.free(record.name, Int(record.nameCount))
        setPushToken(device, nil)
        // Queues may still hold the number: a slot without pending widgets is passed over there.
        devices[device].firstPending = WidgetRecord.none
        devices.remove(device)
    }

    func hasPushToken(_ device: DeviceID, _ token: ByteView?) -> Bool {
        let record = devices[device]
        guard let token else { return record.pushToken == DeviceRecord.none }
        return record.pushToken != DeviceRecord.none
            && names.view(record.pushToken, Int(record.pushTokenCount)) == token
    }

    mutating func setPushToken(_ device: DeviceID, _ token: ByteView?) {
        let record = devices[device]
        if record.pushToken != DeviceRecord.none {
            names.free(record.pushToken, Int(record.pushTokenCount))
            devices[device].pushToken = DeviceRecord.none
            countBytes(record.app, -StoredCost.text(Int(record.pushTokenCount)))
        }
        if let token {
            devices[device].pushToken = names.store(token)
            devices[device].pushTokenCount = UInt16(token.count)
            countBytes(record.app, StoredCost.text(token.count))
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

    /// Of a widget's name, among those of its device.
    func nameHash(_ name: ByteView) -> UInt32 {
        UInt32(truncatingIfNeeded: hashKey.hash(name) >> 32)
    }

    func hash(_ app: AppID, _ name: ByteView) -> UInt64 {
        hashKey.hash(UInt64(app), name)
    }
}
