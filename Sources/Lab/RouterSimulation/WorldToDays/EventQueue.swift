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

/// A calendar queue (Brown 1988) for simulated time: it has a list for each second of the run, of
/// which the current one is sorted.
///
/// Events in the same tick come in the order of insertion, so that a run depends on nothing but its
/// seed. Events beyond the horizon are dropped, because the run ends there.
struct EventQueue: ~Copyable {
    /// The length of a tick; all events happen at the beginning of one.
    static var tick: Milliseconds { .milliseconds(10) }

    /// The events of each second after the current one.
    private var lists: [[SimulationEvent]]
    /// The events of the current second in order; those before `next` were removed.
    private var current: [SimulationEvent] = []
    private var next = 0
    private var second = 0
    private var now = Milliseconds.zero

    /// - Parameter horizon: the length of the run.
    init(horizon: Milliseconds) {
        lists = Array(repeating: [], count: Int(horizon.wholeSeconds) + 1)
    }

    /// Inserts an event; its time must not be before the current tick.
    mutating func insert(_ event: SimulationEvent) {
        let second = Int(event.time.wholeSeconds)
        if second >= lists.count { return }
        assert(event.time >= now && second >= self.second, "the event lies in the past")
        if second > self.second { return lists[second].append(event) }
        // After those of the same tick.
        var (low, high) = (next, current.count)
        while low < high {
            let middle = (low + high) / 2
            if current[middle].time > event.time { high = middle } else { low = middle + 1 }
        }
        current.insert(event, at: low)
    }

    /// Returns the beginning of the next tick that has an event, from the run's start; nil if
    /// there is none before `limit`.
    ///
    /// After the call, time must advance to that tick, or to `limit` if there is none.
    mutating func nextTick(before limit: Milliseconds) -> Milliseconds? {
        while next == current.count {
            guard second + 1 < lists.count, .seconds(Int64(second + 1)) < limit else { return nil }
            begin(second + 1)
        }
        return current[next].time < limit ? current[next].time : nil
    }

    /// Advances time to a tick, which need not have an event.
    mutating func advance(to tick: Milliseconds) {
        assert(tick >= now, "time goes back")
        if second < Int(tick.wholeSeconds) { begin(Int(tick.wholeSeconds)) }
        now = tick
        assert(
            next == current.count || current[next].time >= now,
            "the tick before has events left"
        )
    }

    /// Removes and returns the next event of the current tick; nil after the last.
    mutating func popFirst() -> SimulationEvent? {
        guard next < current.count, current[next].time == now else { return nil }
        next += 1
        return current[next - 1]
    }

    /// Begins a second: sorts its events.
    private mutating func begin(_ next: Int) {
        assert(self.next == current.count, "the second before has events left")
        current = lists[next].enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        lists[next] = []
        (second, self.next) = (next, 0)
    }
}
