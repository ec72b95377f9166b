internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// What must hold for the pushes by APNs that were read from a checkpoint.
extension APNsTable {
    /// Checks the pushes to devices, of which none has a number above `last`. A device with a token
    /// and without a record has had none.
    mutating func checkRestored(
        in delivery: borrowing DeliveryTable,
        last: UInt64,
        now: MonotonicTime
    ) throws(StoreError) {
        if pushes.end > delivery.devices.end {
            throw StoreError.corrupt("there are pushes to devices that are not there")
        }
        for device in delivery.devices.ids where delivery.isStored(device) {
            let record = delivery.devices[device]
            if hasToken(device, in: delivery) { pushes.reserve(through: device, filling: .empty) }
            let mustHavePushes = record.has(DeviceRecord.pushable | DeviceRecord.pushing)
            if !pushes.has(device) {
                if !mustHavePushes { continue }
                throw StoreError.corrupt("the pushes to device \(device) are missing")
            }
            let push = pushes[device]
            let past = MonotonicTime.zero...now
            let pauses = MonotonicTime.zero...(.zero + Schedules.farthestDate)
            if !push.budget.isPossible(at: now, phase: Self.phase(of: device))
                || !past.contains(push.detachedAt) || !pauses.contains(push.pausedUntil)
                || max(push.number, push.settled) > last
                || !isPossible(push, of: device, in: delivery, now: now)
            {
                throw StoreError.corrupt("device \(device) has pushes that cannot be")
            }
        }
    }

    /// Whether a device has the tokens that its pushes need, and none of its background pushes is
    /// yet to come.
    private func isPossible(
        _ push: APNsRecord,
        of device: DeviceID,
        in delivery: borrowing DeliveryTable,
        now: MonotonicTime
    ) -> Bool {
        let now = max(MonotonicTime(rawValue: 1), now)
        for index in push.backgroundTimes.indices where push.backgroundTimes[index] > now {
            return false
        }
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable) { return true }
        let hasControls = hasControl(device, in: delivery) { $0.state == .good }
        if push.has(APNsRecord.controls) && !hasControls { return false }
        if push.has(APNsRecord.onlyControls) { return push.has(APNsRecord.controls) }
        if record.has(DeviceRecord.background) { return appToken(device).isPresent }
        return record.widgetsToken.isPresent
    }
}
