internal import Basics
internal import ChangeDetection
package import ReloadScheduling

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
