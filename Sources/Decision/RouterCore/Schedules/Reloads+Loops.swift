internal import Basics
internal import FrameCodec

/// Slowing down devices that ask for a reload after every reload, whichever way: by REQUEST, by a
/// TIMELINE with a date that comes at once, or by a STATE.
extension Reloads {
    /// The time after a RELOAD within which a request counts as its echo; a date within this time
    /// comes at once.
    private static var echoTime: Milliseconds { .seconds(5) }
    /// The number of consecutive echoes that make a loop.
    private static var loopLength: UInt8 { 3 }
    /// The longest time that a request of a looping device waits.
    private static var loopWaitLimit: Milliseconds { .hours(1) }

    /// Counts how many RELOADs in a row were followed by a request within `echoTime`. Returns
    /// whether the device loops, so that its requests have to wait.
    mutating func countEcho(_ device: DeviceID) -> Bool {
        // An app may send a request for each of its kinds: only the first one counts.
        if !delivery.devices[device].has(DeviceRecord.asked) { countFirstEcho(device) }
        return delivery.devices[device].loopCount >= Self.loopLength
    }

    private mutating func countFirstEcho(_ device: DeviceID) {
        delivery.devices[device].flags |= DeviceRecord.asked
        let last = delivery.devices[device].lastReloadAt
        if last == .zero || clock.now.monotonic - last > Self.echoTime {
            delivery.devices[device].loopCount = 0
        } else if delivery.devices[device].loopCount < 100 {
            delivery.devices[device].loopCount += 1
        }
    }

    /// Ends a device's loop if its last RELOAD was sent longer than `echoTime` ago; to be called
    /// only if it has sent no request since then.
    mutating func endLoop(_ device: DeviceID) {
        if clock.now.monotonic - delivery.devices[device].lastReloadAt > Self.echoTime {
            delivery.devices[device].loopCount = 0
        }
    }

    func isLooping(_ widget: WidgetID) -> Bool {
        loopEnd(widget).map { $0 > clock.now.monotonic } ?? false
    }

    /// The time until which requests of a looping device wait; nil if the device does not loop.
    func loopEnd(_ widget: WidgetID) -> MonotonicTime? {
        let device = delivery.devices[delivery.widgets[widget].device]
        if device.loopCount < Self.loopLength { return nil }
        let spacing = max(rules(of: widget).budget.spacing, BudgetPolicy.widget.spacing)
        let doublings = Int64(min(device.loopCount - Self.loopLength, 12))
        return device.lastReloadAt + min(spacing * (1 << doublings), Self.loopWaitLimit)
    }

    /// The date until which a widget has to wait whose device asks to be reloaded at once after
    /// each RELOAD; nil if the date that its timeline asks for holds.
    mutating func loopEnd(
        _ widget: WidgetID,
        wanted date: WallTime,
        of message: TimelineMessage,
        into out: inout Outbox
    ) -> WallTime? {
        // A device's own timer asks for nothing.
        if message.ownTimer || date > clock.now.wall + Self.echoTime { return nil }
        let isLooping = countEcho(delivery.widgets[widget].device)
        guard isLooping, let end = loopEnd(widget), end > clock.now.monotonic else { return nil }
        log(widget, reason: .loop, cause: .after, until: end, into: &out)
        return min(clock.now.wall + (end - clock.now.monotonic), .lastDate)
    }
}
