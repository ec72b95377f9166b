internal import Basics
internal import ReloadScheduling

/// The timers of a fleet: three for each device, and one for each fetch from the origin that is
/// retried.
///
///     0 ..< N      a device wakes
///     N ..< 2 N    the device's owner does something
///     2 N ..< 3 N  a push comes by APNs
///     3 N ...      a fetch is retried
struct FleetTimers: ~Copyable {
    /// What a timer is for.
    enum Kind: Int {
        case wake, habit, delivery, fetch
    }

    private let devices: Int
    private var wheel: TimingWheel
    /// The timers that are due; those before `dueIndex` have been returned.
    private var due: ContiguousArray<TimerID> = []
    private var dueIndex = 0

    init(devices: Int, now: WallTime) {
        assert(devices > 0, "the kinds of timers would not differ")
        self.devices = devices
        wheel = TimingWheel(now: UInt64(max(0, now.rawValue)))
    }

    /// Starts or restarts a timer; stops it if `time` is nil.
    mutating func set(_ kind: Kind, for number: Int, at time: WallTime?) {
        assert(kind == .fetch || number < devices, "the timer would be one of another kind")
        let id = TimerID(index: kind.rawValue * devices + number)
        if let time {
            wheel.schedule(id, at: UInt64(max(0, time.rawValue)))
        } else {
            wheel.cancel(id)
        }
    }

    /// When the next timer is due at the earliest; nil if there is none.
    var next: WallTime? {
        let tick = dueIndex < due.count ? wheel.now : wheel.nextTick
        return tick.map { WallTime(rawValue: Int64(clamping: $0)) }
    }

    /// Removes and returns a timer that is due by `now`; nil if there is none.
    mutating func take(until now: WallTime) -> (kind: Kind, number: Int)? {
        if dueIndex == due.count {
            due.removeAll(keepingCapacity: true)
            dueIndex = 0
            let tick = UInt64(max(0, now.rawValue))
            while !wheel.advance(to: tick, limit: 1_024, into: &due), due.isEmpty {}
            if due.isEmpty { return nil }
        }
        let id = due[dueIndex].index
        dueIndex += 1
        let kind = min(id / devices, 3)
        return (Kind(rawValue: kind)!, id - kind * devices)
    }
}
