internal import Basics
internal import FrameCodec
internal import WidgetMatching

/// The devices, widgets and sessions, and the RELOADs that are pending between them.
///
/// Reloading twice has the same effect as reloading once, so a widget has at most one pending
/// RELOAD: further requests coalesce, and nothing grows. The widgets with a pending RELOAD form a
/// chain on their device. A device with a chain has one valid entry in the agenda. Without a
/// session it has none, and the chain is delivered when a session begins.
struct DeliveryTable: ~Copyable {
    /// The widgets' records by their numbers, which the matcher assigns; `Schedules.widgets` has
    /// the same numbers.
    var widgets = TrackedSlab<WidgetID, WidgetRecord>()
    /// The devices' records by their numbers.
    var devices = TrackedSlab<DeviceID, DeviceRecord>()
    /// The devices by app and id.
    var deviceIndex = HashIndex()
    /// Restored devices that are to be entered into `deviceIndex`.
    var restoredDevices = HashIndexBatch()
    /// The connections of device sessions by app and device id; the device need not be stored.
    var deviceSessions = HashIndex()
    /// The ids of devices and widgets, and the names of kinds.
    var names = ByteArena()
    /// The sessions' records by the slots of their connections.
    var sessions = Slab<ConnectionSlot, SessionRecord>()
    /// The counts of each app, by the app's number; apps beyond the end have nothing stored.
    var appCounts = NumberedArray<AppID, StoredAppCounts>()
    /// The sum of `StoredAppCounts.bytes` over all apps.
    private(set) var storedBytes = 0
    /// How many widgets are in each stage; `idle` has minus the sum of the others.
    private(set) var stages = StageCounts()
    /// The key of the hashes of names. It is secret, so that no client can choose ids that collide
    /// in the tables above.
    let hashKey: HashKey
    private let passing = PassedByAddress()

    init(hashKey: HashKey) { self.hashKey = hashKey }

    // MARK: - Pending

    /// Adds a widget to its device's pending chain, unless it is in it, and queues the device;
    /// urgent reloads put it before the devices without any. RELOAD names the cause if no later one
    /// comes. The reload expires at `expiresAt`; `.max` for never.
    @inline(__always)
    mutating func markReady(
        _ widget: WidgetID,
        cause: ReloadCause,
        isUrgent: Bool,
        expiresAt: WallTime,
        apns: borrowing APNsTable,
        in agenda: inout Agenda
    ) {
        assert(!widgets[widget].device.isNone, "the number has no widget")
        let device = widgets[widget].device
        if widgets[widget].stage != .ready {
            setStage(of: widget, to: .ready)
            widgets[widget].nextPending = devices[device].firstPending
            devices[device].firstPending = widget
        }
        devices[device].cause = cause
        if expiresAt > devices[device].expiresAt { devices[device].expiresAt = expiresAt }
        if isUrgent && !devices[device].has(DeviceRecord.urgent) {
            devices[device].flags |= DeviceRecord.urgent
            agenda.expedite(device, lane: devices[device].lane)
        }
        enqueue(device, apns: apns, in: &agenda)
    }

    /// Prefetches the widget records that a delivery reads; the device's record should be in the
    /// cache. Returns the widget whose schedule it reads; none if nothing is pending.
    @inline(__always)
    func prefetchPending(of device: DeviceID) -> WidgetID {
        let widget = devices[device].firstPending
        if !widget.isNone { widgets.prefetch(widget) }
        return widget
    }

    /// Prefetches the ids that a RELOAD contains; the records should be in the cache.
    @inline(__always)
    func prefetchNames(of device: DeviceID) {
        names.prefetch(devices[device].name)
        let widget = devices[device].firstPending
        if !widget.isNone { names.prefetch(widgets[widget].name) }
    }

    /// Queues a device with pending RELOADs, if it has a session or APNs reaches it, and it is not
    /// queued yet.
    @inline(__always)
    func enqueue(_ device: DeviceID, apns: borrowing APNsTable, in agenda: inout Agenda) {
        if !agenda.isKept { return }
        let record = devices[device]
        if !isAttached(record) {
            return apns.enqueue(device, record: record, in: self, agenda: &agenda)
        }
        if agenda.isQueued(device) { return }
        agenda.append(device, isUrgent: record.has(DeviceRecord.urgent))
    }

    /// Queues a device if it has pending RELOADs, as `enqueue` does.
    func enqueuePending(_ device: DeviceID, apns: borrowing APNsTable, in agenda: inout Agenda) {
        if !devices[device].firstPending.isNone { enqueue(device, apns: apns, in: &agenda) }
    }

    // MARK: - Counts

    /// Sets where a widget's reload waits, and updates `stages`.
    @inline(__always)
    mutating func setStage(of widget: WidgetID, to stage: ReloadStage) {
        stages.move(from: widgets[widget].stage, to: stage)
        widgets[widget].stage = stage
    }

    /// Replaces the counts of stages, which the caller has counted over all widgets.
    mutating func setStages(_ stages: StageCounts) { self.stages = stages }

    /// Gives a connection's session its role; from now on it counts among its app's sessions.
    mutating func beginSession(_ connection: ConnectionSlot, as role: Peer) {
        assert(sessions[connection].role == nil, "the slot has a session")
        sessions[connection].role = role
        count(sessions[connection].app) { $0.sessions += 1 }
    }

    /// Ends a connection's session: it no longer counts, and no device is attached to it.
    mutating func endSession(_ connection: ConnectionSlot) {
        assert(sessions[connection].role != nil, "the session has ended already")
        sessions[connection].role = nil
        count(sessions[connection].app) { $0.sessions -= 1 }
    }

    /// Whether a session speaks for the device now.
    @inline(__always)
    func isAttached(_ device: DeviceRecord) -> Bool {
        sessions.has(device.connection)
            && sessions[device.connection].number == device.session
            && sessions[device.connection].role != nil
    }

    /// Makes a connection's session the one that speaks for a device. Returns false if it did so
    /// before.
    mutating func attach(_ device: DeviceID, to connection: ConnectionSlot) -> Bool {
        assert(sessions[connection].role != nil, "the session has ended")
        let session = sessions[connection].number
        let record = devices[device]
        if record.connection == connection && record.session == session { return false }
        detach(record)
        sessions[connection].deviceCount &+= 1
        devices[device].connection = connection
        devices[device].session = session
        return true
    }

    /// Subtracts a device from those of the session that speaks for it, if there is one.
    private mutating func detach(_ record: DeviceRecord) {
        // The session may come from a checkpoint, which does not store this count: then it is 0.
        guard isAttached(record), sessions[record.connection].deviceCount > 0 else { return }
        sessions[record.connection].deviceCount -= 1
    }

    /// What is stored for an app, and how many sessions it has.
    func counts(of app: AppID) -> StoredAppCounts { appCounts[app, default: StoredAppCounts()] }

    /// Changes the counts of an app; `change` receives them.
    @inline(__always)
    mutating func count(_ app: AppID, change: (inout StoredAppCounts) -> Void) {
        change(&appCounts[app, default: StoredAppCounts()])
    }

    /// Adds bytes of `StoredCost` to an app's memory and to the sum; a negative number frees them.
    @inline(__always)
    mutating func countBytes(of app: AppID, adding byteCount: Int) {
        storedBytes += byteCount
        assert(storedBytes >= 0, "more bytes are freed than are stored")
        count(app) { $0.bytes += byteCount }
    }

    /// Queues the devices that waited for a connection, because it accepts output again.
    @inline(__always)
    func resume(
        _ connection: ConnectionSlot,
        apns: borrowing APNsTable,
        in agenda: inout Agenda
    ) {
        guard var queue = agenda.outputDrained(connection) else { return }
        while let device = queue.popFirst() {
            let record = devices[device]
            if record.connection != connection || !agenda.removeQueued(device) { continue }
            enqueuePending(device, apns: apns, in: &agenda)
        }
    }

    /// Whether a device with this number has stored widgets.
    func isStored(_ device: DeviceID) -> Bool {
        devices.has(device) && !devices[device].firstWidget.isNone
    }

    /// Prefetches what `ReloadState.writeRegistration` reads of a device in this table, and returns
    /// the device's first widget; `WidgetID.none` if it has none.
    func prefetchRecord(of device: DeviceID) -> WidgetID {
        let record = devices[device]
        names.prefetch(record.name)
        if !record.firstWidget.isNone { names.prefetch(widgets[record.firstWidget].name) }
        return record.firstWidget
    }

    // MARK: - Device sessions

    /// The connection of the session whose HELLO named the device; nil if there is none.
    @inline(__always)
    func findDeviceSession(of app: AppID, named name: ByteView) -> ConnectionSlot? {
        deviceSessions.find(hash(of: app, name: name)) { connection in
            let record = sessions[connection]
            return unsafe record.app == app
                && names.view(record.name, count: Int(record.nameCount)) == name
        }
    }

    /// Stores the device that a session's HELLO named; `findDeviceSession` finds the session by it.
    mutating func nameDeviceSession(_ connection: ConnectionSlot, app: AppID, device name: ByteView)
    {
        assert(sessions[connection].name == ByteArena.none, "the session has a name")
        sessions[connection].name = names.store(name)
        sessions[connection].nameCount = UInt8(name.count)
        deviceSessions.insert(hash(of: app, name: name), number: connection)
    }

    /// Removes what `nameDeviceSession` stored; does nothing if it stored nothing.
    mutating func forgetDeviceSession(_ connection: ConnectionSlot) {
        let record = sessions[connection]
        if record.name == ByteArena.none { return }
        let name = unsafe names.view(record.name, count: Int(record.nameCount))
        deviceSessions.remove(hash(of: record.app, name: name), number: connection)
        unsafe names.free(record.name, byteCount: Int(record.nameCount))
        sessions[connection].name = ByteArena.none
    }

    // MARK: - Devices

    /// The device's id; valid until the names change.
    @inline(__always)
    func deviceName(_ device: DeviceID) -> ByteView {
        unsafe names.view(devices[device].name, count: Int(devices[device].nameCount))
    }

    /// The widget's id; valid until the names change.
    @inline(__always)
    func widgetName(_ widget: WidgetID) -> ByteView {
        unsafe names.view(widgets[widget].name, count: Int(widgets[widget].nameCount))
    }

    /// The number of an app's stored device with this id; nil if there is none.
    @inline(__always)
    func findDevice(of app: AppID, named name: ByteView) -> DeviceID? {
        deviceIndex.find(hash(of: app, name: name)) { device in
            devices[device].app == app && deviceName(device) == name
        }
    }

    /// Stores a new device, which has no widgets yet, and returns its number.
    mutating func insertDevice(of app: AppID, named name: ByteView) -> DeviceID {
        assert(findDevice(of: app, named: name) == nil, "the device is stored already")
        let stored = names.store(name)
        let device = devices.insert(
            DeviceRecord(name: stored, app: app, nameCount: UInt8(name.count))
        )
        deviceIndex.insert(hash(of: app, name: name), number: device)
        count(app) { $0.devices += 1 }
        countBytes(of: app, adding: StoredCost.device + StoredCost.text(name.count))
        return device
    }

    /// Sets app and id of a device that was read from a checkpoint; the rest of its record was
    /// read before. It is found by its id only after `finishRestoring`.
    mutating func restoreDevice(_ device: DeviceID, of app: AppID, named name: ByteView) {
        var record = devices[device]
        record.name = names.store(name)
        record.app = app
        record.nameCount = UInt8(name.count)
        devices.insert(record, at: device)
        count(app) { $0.devices += 1 }
        countBytes(of: app, adding: StoredCost.device + StoredCost.text(name.count))
        restoredDevices.insert(hash(of: app, name: name), number: device, in: &deviceIndex)
    }

    /// Enters the restored devices into the index, once all have been read. Returns a device with
    /// the name of another one of its app; nil if there is none.
    mutating func finishRestoring() -> DeviceID? {
        restoredDevices.finish(&deviceIndex)
        let similar = restoredDevices.similar
        restoredDevices.forgetSimilar()
        for pair in similar {
            let (one, other) = (DeviceID(rawValue: pair.earlier), DeviceID(rawValue: pair.later))
            if devices[one].app == devices[other].app && deviceName(one) == deviceName(other) {
                return other
            }
        }
        return nil
    }

    /// Sets device, id and kind of a widget that was read from a checkpoint; the rest of its
    /// record was read before.
    mutating func restoreWidget(
        _ widget: WidgetID,
        of device: DeviceID,
        named name: ByteView,
        kind: KindID
    ) {
        assert(widgets[widget].device.isNone, "the number has a widget")
        widgets[widget].device = device
        setName(of: widget, to: name)
        widgets[widget].kind = kind
        count(devices[device].app) { $0.widgets += 1 }
    }

    /// Removes a device, all of whose widgets and tokens have been removed before.
    mutating func removeDevice(_ device: DeviceID) {
        let record = devices[device]
        assert(record.firstWidget.isNone, "a removed device has no widgets")
        assert(!record.widgetsToken.isPresent, "a removed device has no token")
        detach(record)
        count(record.app) { $0.devices -= 1 }
        countBytes(
            of: record.app,
            adding: -StoredCost.device - StoredCost.text(Int(record.nameCount))
        )
        deviceIndex.remove(hash(of: record.app, name: deviceName(device)), number: device)
        unsafe names.free(record.name, byteCount: Int(record.nameCount))
        // Queues may still have the number: they skip a device without a pending chain.
        devices[device].firstPending = .none
        devices.remove(device)
    }

    /// The number of a device's widget with this id; nil if there is none.
    ///
    /// - Complexity: O(widgets of the device).
    @inline(__always)
    func findWidget(of device: DeviceID, named name: ByteView) -> WidgetID? {
        var widget = devices[device].firstWidget
        while !widget.isNone {
            if widgetName(widget) == name { return widget }
            widget = widgets[widget].nextOfDevice
        }
        return nil
    }

    /// The hash of a widget's id, for a table of one device's widgets.
    func nameHash(_ name: ByteView) -> UInt32 {
        UInt32(truncatingIfNeeded: hashKey.hash(name) >> 32)
    }

    /// The hash of a device, for `deviceIndex` and `deviceSessions`.
    func hash(of app: AppID, name: ByteView) -> UInt64 {
        hashKey.hash(UInt64(app.rawValue), followedBy: name)
    }
}
