internal import Basics
internal import ReloadScheduling

/// Slowing down devices that ask for a reload after every reload, whichever way: by REQUEST, by a
/// TIMELINE with a date that comes at once, or by a STATE.
extension DeliveryTable {
    /// Counts how many RELOADs in a row were followed by a request within `echoTime`. Returns
    /// whether the device loops, so that its requests have to wait.
    mutating func countEcho(_ device: DeviceID, now: MonotonicTime) -> Bool {
        // An app may send a request for each of its kinds: only the first one counts.
        if !devices[device].has(DeviceRecord.asked) { countFirstEcho(device, now: now) }
        return devices[device].loops
    }

    private mutating func countFirstEcho(_ device: DeviceID, now: MonotonicTime) {
        devices[device].flags |= DeviceRecord.asked
        let last = devices[device].lastReloadAt
        if last == .zero || now - last > DeviceRecord.echoTime {
            devices[device].loopCount = 0
        } else if devices[device].loopCount < 100 {
            devices[device].loopCount += 1
        }
    }

    /// Ends a device's loop if its last RELOAD was sent longer than `echoTime` ago; to be called
    /// only if it has sent no request since then.
    mutating func endLoop(_ device: DeviceID, now: MonotonicTime) {
        if now - devices[device].lastReloadAt > DeviceRecord.echoTime {
            devices[device].loopCount = 0
        }
    }
}

extension DeviceRecord {
    /// The time after a RELOAD within which a request counts as its echo; a date within this time
    /// comes at once.
    static var echoTime: Milliseconds { .seconds(5) }
    /// The number of consecutive echoes that make a loop.
    private static var loopLength: UInt8 { 3 }
    /// The longest time that a request of a looping device waits.
    private static var loopWaitLimit: Milliseconds { .hours(1) }

    /// Whether the device asks for a reload after every reload.
    fileprivate var loops: Bool { loopCount >= Self.loopLength }

    /// The time until which requests of the device for a widget with this spacing wait; nil if it
    /// does not loop.
    @inline(__always)
    func loopEnd(spacing: @autoclosure () -> Milliseconds) -> MonotonicTime? {
        if !loops { return nil }
        let spacing = max(spacing(), BudgetPolicy.widget.spacing)
        let doublings = Int64(min(loopCount - Self.loopLength, 12))
        return lastReloadAt + min(spacing * (1 << doublings), Self.loopWaitLimit)
    }
}
