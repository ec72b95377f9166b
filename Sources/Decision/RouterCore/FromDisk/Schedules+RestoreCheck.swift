internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// What must hold for the schedules that were read from a checkpoint.
extension Schedules {
    /// A widget whose reload waits for a permit and is not in its origin's queue, so that it would
    /// never get one; nil if there is none.
    func unqueuedWidget(
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> WidgetID? {
        var isQueued = ContiguousArray(repeating: false, count: Int(delivery.widgets.end))
        for origin in origins.ids {
            origins[origin].queue.visit { widget in
                if delivery.widgets[widget].stage == .queued
                    && catalog.rules(of: widget, in: delivery).origin == origin
                {
                    isQueued[widget.index] = true
                }
            }
        }
        return delivery.widgets.ids.first {
            delivery.widgets[$0].stage == .queued && !isQueued[$0.index]
        }
    }

    /// Restores an origin, whose queue has only widgets with a number below `idsBelow`.
    mutating func restoreOrigin(
        _ origin: OriginID,
        hashKey: HashKey,
        idsBelow widgetEnd: UInt32,
        from reader: inout StoreReader
    ) throws(StoreError) {
        guard origin.index < origins.count else {
            throw reader.corrupt("there is no such origin")
        }
        origins[origin] = try Origin(
            reading: &reader,
            for: partition,
            hashKey: hashKey,
            idsBelow: widgetEnd
        )
        if !origins[origin].queue.isEmpty {
            origins.startWaiting(origin)
        }
    }

    /// The largest distance from 1970 that the date of a widget may have in a checkpoint:
    /// calculations with it cannot overflow.
    static var farthestDate: Milliseconds { Milliseconds(rawValue: 1 << 60) }

    /// Checks the schedules of a device's widgets, and gives those that hold slots their places in
    /// the ledgers again.
    mutating func checkSchedules(
        of device: DeviceID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        now: MonotonicTime,
        counting usedSlots: inout Int
    ) throws(StoreError) {
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let schedule = widgets[widget]
            if !schedule.budget.isPossible(at: now, phase: Self.phase(widget)) {
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
                let origin = catalog.rules(of: widget, in: delivery).origin
                // The slot must not move if the device's own timer fires at its time.
                let isFixed = delivery.widgets[widget].has(WidgetRecord.ownTimer)
                let hasSlot = origins[origin].ledger.nameMember(
                    widget,
                    isFixed: isFixed,
                    at: schedule.slot
                )
                if !hasSlot {
                    throw StoreError.corrupt("widget \(widget) holds a slot that is another's")
                }
                usedSlots += 1
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }
}
