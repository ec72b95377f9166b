internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Signs of life of devices, and their end: what is stored for a device ends with an empty WIDGETS,
/// by an operator, or when nothing has been heard of it for `RouterLimits.deviceIdle`.
///
/// Signs of life are frames and reports about it, ATTACH, and the beginning and end of its own
/// session. That APNs accepts a push is none: it does for phones that are off for good. Idleness
/// is measured in running time, as that of producers.
extension DeliveryTable {
    /// Records that something was heard of a device. If its session has ended with its process, at
    /// an unknown time (`hasEnded`), the time at which running time was last counted stands for it.
    mutating func heard(
        of device: DeviceID,
        clock: inout StateClock,
        hasEnded: Bool = false
    ) {
        // A process without sessions counts its time here.
        if !hasEnded { clock.countRunningTime() }
        let counted = UInt32(clamping: clock.running.total.wholeSeconds)
        let heardAt = hasEnded ? counted : clock.runningSeconds
        if devices[device].heardAt < heardAt { devices[device].heardAt = heardAt }
    }

    /// For how long nothing has been heard of a device, in running time.
    @inline(__always)
    func idleTime(of device: DeviceID, clock: StateClock) -> Milliseconds {
        .seconds(Int64(clock.runningSeconds) - Int64(devices[device].heardAt))
    }

    /// Whether a frame about a device has to be logged although it says nothing new, because it is
    /// the only sign of life for long.
    @inline(__always)
    func isSignOfLife(_ device: DeviceID, limit: Milliseconds, clock: StateClock) -> Bool {
        idleTime(of: device, clock: clock) >= min(.days(1), limit / 4)
    }

    /// Whether a device may be removed because nothing has been heard of it. While its own session
    /// is open, it is there.
    func isOverdue(_ device: DeviceID, limit: Milliseconds, clock: StateClock) -> Bool {
        if !isStored(device) || idleTime(of: device, clock: clock) < limit { return false }
        let record = devices[device]
        return !isAttached(record) || sessions[record.connection].role != .device
    }
}
