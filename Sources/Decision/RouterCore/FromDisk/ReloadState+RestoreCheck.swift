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
            throw StoreError.corrupt("device \(device) has the name of another one")
        }
        for kind in reloads.catalog.kinds.ids {
            reloads.delivery.countBytes(
                of: reloads.catalog.kinds[kind].app,
                adding: matcher.index.storedCost(of: kind)
            )
        }
        try checkCounts()
        try publishers.finishRestoring()
        // Without the revocations, stolen tokens would be good again.
        if !restoring.hasRevocations {
            throw StoreError.corrupt("the list of revoked tokens is missing")
        }
        // Without it, pushes would be applied twice, or be lost.
        if restoring.hasHomes == partition.isOnly {
            throw StoreError.corrupt("what partitions know of each other's pushes is missing")
        }
        try reloads.schedules.checkClocks(now: reloads.clock.schedule.now)
        var usedSlots = 0
        for device in reloads.delivery.devices.ids where reloads.delivery.isStored(device) {
            if !isOwn(device) {
                throw StoreError.corrupt("device \(device) is another partition's")
            }
            try reloads.delivery.checkRecord(
                of: device,
                lastSession: reloads.numbers.session,
                now: reloads.clock.now.monotonic
            )
            if let problem = reloads.delivery.problemOfPending(of: device) {
                throw StoreError.corrupt(problem)
            }
            try reloads.schedules.checkSchedules(
                of: device,
                in: reloads.delivery,
                by: reloads.catalog,
                now: reloads.clock.now.monotonic,
                counting: &usedSlots
            )
        }
        try reloads.apns.checkRestored(
            in: reloads.delivery,
            last: reloads.numbers.reload,
            now: reloads.clock.now.monotonic
        )
        try reloads.apns.restoreEndedTokens(
            last: max(reloads.numbers.tokenEnd, reloads.numbers.reload),
            in: reloads.delivery
        )
        try reloads.delivery.checkRestoredWidgets()
        try reloads.schedules.checkSlots(usedSlots)
        let unqueued = reloads.schedules.unqueuedWidget(in: reloads.delivery, by: reloads.catalog)
        if let widget = unqueued {
            throw StoreError.corrupt("widget \(widget) waits for a permit and is in no queue")
        }
        matcher.updatePatternLoads(in: reloads.delivery)
        restoring = RestoreState()
    }

    private func checkCounts() throws(StoreError) {
        let counts = restoring.counts
        func check(_ what: String, found: UInt32, wanted: UInt32) throws(StoreError) {
            if found == wanted { return }
            throw StoreError.corrupt("\(found) \(what) are there, and not \(wanted)")
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
        throw StoreError.corrupt(
            "there are pages for \(reloads.delivery.widgets.end) widgets, \(reloads.schedules.widgets.end) schedules "
                + "and \(reloads.delivery.devices.end) devices, and not for \(counts.widgetEnd) and \(counts.deviceEnd)"
        )
    }
}
