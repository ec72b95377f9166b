internal import Basics

/// An event of the simulation, and the device or widget it happens to.
struct SimulationEvent: BitwiseCopyable {
    /// The kinds of events.
    enum Kind: UInt8, BitwiseCopyable {
        /// A device connects, disconnects, or reports what changed while it was offline.
        case connect, disconnect, announce
        /// The owner looks at the home screen, or turns the screen off.
        case view, viewEnd
        /// The app is opened, goes to the background, or stops playing media.
        case open, leave, mediaEnd
        /// The device moves, its app requests a reload, or a widget is changed.
        case change
        /// A provider has built a timeline.
        case built
        /// A push about one character, about a topic of many widgets, about the hero in a burst,
        /// about the champion, or one of `Broadcast.programme`.
        case publish, wide, broadcast, duel, programme
        /// A part of the network fails.
        case outage
    }

    /// When the event happens, from the run's start.
    var time: Milliseconds
    /// The number of a device, or for `built` of a widget.
    var target: UInt32
    /// For `disconnect` the number of the device's connection; for `programme` the index of the
    /// broadcast; for `broadcast` the number of pushes that are left.
    var extra: UInt32
    var kind: Kind
}

/// A calendar queue (Brown 1988) for simulated time: it has a list for each second of the run, and
/// one for each tick of 10 ms in the current second.
///
/// Events in the same tick come in the order of insertion, so that a run depends on nothing but its
/// seed. All operations take constant time, averaged over a run. Events beyond the horizon are
/// dropped, because the run ends there.
struct EventQueue: ~Copyable {
    /// The length of a tick.
    static var tick: Milliseconds { .milliseconds(10) }
    private static var ticksPerSecond: Int { 100 }

    /// The events of each second after the current one.
    private var lists: [[SimulationEvent]]
    /// The events of each tick in the current second.
    private var ticks: [[SimulationEvent]]
    /// The second whose events are in `ticks`.
    private var second = 0
    /// The index of the first tick in the current second that may still have events.
    private var cursor = 0
    /// The number of events of that tick that were removed.
    private var taken = 0

    /// - Parameter horizon: the length of the run.
    init(horizon: Milliseconds) {
        lists = Array(repeating: [], count: Int(horizon.wholeSeconds) + 1)
        ticks = Array(repeating: [], count: Self.ticksPerSecond)
    }

    /// Inserts an event; its time must not be before the current tick.
    mutating func insert(_ event: SimulationEvent) {
        let second = Int(event.time.wholeSeconds)
        if second >= lists.count { return }
        assert(second >= self.second, "the event lies in the past")
        if second > self.second {
            lists[second].append(event)
        } else {
            assert(Self.index(event.time) >= cursor, "the event's tick is over")
            ticks[Self.index(event.time)].append(event)
        }
    }

    /// Returns the beginning of the next tick that has an event, from the run's start; nil if
    /// there is none before `limit`.
    ///
    /// After the call, time must advance to that tick, or to `limit` if there is none.
    mutating func nextTick(before limit: Milliseconds) -> Milliseconds? {
        while true {
            while cursor < ticks.count {
                if !ticks[cursor].isEmpty {
                    let tick = .seconds(Int64(second)) + Self.tick * Int64(cursor)
                    return tick < limit ? tick : nil
                }
                cursor += 1
            }
            guard second + 1 < lists.count, .seconds(Int64(second + 1)) < limit else { return nil }
            begin(second + 1)
        }
    }

    /// Advances time to a tick, which need not have an event.
    mutating func advance(to tick: Milliseconds) {
        assert(taken == 0, "the tick before has events left")
        let next = Int(tick.wholeSeconds)
        assert(next >= second, "time goes back")
        if second < next { begin(next) }
        cursor = Self.index(tick)
    }

    /// Removes and returns the next event of the current tick; nil after the last.
    mutating func popFirst() -> SimulationEvent? {
        if ticks[cursor].isEmpty { return nil }
        let event = ticks[cursor][taken]
        taken += 1
        if taken == ticks[cursor].count {
            ticks[cursor].removeAll(keepingCapacity: true)
            taken = 0
        }
        return event
    }

    private static func index(_ time: Milliseconds) -> Int {
        Int(time.rawValue % 1_000 / tick.rawValue)
    }

    /// Begins a second: distributes its events over the ticks.
    private mutating func begin(_ next: Int) {
        second = next
        cursor = 0
        for event in lists[next] { ticks[Self.index(event.time)].append(event) }
        lists[next] = []
    }
}
