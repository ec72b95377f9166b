internal import Basics
internal import ChangeDetection
package import ReloadScheduling

extension Router {
    /// The number of widgets with a pending reload.
    ///
    /// - Complexity: proportional to all widgets, because it visits each.
    package var pendingReloadCount: Int {
        state.reloads.delivery.widgetCount { state.reloads.delivery.widgets[$0].stage != .idle }
    }

    /// The number of widgets whose date holds a slot at an origin; the ledgers count the same
    /// unless a slot has leaked.
    ///
    /// - Complexity: proportional to all widgets, because it visits each.
    package var usedSlotCount: Int {
        state.reloads.delivery.widgetCount { !state.reloads.schedules.widgets[$0].slot.isNone }
    }

    /// What has become of the slots of all origins.
    package var slotCounters: SlotCounters { state.reloads.schedules.slotCounters }
}

extension DeliveryTable {
    fileprivate func widgetCount(where isCounted: (WidgetID) -> Bool) -> Int {
        var count = 0
        for device in devices.ids {
            var widget = devices[device].firstWidget
            while !widget.isNone {
                if isCounted(widget) { count += 1 }
                widget = widgets[widget].nextOfDevice
            }
        }
        return count
    }
}
