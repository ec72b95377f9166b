internal import ReloadModel
internal import ReloadScheduling

/// What a router will do next by itself: timers that run, and devices that RELOADs are due for.
///
/// It follows from the state and is no part of it. A router that only applies a log has an empty agenda:
/// there, timers and deliveries are inputs. When such a router begins to act, the agenda is built from the
/// state.
///
///     a RELOAD is pending for a device with a session
///       connection takes output   `ready`, or `urgent`, until the next step
///       connection is full        `waiting`, until it takes output again
///       app is paused             `paused`, until it is resumed; then `released`
struct Agenda: ~Copyable {
    /// Whether this router acts by itself, and so keeps an agenda.
    private(set) var isKept = true
    var ready = ReadyQueue()
    var urgent = ReadyQueue()
    /// Devices by the connection that is too full to take their RELOADs.
    private var waiting: [UInt32: ReadyQueue] = [:]
    /// Devices whose RELOADs wait because an operator has paused their app.
    private var paused: [AppID: DeviceSet] = [:]
    /// Of apps that have been resumed: they go on some at a time.
    private var released: [DeviceSet] = []
    /// Devices that are in one of these.
    private var queued = DeviceSet()
    /// A timer for each widget that waits for something, in ms of schedule time.
    private(set) var timers = TimingWheel(now: 0)
    /// Timers that have expired, in their order, and the memory for the next ones.
    private var expired: ContiguousArray<WidgetID> = []
    /// Whether more timers have expired than a step moves on.
    private(set) var hasMoreExpired = false
    /// Arrival time of the push whose matches are being applied (driver clock, ns); 0 if something else
    /// makes devices ready.
    var arrival: Int64 = 0

    init() {}

    /// Forgets everything, and keeps nothing until `start`.
    mutating func stop() {
        self = Agenda()
        isKept = false
    }

    /// Begins an empty agenda.
    ///
    /// - Parameter now: schedule time.
    mutating func start(now: Int64) {
        self = Agenda()
        timers = TimingWheel(now: UInt64(max(0, now)))
    }

    // MARK: - Devices

    var hasReady: Bool { !ready.isEmpty || !urgent.isEmpty }

    @inline(__always)
    func isQueued(_ device: DeviceID) -> Bool { queued.contains(device) }

    /// Marks a device as not queued; an entry of it that is left in a queue is skipped there.
    ///
    /// - Returns: whether it was.
    @discardableResult
    @inline(__always)
    mutating func removeQueued(_ device: DeviceID) -> Bool { queued.remove(device) }

    @inline(__always)
    mutating func append(_ device: DeviceID, isUrgent: Bool) {
        queued.insert(device)
        if isUrgent {
            urgent.append(device, arrival: arrival)
        } else {
            ready.append(device, arrival: arrival)
        }
    }

    /// Lets a device wait until a connection takes output again.
    mutating func wait(_ device: DeviceID, for connection: UInt32) {
        waiting[connection, default: ReadyQueue()].append(device, arrival: 0)
    }

    /// Takes out the devices that wait for a connection.
    mutating func removeWaiting(for connection: UInt32) -> ReadyQueue? {
        waiting.removeValue(forKey: connection)
    }

    /// Lets a device wait until its app is resumed.
    mutating func wait(_ device: DeviceID, ofPaused app: AppID) {
        paused[app, default: DeviceSet()].insert(device)
    }

    /// The app has been resumed.
    mutating func release(_ app: AppID) {
        if let devices = paused.removeValue(forKey: app) { released.append(devices) }
    }

    /// Whether devices of an app that has been resumed are left.
    @inline(__always)
    var hasReleased: Bool { !released.isEmpty }

    /// Takes out a device of a resumed app; its RELOADs may have been sent or dropped since it was put in.
    mutating func popReleased() -> DeviceID? {
        while let last = released.indices.last {
            if let device = released[last].popLast() { return device }
            released.removeLast()
        }
        return nil
    }

    // MARK: - Timers

    var timerCount: Int { timers.count }
    var timerByteCount: Int { timers.byteCount }
    /// When timers expire next, or may, in schedule time; nil if none runs.
    var nextTimer: Int64? { timers.nextTick.map { Int64(clamping: $0) } }

    /// Sets a widget's one timer.
    ///
    /// - Parameters:
    ///   - widget: whose.
    ///   - time: schedule time; `Int64.max` for no timer.
    @inline(__always)
    mutating func setTimer(_ widget: WidgetID, _ time: Int64) {
        if time == .max {
            timers.cancel(widget)
        } else {
            timers.schedule(widget, at: UInt64(max(0, time)))
        }
    }

    /// Moves the timers that are due to `expired`: as many as a step may move on.
    mutating func expireTimers(now: Int64) {
        hasMoreExpired = !timers.advance(
            to: UInt64(now),
            limit: RouterLimits.timersPerStep,
            into: &expired
        )
    }

    /// Takes the expired timers out; `giveBack` returns their memory.
    mutating func takeExpired() -> ContiguousArray<WidgetID> {
        var list: ContiguousArray<WidgetID> = []
        swap(&list, &expired)
        return list
    }

    mutating func giveBack(_ list: inout ContiguousArray<WidgetID>) {
        list.removeAll(keepingCapacity: true)
        swap(&list, &expired)
    }
}
