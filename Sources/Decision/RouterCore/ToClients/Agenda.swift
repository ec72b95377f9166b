internal import Basics
internal import ReloadScheduling

/// What a router will do next on its own: its running timers, and the devices with pending RELOADs.
///
/// It follows from the state and is not part of it. A router that only applies a log has an empty
/// agenda, because timers and deliveries are inputs of the log. When such a router becomes active,
/// the agenda is built from the state.
///
///     a RELOAD is pending for a device with a session
///       connection accepts output `ready`, or `urgent`, until the next step
///       connection is full        `waiting`, until it accepts output again
///       app is paused             `paused`, until it is resumed; then `released`
///
///     a push is due to a device without one
///       in its lane               `lanes`, until `makeAPNsPush`
struct Agenda: ~Copyable {
    /// Whether this router acts on its own and keeps an agenda; false while it applies a log.
    private(set) var isKept = true
    /// Devices queued when none of their pending RELOADs was urgent; delivered after `urgent`. A
    /// device that has got an urgent one since is in both.
    var ready = ReadyQueue()
    /// Devices that had an urgent pending RELOAD when they were queued, or have got one since.
    var urgent = ReadyQueue()
    /// The connections whose output is above its limit, so that RELOADs for them wait and coalesce.
    private var full = NumberedArray<ConnectionSlot, Bool>()
    /// Devices by the connection whose output is too full to take their RELOADs.
    private(set) var waiting: [ConnectionSlot: ReadyQueue] = [:]
    /// Devices whose RELOADs wait because an operator has paused their app.
    private(set) var paused: [AppID: DeviceSet] = [:]
    /// The paused devices of each app that has been resumed; a few of them continue in each step.
    private(set) var released: [DeviceSet] = []
    /// The devices with a valid entry in one of the collections above; all other entries are stale.
    private var queued = DeviceSet()
    /// The devices to which pushes by APNs are due.
    var lanes = APNsLanes()
    /// A timer for each widget that waits for a time; a tick is 1 ms of schedule time.
    private(set) var timers = TimingWheel(now: 0)
    /// The timers that have expired, in order; its memory is reused.
    private var expired: ContiguousArray<TimerID> = []
    /// The widgets of these timers; its memory is reused.
    private var fired: ContiguousArray<WidgetID> = []
    /// Whether timers are due that the last step left to the next one, because of its limit.
    private(set) var hasMoreExpired = false
    /// When the push arrived whose matches are being applied; see `Outbox.arrival`. `none` while
    /// something else makes devices ready.
    var arrival = ExactTime.none

    init() {}

    /// Forgets everything, and records nothing until `start`.
    mutating func stop() {
        self = Agenda()
        isKept = false
    }

    /// Begins an empty agenda.
    mutating func start(now: ScheduleTime) {
        self = Agenda()
        timers = TimingWheel(now: Self.tick(now))
    }

    // MARK: - Devices

    /// Whether a step would find a device to deliver to; its entry may turn out to be stale.
    var hasReady: Bool { !ready.isEmpty || !urgent.isEmpty }

    /// Whether the device has an entry that is not stale.
    @inline(__always)
    func isQueued(_ device: DeviceID) -> Bool { queued.contains(device) }

    /// Marks a device as not queued; entries of it that remain in queues become stale. Returns
    /// whether it was queued.
    @discardableResult
    @inline(__always)
    mutating func removeQueued(_ device: DeviceID) -> Bool { queued.remove(device) }

    /// Queues a device for the next step, with `arrival` as the time of the push that causes it.
    @inline(__always)
    mutating func append(_ device: DeviceID, isUrgent: Bool) {
        assert(isKept, "a router that follows a log queues no devices")
        queued.insert(device)
        if isUrgent {
            urgent.append(device, arrival: arrival)
        } else {
            ready.append(device, arrival: arrival)
        }
    }

    /// Moves a device that is queued already before all devices without an urgent RELOAD; does
    /// nothing if it is not queued.
    ///
    /// Its first entry stays where it is: the one that is met first is valid, the other is stale.
    /// An entry in `waiting` or `paused` keeps its meaning, because delivery checks both again. It
    /// also moves ahead in `lane`, if it has a valid entry there.
    @inline(__always)
    mutating func expedite(_ device: DeviceID, lane: APNsLaneID) {
        if queued.contains(device) { urgent.append(device, arrival: arrival) }
        lanes.expedite(device, in: lane)
    }

    /// Makes a device wait until its connection accepts output again.
    mutating func wait(_ device: DeviceID, for connection: ConnectionSlot) {
        assert(isQueued(device), "the device's entries are stale")
        waiting[connection, default: ReadyQueue()].append(device, arrival: .none)
    }

    /// Whether the output of a connection is above its limit.
    @inline(__always)
    func isFull(_ connection: ConnectionSlot) -> Bool { full[connection, default: false] }

    /// Makes the devices of a connection wait whose RELOADs are met from now on, because its output
    /// is above its limit.
    mutating func outputFilled(_ connection: ConnectionSlot) {
        full[connection, default: false] = true
    }

    /// Forgets that a connection was full, because it accepts output again or was closed. Removes
    /// and returns the devices that wait for it, some of them perhaps stale.
    mutating func outputDrained(_ connection: ConnectionSlot) -> ReadyQueue? {
        if full.has(connection) { full[connection] = false }
        return waiting.removeValue(forKey: connection)
    }

    /// Makes a device wait until its app is resumed.
    mutating func wait(_ device: DeviceID, ofPaused app: AppID) {
        paused[app, default: DeviceSet()].insert(device)
    }

    /// Moves the devices of an app that has been resumed to those that `popReleased` returns.
    mutating func release(_ app: AppID) {
        if let devices = paused.removeValue(forKey: app) { released.append(devices) }
    }

    /// Whether devices of resumed apps are left that have not continued yet.
    @inline(__always)
    var hasReleased: Bool { !released.isEmpty }

    /// Removes and returns a device of a resumed app, nil if there is none; its RELOADs may have
    /// been sent or dropped meanwhile.
    mutating func popReleased() -> DeviceID? {
        while let last = released.indices.last {
            if let device = released[last].popLast() { return device }
            released.removeLast()
        }
        return nil
    }

    // MARK: - Timers

    /// The number of running timers.
    var timerCount: Int { timers.count }
    /// Bytes of the timers that are allocated from the system.
    var timerByteCount: Int { timers.byteCount }
    /// The earliest time at which a timer may expire; nil if none runs.
    var nextTimer: ScheduleTime? {
        timers.nextTick.map { ScheduleTime(rawValue: Int64(clamping: $0)) }
    }

    /// The tick of the timing wheel at a time.
    @inline(__always)
    private static func tick(_ time: ScheduleTime) -> UInt64 { UInt64(max(.zero, time).rawValue) }

    /// Sets a widget's only timer, in place of the one before; `.max` for no timer.
    @inline(__always)
    mutating func setTimer(of widget: WidgetID, to time: ScheduleTime) {
        assert(isKept || time == .max, "a router that follows a log has no timers")
        if time == .max {
            timers.cancel(TimerID(widget))
        } else {
            timers.schedule(TimerID(widget), at: Self.tick(time))
        }
    }

    /// Moves the timers that are due to `expired`, at most `RouterLimits.timersPerStep` of them.
    mutating func expireTimers(now: ScheduleTime) {
        hasMoreExpired = !timers.advance(
            to: Self.tick(now),
            limit: RouterLimits.timersPerStep,
            into: &expired
        )
    }

    /// Removes and returns the widgets of expired timers; pass the list to `returnMemory`
    /// afterwards.
    mutating func takeExpired() -> ContiguousArray<WidgetID> {
        var list: ContiguousArray<WidgetID> = []
        swap(&list, &fired)
        for timer in expired { list.append(timer.widget) }
        expired.removeAll(keepingCapacity: true)
        return list
    }

    /// Receives the memory of the list that `takeExpired` returned, to use it again.
    mutating func returnMemory(_ list: inout ContiguousArray<WidgetID>) {
        assert(expired.isEmpty, "timers have expired meanwhile")
        list.removeAll(keepingCapacity: true)
        swap(&list, &fired)
    }
}

extension TimerID {
    /// A widget's only timer, which has the widget's number.
    @inline(__always)
    init(_ widget: WidgetID) { self.init(rawValue: widget.rawValue) }

    /// The widget whose timer this is.
    @inline(__always)
    var widget: WidgetID { WidgetID(rawValue: rawValue) }
}
