internal import Basics

/// Devices that have reported, without a session, that their app is in the foreground or plays
/// media, with the time until which that holds.
///
/// No session ends when such an app is killed, so what it has said ends by itself unless another
/// report renews it. The queue has each device once; it is looked at when its time has come, and
/// then waits again if it has reported meanwhile. There are at most as many as devices.
struct ReportedStates {
    /// How long a report holds; it may hold up to twice as long if it was renewed.
    static var life: Milliseconds { .minutes(5) }

    private var ends: [DeviceID: MonotonicTime] = [:]
    private var queue: [(device: DeviceID, time: MonotonicTime)] = []
    /// The entries of `queue` before this one are done.
    private var first = 0

    /// When a device is to be looked at next; nil if there is none.
    var nextEnd: MonotonicTime? { first < queue.count ? queue[first].time : nil }

    /// What a device has said holds from now on.
    mutating func renew(_ device: DeviceID, now: MonotonicTime) {
        let end = now + Self.life
        if ends.updateValue(end, forKey: device) == nil { queue.append((device, end)) }
    }

    /// Takes the device that was to be looked at first, and whether its time is over: otherwise it
    /// waits again. Returns nil if no time has come.
    mutating func popDue(now: MonotonicTime) -> (device: DeviceID, isOver: Bool)? {
        guard let time = nextEnd, time <= now else { return nil }
        let device = queue[first].device
        first += 1
        if first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        if let end = ends[device], end > now {
            queue.append((device, now + Self.life))
            return (device, false)
        }
        ends[device] = nil
        return (device, true)
    }
}
