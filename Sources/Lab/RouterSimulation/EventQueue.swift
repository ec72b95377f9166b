internal import Times

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

    /// When the event happens, in ms since the run's start; see `time`. 32 bits are enough for a
    /// run of a week, and keep the event small.
    private var at: UInt32
    /// The number of a device, or for `built` of a widget.
    var target: UInt32
    /// For `disconnect` the number of the device's connection; for `programme` the index of the
    /// broadcast; for `broadcast` the number of pushes that are left.
    var extra: UInt32
    var kind: Kind

    init(time: Milliseconds, target: UInt32, extra: UInt32, kind: Kind) {
        at = UInt32(time.rawValue)
        self.target = target
        self.extra = extra
        self.kind = kind
    }

    /// When the event happens, from the run's start.
    var time: Milliseconds { .milliseconds(Int64(at)) }
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

    private var pool = EventChunks()
    /// The events of each second after the current one.
    private var lists: ContiguousArray<EventChunks.List>
    /// The events of each tick in the current second.
    private var ticks: ContiguousArray<EventChunks.List>
    /// The second whose events are in `ticks`.
    private var second = 0
    /// The index of the first tick in the current second that may still have events.
    private var cursor = 0

    /// - Parameter horizon: the length of the run.
    init(horizon: Milliseconds) {
        let seconds = Int(horizon.wholeSeconds) + 1
        lists = ContiguousArray(repeating: .init(), count: seconds)
        ticks = ContiguousArray(repeating: .init(), count: Self.ticksPerSecond)
    }

    /// Inserts an event; its time must not be before the current tick.
    mutating func insert(_ event: SimulationEvent) {
        let second = Int(event.time.wholeSeconds)
        if second >= lists.count { return }
        assert(second >= self.second, "the event lies in the past")
        if second > self.second {
            pool.append(event, to: &lists[second])
        } else {
            assert(Self.index(event.time) >= cursor, "the event's tick is over")
            pool.append(event, to: &ticks[Self.index(event.time)])
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
        let next = Int(tick.wholeSeconds)
        assert(next >= second, "time goes back")
        if second < next { begin(next) }
        cursor = Self.index(tick)
    }

    /// Removes and returns the next event of the current tick; nil after the last.
    mutating func popFirst() -> SimulationEvent? {
        pool.popFirst(&ticks[cursor])
    }

    private static func index(_ time: Milliseconds) -> Int {
        Int(time.rawValue % 1_000 / tick.rawValue)
    }

    /// Begins a second: distributes its events over the ticks.
    private mutating func begin(_ next: Int) {
        second = next
        cursor = 0
        while let event = pool.popFirst(&lists[next]) {
            pool.append(event, to: &ticks[Self.index(event.time)])
        }
    }
}

/// First-in-first-out lists of events, as chains of chunks from one pool.
struct EventChunks: ~Copyable {
    /// The number of events in a chunk.
    private static var chunk: Int { 16 }
    private static var none: UInt32 { .max }

    /// A list, whose chunks belong to the pool.
    struct List: BitwiseCopyable {
        fileprivate var head = EventChunks.none
        fileprivate var tail = EventChunks.none
        /// The number of events in the last chunk, and of events already removed from the first.
        fileprivate var fill = 0 as UInt32
        fileprivate var taken = 0 as UInt32

        var isEmpty: Bool { head == EventChunks.none }
    }

    private var events: ContiguousArray<SimulationEvent> = []
    /// The chunk that follows each chunk, in a list or among the free ones.
    private var links: ContiguousArray<UInt32> = []
    /// The first of the free chunks; `none` if there is none.
    private var free = EventChunks.none

    init() {}

    mutating func append(_ event: SimulationEvent, to list: inout List) {
        assert(list.fill <= UInt32(Self.chunk), "a chunk has more events than places")
        if list.isEmpty || list.fill == UInt32(Self.chunk) {
            let chunk = makeChunk()
            if list.isEmpty {
                list.head = chunk
                list.taken = 0
            } else {
                links[Int(list.tail)] = chunk
            }
            list.tail = chunk
            list.fill = 0
        }
        events[Int(list.tail) * Self.chunk + Int(list.fill)] = event
        list.fill += 1
    }

    mutating func popFirst(_ list: inout List) -> SimulationEvent? {
        if list.isEmpty { return nil }
        assert(
            list.taken < (list.head == list.tail ? list.fill : UInt32(Self.chunk)),
            "an empty chunk was left in the list"
        )
        let chunk = list.head
        let event = events[Int(chunk) * Self.chunk + Int(list.taken)]
        list.taken += 1
        let isLast = chunk == list.tail
        if list.taken == (isLast ? list.fill : UInt32(Self.chunk)) {
            list.head = isLast ? Self.none : links[Int(chunk)]
            list.taken = 0
            links[Int(chunk)] = free
            free = chunk
        }
        return event
    }

    private mutating func makeChunk() -> UInt32 {
        if free != Self.none {
            let chunk = free
            free = links[Int(chunk)]
            return chunk
        }
        let chunk = UInt32(links.count)
        links.append(Self.none)
        let blank = SimulationEvent(time: .zero, target: 0, extra: 0, kind: .connect)
        events.append(contentsOf: repeatElement(blank, count: Self.chunk))
        assert(events.count == links.count * Self.chunk, "a chunk has no link")
        return chunk
    }
}
