internal import Basics
internal import ChangeDetection
package import ReloadScheduling

/// Memory that is allocated for deciding when widgets reload, used or not, in bytes.
package struct SchedulingMemory: Equatable, Sendable {
    /// Budgets, dates and debounce windows: a cache line for each widget.
    package var schedules = 0
    /// The timing wheel; a widget uses memory of it only while its timer is set.
    package var timers = 0
    /// The part of `schedules` that each widget uses.
    package static var bytesPerWidget: Int { MemoryLayout<WidgetSchedule>.stride }
    /// The origins' ledgers and queues.
    package var slots = 0
    /// The last decisions of each device.
    package var decisions = 0
    /// The values of observed and inlined fields.
    package var fields = 0
}

extension Router {
    /// The number of widgets with a pending reload.
    ///
    /// - Complexity: proportional to all widgets, because it visits each.
    package var pendingReloadCount: Int {
        state.reloads.widgetCount { reloads, widget in
            reloads.delivery.widgets[widget].stage != .idle
        }
    }

    /// The number of widgets whose date holds a slot at an origin; the ledgers count the same
    /// unless a slot has leaked.
    ///
    /// - Complexity: proportional to all widgets, because it visits each.
    package var usedSlotCount: Int {
        state.reloads.widgetCount { reloads, widget in
            !reloads.schedules.widgets[widget].slot.isNone
        }
    }

    /// What has become of the slots of all origins.
    package var slotCounters: SlotCounters { state.reloads.schedules.slotCounters }

    /// What scheduling has allocated now.
    package var schedulingMemory: SchedulingMemory {
        var memory = SchedulingMemory()
        memory.schedules = state.reloads.schedules.widgets.byteCount
        memory.timers = outbox.agenda.timerByteCount
        for origin in state.reloads.schedules.origins.ids {
            memory.slots += state.reloads.schedules.origins[origin].byteCount
        }
        memory.decisions = outbox.observer.decisions.byteCount
        memory.fields = state.reloads.fields.widgets.byteCount
        return memory
    }
}

extension Reloads {
    fileprivate func widgetCount(where isCounted: (borrowing Reloads, WidgetID) -> Bool) -> Int {
        var count = 0
        for device in delivery.devices.ids {
            var widget = delivery.devices[device].firstWidget
            while !widget.isNone {
                if isCounted(self, widget) { count += 1 }
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
        return count
    }
}
