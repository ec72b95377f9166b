internal import Basics
internal import StoreFormat

/// Lists of a device: its widgets, and those of them whose reloads are pending.
extension DeliveryTable {
    /// Removes all widgets from a device's list and returns them; `restorePending` makes the
    /// pending chain later.
    mutating func detachWidgets(of device: DeviceID) -> [WidgetID] {
        var list: [WidgetID] = []
        var widget = devices[device].firstWidget
        while !widget.isNone {
            list.append(widget)
            widget = widgets[widget].nextOfDevice
        }
        devices[device].firstWidget = .none
        return list
    }

    /// Adds a widget to the end of a device's list, after `last`; none if the list is empty.
    mutating func append(_ widget: WidgetID, to device: DeviceID, after last: WidgetID) {
        if last.isNone {
            devices[device].firstWidget = widget
        } else {
            widgets[last].nextOfDevice = widget
        }
        widgets[widget].nextOfDevice = .none
    }

    /// Makes the pending chain again, from the stages of the widgets that the device has now.
    mutating func restorePending(_ device: DeviceID) {
        devices[device].firstPending = .none
        let former = devices[device].cause
        var cause: ReloadCause?
        var widget = devices[device].firstWidget
        while !widget.isNone {
            if widgets[widget].stage == .ready {
                widgets[widget].nextPending = devices[device].firstPending
                devices[device].firstPending = widget
                if cause != former { cause = widgets[widget].cause }
            }
            widget = widgets[widget].nextOfDevice
        }
        if let cause { devices[device].cause = cause }
        if devices[device].firstPending.isNone {
            // No reload is pending any more, so neither an expiry nor an urgency is left.
            devices[device].expiresAt = .min
            devices[device].flags &= ~DeviceRecord.urgent
        }
    }

    /// Puts a reload back into its device's pending chain, from which it was taken for a push that
    /// is for others.
    mutating func keepReady(_ widget: WidgetID, of device: DeviceID, former: DeviceRecord) {
        setStage(of: widget, to: .ready)
        widgets[widget].nextPending = devices[device].firstPending
        devices[device].firstPending = widget
        devices[device].expiresAt = former.expiresAt
        if former.has(DeviceRecord.urgent) { devices[device].flags |= DeviceRecord.urgent }
    }

    /// Whether an APNs push to a device is due, apart from the time: it has pending reloads, no
    /// session, and no push under way.
    @inline(__always)
    func isAPNsPushDue(to device: DeviceID) -> Bool {
        if !isStored(device) { return false }
        let record = devices[device]
        return record.has(DeviceRecord.pushable) && !record.has(DeviceRecord.pushing)
            && !record.firstPending.isNone && !isAttached(record)
    }

    /// Gives up waiting for what becomes of an APNs push, because the device has another token now:
    /// an answer to the push says nothing of that. Returns whether one was under way, which is to
    /// be repeated (`Reloads.repeatPush`).
    mutating func abandonPush(to device: DeviceID) -> Bool {
        if !devices[device].has(DeviceRecord.pushing) { return false }
        devices[device].flags &= ~DeviceRecord.pushing
        return true
    }

    /// Whether a reload of a widget with this record would not be counted now.
    @inline(__always)
    func isExempt(_ record: WidgetRecord) -> Bool {
        record.privileges.contains(.isFree) || devices[record.device].isExempt
    }

    /// Moves a device's pending chain to the end of a list, the oldest reload first.
    mutating func takePending(of device: DeviceID, to list: inout ContiguousArray<WidgetID>) {
        let first = list.count
        var widget = devices[device].firstPending
        while !widget.isNone {
            list.append(widget)
            setStage(of: widget, to: .idle)
            widget = widgets[widget].nextPending
        }
        devices[device].firstPending = .none
        // Swapped in place, because reversing a slice of the array would copy it.
        var left = first
        var right = list.count - 1
        while left < right {
            list.swapAt(left, right)
            left += 1
            right -= 1
        }
    }

    /// A hash of the widget's name, its device and the date: the same after a restart.
    @inline(__always)
    func spreadHash(of widget: WidgetID, at date: WallTime) -> UInt64 {
        let device = stableHash(
            deviceName(widgets[widget].device),
            seed: UInt64(bitPattern: date.rawValue)
        )
        return stableHash(widgetName(widget), seed: device)
    }

    /// Checks what a device's record says of the past.
    func checkRecord(
        of device: DeviceID,
        lastSession: UInt64,
        now: MonotonicTime
    ) throws(StoreError) {
        let record = devices[device]
        if record.session > lastSession {
            throw StoreError.corrupt("device \(device) had a session that never existed")
        }
        let past = MonotonicTime.zero...max(MonotonicTime(rawValue: 1), now)
        if !past.contains(record.lastReloadAt) {
            throw StoreError.corrupt("device \(device) was reloaded at a time that has not come")
        }
    }

    /// Checks that numbers without a widget have no pending reload.
    func checkRestoredWidgets() throws(StoreError) {
        for widget in widgets.ids
        where widgets[widget].device.isNone
            && widgets[widget].stage != .idle
        {
            throw StoreError.corrupt("something waits for widget \(widget), which is not there")
        }
    }
}
