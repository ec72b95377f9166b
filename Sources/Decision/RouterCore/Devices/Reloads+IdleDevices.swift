internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Signs of life of devices, and their end: what is stored for a device ends with an empty WIDGETS,
/// by an operator, or when nothing has been heard of it for `RouterLimits.deviceIdle`.
///
/// Signs of life are frames and reports about it, ATTACH, and the beginning and end of its own
/// session. That APNs accepts a push is none: it does for phones that are off for good. Idleness
/// is measured in running time, as that of producers.
extension Reloads {
    /// The present running time in whole seconds.
    @inline(__always)
    private var runningSeconds: UInt32 {
        UInt32(clamping: clock.running.time(at: clock.now.monotonic).wholeSeconds)
    }

    /// Records that something was heard of a device. If its session has ended with its process, at
    /// an unknown time (`hasEnded`), the time at which running time was last counted stands for it.
    mutating func heard(of device: DeviceID, hasEnded: Bool = false) {
        // A process without sessions counts its time here.
        if !hasEnded { clock.countRunningTime() }
        let counted = UInt32(clamping: clock.running.total.wholeSeconds)
        let heardAt = hasEnded ? counted : runningSeconds
        if delivery.devices[device].heardAt < heardAt { delivery.devices[device].heardAt = heardAt }
    }

    /// A device has given the tokens again that it had. Returns whether it has tokens.
    @discardableResult
    mutating func confirmTokens(of device: DeviceID) -> Bool {
        if !apns.hasToken(device, in: delivery) { return false }
        heard(of: device)
        apns.tokensConfirmed(device, now: clock.now.wall)
        return true
    }

    /// For how long nothing has been heard of a device, in running time.
    @inline(__always)
    func idleTime(ofDevice device: DeviceID) -> Milliseconds {
        .seconds(Int64(runningSeconds) - Int64(delivery.devices[device].heardAt))
    }

    /// Whether a frame about a device has to be logged although it says nothing new, because it is
    /// the only sign of life for long.
    @inline(__always)
    func isSignOfLife(_ device: DeviceID, limit: Milliseconds) -> Bool {
        idleTime(ofDevice: device) >= min(.days(1), limit / 4)
    }

    /// Whether a device may be removed because nothing has been heard of it. While its own session
    /// is open, it is there.
    func isOverdue(_ device: DeviceID, limit: Milliseconds) -> Bool {
        if !delivery.isStored(device) || idleTime(ofDevice: device) < limit { return false }
        let record = delivery.devices[device]
        return !delivery.isAttached(record) || delivery.sessions[record.connection].role != .device
    }
}
