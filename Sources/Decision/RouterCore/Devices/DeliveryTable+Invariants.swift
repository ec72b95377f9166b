internal import Basics
internal import FrameCodec

extension DeliveryTable {
    /// Checks the tables of devices, widgets and sessions against each other: each device is found
    /// by its name and has its widgets, each widget has one device, and the counts are right.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("DeliveryTable.widgets", by: widgets.checkInvariants())
        try checkPart("DeliveryTable.devices", by: devices.checkInvariants())
        try checkPart("DeliveryTable.deviceIndex", by: deviceIndex.checkInvariants())
        try checkPart("DeliveryTable.deviceSessions", by: deviceSessions.checkInvariants())
        try checkPart("DeliveryTable.names", by: names.checkInvariants())
        try checkPart("DeliveryTable.sessions", by: sessions.checkInvariants())
        var counted = StoredSums()
        try checkDevices(&counted)
        try checkSessions(&counted)
        try checkFreeWidgets(counted)
        for app in appCounts.ids {
            let found = counted.apps[app] ?? StoredAppCounts()
            try checkInvariant(
                appCounts[app].isSameExceptBytes(as: found),
                otherwise: "\(appCounts[app]) are counted for app \(app), and there are \(found)"
            )
        }
        let bytes = appCounts.elements.reduce(0) { $0 + $1.bytes }
        try checkInvariant(
            bytes == storedBytes,
            otherwise: "\(storedBytes) bytes are stored, and the apps' sum is \(bytes)"
        )
    }

    /// What the check has counted.
    private struct StoredSums {
        var apps: [AppID: StoredAppCounts] = [:]
        var widgetCount = 0
    }

    // MARK: - Devices

    private func checkDevices(_ counted: inout StoredSums) throws(InvariantViolation) {
        try checkInvariant(
            deviceIndex.count == devices.count,
            otherwise: "\(deviceIndex.count) names are in the index of \(devices.count) devices"
        )
        for device in devices.ids where devices.isInUse(device) {
            let record = devices[device]
            try checkInvariant(
                findDevice(of: record.app, named: deviceName(device)) == device,
                otherwise: "device \(device) is not found by its name"
            )
            try checkWidgets(of: device)
            try checkPending(of: device)
            counted.apps[record.app, default: StoredAppCounts()].devices += 1
            counted.apps[record.app, default: StoredAppCounts()].widgets += Int(record.widgetCount)
            counted.widgetCount += Int(record.widgetCount)
        }
    }

    /// Checks that a device's list has as many widgets as it counts, all of them its own.
    private func checkWidgets(of device: DeviceID) throws(InvariantViolation) {
        var (count, widget) = (0, devices[device].firstWidget)
        while !widget.isNone {
            count += 1
            try checkInvariant(
                count <= Int(devices[device].widgetCount) && widgets.has(widget)
                    && widgets[widget].device == device,
                otherwise: "widget \(widget) is in the list of device \(device), "
                    + "and is another device's or there twice"
            )
            try checkInvariant(
                !widgets[widget].isMarked,
                otherwise: "widget \(widget) is marked after the walk that has marked it"
            )
            widget = widgets[widget].nextOfDevice
        }
        try checkInvariant(
            count == Int(devices[device].widgetCount) && count > 0,
            otherwise: "device \(device) counts \(devices[device].widgetCount) of \(count) widgets"
        )
    }

    /// What is wrong with a device's pending chain, which must have its widgets that are ready,
    /// each once; nil if it is right.
    func problemOfPending(of device: DeviceID) -> String? {
        var (ready, widget) = (0, devices[device].firstWidget)
        while !widget.isNone {
            if widgets[widget].stage == .ready { ready += 1 }
            widget = widgets[widget].nextOfDevice
        }
        var pending = devices[device].firstPending
        while !pending.isNone {
            ready -= 1
            guard ready >= 0, widgets.has(pending), widgets[pending].device == device,
                widgets[pending].stage == .ready
            else {
                return "widget \(pending) is pending for device \(device), and is not ready or "
                    + "there twice"
            }
            pending = widgets[pending].nextPending
        }
        return ready == 0 ? nil : "\(ready) ready widgets of device \(device) are not pending"
    }

    private func checkPending(of device: DeviceID) throws(InvariantViolation) {
        let record = devices[device]
        let problem = problemOfPending(of: device)
        try checkInvariant(problem == nil, otherwise: problem ?? "")
        try checkInvariant(
            !record.firstPending.isNone
                || record.expiresAt == .min && !record.has(DeviceRecord.urgent),
            otherwise: "device \(device) has nothing pending, and an expiry or an urgency"
        )
    }

    /// Checks that there are no other widgets than those of the devices, and that nothing waits for
    /// numbers without a widget.
    private func checkFreeWidgets(_ counted: StoredSums) throws(InvariantViolation) {
        var widgetCount = 0
        for widget in widgets.ids {
            let record = widgets[widget]
            if !record.device.isNone {
                widgetCount += 1
                continue
            }
            try checkInvariant(
                record.stage == .idle,
                otherwise: "number \(widget) has no widget, and its reload is \(record.stage)"
            )
        }
        try checkInvariant(
            widgetCount == counted.widgetCount,
            otherwise: "\(widgetCount) widgets have a device, and the devices have "
                + "\(counted.widgetCount)"
        )
    }

    /// Checks that no device had a session, or was reloaded, that has not come.
    func checkPast(lastSession: UInt64, now: MonotonicTime) throws(InvariantViolation) {
        let past = MonotonicTime.zero...max(MonotonicTime(rawValue: 1), now)
        for device in devices.ids where devices.isInUse(device) {
            let record = devices[device]
            try checkInvariant(
                record.session <= lastSession && past.contains(record.lastReloadAt),
                otherwise: "device \(device) had session \(record.session) and was reloaded at "
                    + "\(record.lastReloadAt), of which one has not come"
            )
        }
    }

    // MARK: - Sessions

    private func checkSessions(_ counted: inout StoredSums) throws(InvariantViolation) {
        var named = 0
        for connection in sessions.ids {
            let record = sessions[connection]
            if record.role != nil {
                counted.apps[record.app, default: StoredAppCounts()].sessions += 1
            }
            try checkInvariant(
                (record.role == .device) == (record.name != ByteArena.none),
                otherwise: "the session on connection \(connection) has the name of a device, "
                    + "or is a device's and has none"
            )
            if record.name == ByteArena.none { continue }
            named += 1
            let name = unsafe names.view(record.name, count: Int(record.nameCount))
            try checkInvariant(
                findDeviceSession(of: record.app, named: name) == connection,
                otherwise: "the device's session on connection \(connection) is not found by name"
            )
        }
        try checkInvariant(
            named == deviceSessions.count,
            otherwise: "\(deviceSessions.count) sessions of devices are in the index of \(named)"
        )
    }
}

extension StoredAppCounts {
    /// Whether all counts but that of bytes are the same.
    fileprivate func isSameExceptBytes(as other: StoredAppCounts) -> Bool {
        devices == other.devices && widgets == other.widgets && sessions == other.sessions
    }
}
