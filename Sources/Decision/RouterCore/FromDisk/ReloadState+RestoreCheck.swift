internal import Basics
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Checks that the records of a checkpoint agree with each other, so that none of them can cause a
/// trap later.
extension ReloadState {
    /// Ends restoring: checks that the records agree, and throws `corrupt` if they do not.
    mutating func endRestore() throws(StoreError) {
        try restoring.widgets?.finish(&matcher)
        if let device = reloads.delivery.finishRestoring() {
            throw StoreError(.corrupt, message: "device \(device) has the name of another one")
        }
        for kind in reloads.catalog.kinds.ids {
            reloads.delivery.countBytes(
                of: reloads.catalog.kinds[kind].app,
                adding: matcher.index.storedCost(of: kind)
            )
        }
        try checkCounts()
        try publishers.finishRestoring()
        try checkRevocations()
        try reloads.schedules.checkClocks(now: reloads.clock.schedule.now)
        var usedSlots = 0
        for device in reloads.delivery.devices.ids where reloads.delivery.isStored(device) {
            try reloads.checkRecord(of: device)
            try checkPending(of: device)
            try reloads.checkSchedules(of: device, counting: &usedSlots)
        }
        try reloads.checkPushes()
        try reloads.delivery.restoreEndedTokens(
            last: max(reloads.numbers.tokenEnd, reloads.numbers.reload)
        )
        try reloads.delivery.checkRestoredWidgets()
        try reloads.schedules.checkSlots(usedSlots)
        try reloads.checkQueued()
        updatePatternLoads()
        restoring = RestoreState()
    }

    private func checkCounts() throws(StoreError) {
        let counts = restoring.counts
        func check(_ what: String, found: UInt32, wanted: UInt32) throws(StoreError) {
            if found == wanted { return }
            throw StoreError(.corrupt, message: "\(found) \(what) are there, and not \(wanted)")
        }
        try checkPages()
        try check("devices", found: UInt32(reloads.delivery.devices.count), wanted: counts.devices)
        try check("widgets", found: UInt32(matcher.index.widgetCount), wanted: counts.widgets)
        try check("producers", found: UInt32(publishers.producers.count), wanted: counts.producers)
    }

    /// Checks that no page of the tables is missing.
    func checkPages() throws(StoreError) {
        let counts = restoring.counts
        if reloads.delivery.widgets.end == counts.widgetEnd
            && reloads.schedules.widgets.end == counts.widgetEnd
            && reloads.delivery.devices.end == counts.deviceEnd
        {
            return
        }
        throw StoreError(
            .corrupt,
            message:
                "there are pages for \(reloads.delivery.widgets.end) widgets, \(reloads.schedules.widgets.end) schedules "
                + "and \(reloads.delivery.devices.end) devices, and not for \(counts.widgetEnd) and \(counts.deviceEnd)"
        )
    }

    /// Checks that a device's pending chain contains exactly its widgets that are ready, each once.
    private func checkPending(of device: DeviceID) throws(StoreError) {
        var ready = 0
        var widget = reloads.delivery.devices[device].firstWidget
        while !widget.isNone {
            if reloads.delivery.widgets[widget].stage == .ready { ready += 1 }
            widget = reloads.delivery.widgets[widget].nextOfDevice
        }
        var pending = reloads.delivery.devices[device].firstPending
        while !pending.isNone, ready >= 0 {
            guard matcher.index.isStored(pending),
                reloads.delivery.widgets[pending].device == device,
                reloads.delivery.widgets[pending].stage == .ready
            else {
                throw StoreError(.corrupt, message: "device \(device) has a wrong widget pending")
            }
            ready -= 1
            pending = reloads.delivery.widgets[pending].nextPending
        }
        if ready != 0 {
            throw StoreError(
                .corrupt,
                message: "the widgets that device \(device) has pending are others"
            )
        }
    }
}
