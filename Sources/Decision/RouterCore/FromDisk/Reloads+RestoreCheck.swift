internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// What must hold for the reloads that were read from a checkpoint.
extension Reloads {
    /// A widget whose reload waits for a permit and is not in its origin's queue, so that it would
    /// never get one; nil if there is none.
    func unqueuedWidget() -> WidgetID? {
        var isQueued = ContiguousArray(repeating: false, count: Int(delivery.widgets.end))
        for origin in schedules.origins.ids {
            schedules.origins[origin].queue.visit { widget in
                if delivery.widgets[widget].stage == .queued && rules(of: widget).origin == origin {
                    isQueued[widget.index] = true
                }
            }
        }
        return delivery.widgets.ids.first {
            delivery.widgets[$0].stage == .queued && !isQueued[$0.index]
        }
    }

    func checkRecord(of device: DeviceID) throws(StoreError) {
        let record = delivery.devices[device]
        if record.session > numbers.session {
            throw StoreError.corrupt("device \(device) had a session that never existed")
        }
        let past = MonotonicTime.zero...max(MonotonicTime(rawValue: 1), clock.now.monotonic)
        if !past.contains(record.lastReloadAt) {
            throw StoreError.corrupt("device \(device) was reloaded at a time that has not come")
        }
    }

    /// The largest distance from 1970 that the date of a widget may have in a checkpoint:
    /// calculations with it cannot overflow.
    static var farthestDate: Milliseconds { Milliseconds(rawValue: 1 << 60) }

    /// Checks the schedules of a device's widgets, and gives those that hold slots their places in
    /// the ledgers again.
    mutating func checkSchedules(
        of device: DeviceID,
        counting usedSlots: inout Int
    ) throws(StoreError) {
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let schedule = schedules.widgets[widget]
            if !schedule.budget.isPossible(at: clock.now.monotonic, phase: Schedules.phase(widget))
            {
                throw StoreError.corrupt("widget \(widget) has a budget that cannot be")
            }
            let date = schedule.timelineAt
            let dates = WallTime.zero - Self.farthestDate ... .zero + Self.farthestDate
            if date != .max && !dates.contains(date) {
                throw StoreError.corrupt("widget \(widget) has a date that cannot be")
            }
            if !schedule.slot.isNone {
                if date == .max {
                    throw StoreError.corrupt("widget \(widget) has a slot and no date")
                }
                if !nameMember(widget, at: schedule.slot) {
                    throw StoreError.corrupt("widget \(widget) holds a slot that is another's")
                }
                usedSlots += 1
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    /// Gives a widget its place in its origin's ledger again; false if it cannot have that slot.
    private mutating func nameMember(_ widget: WidgetID, at slot: SlotPosition) -> Bool {
        // The slot must not move if the device's own timer fires at its time.
        let isFixed = delivery.widgets[widget].has(WidgetRecord.ownTimer)
        return schedules.origins[rules(of: widget).origin].ledger.nameMember(
            widget,
            isFixed: isFixed,
            at: slot
        )
    }
}
