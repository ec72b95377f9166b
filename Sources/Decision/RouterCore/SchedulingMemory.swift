internal import ByteStorage
internal import PayloadFields
internal import ReloadModel
package import ReloadScheduling

/// Bytes that are held for deciding when widgets reload, used or not.
package struct SchedulingMemory: Equatable, Sendable {
    /// Budgets, dates and what waits, a cache line a widget.
    package var schedules = 0
    package var timers = 0
    /// Of `schedules`, for each widget; its timer comes to it while it has one.
    package static var bytesPerWidget: Int { MemoryLayout<WidgetSchedule>.stride }
    /// The origins' ledgers and queues.
    package var slots = 0
    /// The last decisions of each device.
    package var decisions = 0
    /// What widgets show and carry.
    package var fields = 0
}

extension Router {
    /// Widgets whose reload waits for something.
    ///
    /// - Complexity: in proportion to all widgets: it looks at each.
    package var pendingReloadCount: Int {
        widgetCount { router, widget in router.delivery.widgets[widget].stage != .idle }
    }

    /// Widgets whose date holds a slot at an origin; the ledgers know of as many, if none has leaked.
    ///
    /// - Complexity: in proportion to all widgets: it looks at each.
    package var heldSlotCount: Int {
        widgetCount { router, widget in !router.delivery.schedules[widget].slot.isNone }
    }

    private func widgetCount(where isCounted: (borrowing Router, WidgetID) -> Bool) -> Int {
        var count = 0
        for device in 0..<delivery.devices.end {
            var widget = delivery.devices[device].firstWidget
            while widget != WidgetRecord.none {
                if isCounted(self, widget) { count += 1 }
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
        return count
    }

    /// What has become of the slots of all origins.
    package var slotStatistics: SlotStatistics {
        var sum = SlotStatistics()
        for origin in 0..<UInt32(origins.count) {
            let part = origins[origin].ledger.statistics
            sum.taken += part.taken
            sum.givenBack += part.givenBack
            sum.finished += part.finished
            sum.windowsGrown += part.windowsGrown
        }
        return sum
    }

    package var schedulingMemory: SchedulingMemory {
        var memory = SchedulingMemory()
        memory.schedules = delivery.schedules.byteCount
        memory.timers = agenda.timerByteCount
        for origin in 0..<UInt32(origins.count) { memory.slots += origins[origin].byteCount }
        memory.decisions = decisions.byteCount
        memory.fields = widgetFields.byteCount
        return memory
    }
}
