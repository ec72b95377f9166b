/// What is to happen, and to whom.
struct SimulationEvent: BitwiseCopyable {
    enum What: UInt8, BitwiseCopyable {
        case connect, disconnect, announce
        case view, viewEnd
        case open, leave, mediaEnd
        case change
        case built
        case publish, wide, storm, duel, programme
        case outage
    }

    /// Milliseconds since the run's start.
    var at: UInt32
    /// A device, or a widget for `built`.
    var target: UInt32
    /// Which connection of the device is meant, or which item of the programme.
    var extra: UInt32
    var what: What
}

/// A calendar queue (Brown 1988) for simulated time: a list for each second, and, for the second
/// that has begun, one for each turn of 10 ms.
///
/// What lies in the same turn comes in the order in which it was put there, so that a run depends on
/// nothing but its seed. O(1) each; what lies behind the horizon is dropped, because the run ends
/// there.
struct EventQueue: ~Copyable {
    /// Length of a turn, in ms.
    static var turn: Int64 { 10 }
    private static var turnsPerSecond: Int { 100 }

    private var pool = EventChunks()
    private var lists: ContiguousArray<EventChunks.List>
    private var turns: ContiguousArray<EventChunks.List>
    /// The second whose events lie in `turns`.
    private var second = 0
    /// The first turn of it that may still hold some.
    private var cursor = 0

    /// - Parameter horizon: the run's length in ms.
    init(horizon: Int64) {
        let seconds = Int(horizon / 1_000) + 1
        lists = ContiguousArray(repeating: .init(), count: seconds)
        turns = ContiguousArray(repeating: .init(), count: Self.turnsPerSecond)
    }

    /// Puts an event where `nextTurn` finds it; its time is not before the turn that time has gone
    /// to.
    mutating func insert(_ event: SimulationEvent) {
        let second = Int(event.at / 1_000)
        if second >= lists.count { return }
        assert(second >= self.second, "the event lies in the past")
        if second > self.second {
            pool.append(event, to: &lists[second])
        } else {
            pool.append(event, to: &turns[Self.index(Int64(event.at))])
        }
    }

    /// The beginning of the next turn that holds an event, if that is before `limit` (in ms).
    ///
    /// Time must then go to that turn, or to `limit` if there is none.
    mutating func nextTurn(before limit: Int64) -> Int64? {
        while true {
            while cursor < turns.count {
                if !turns[cursor].isEmpty {
                    let turn = Int64(second) * 1_000 + Int64(cursor) * Self.turn
                    return turn < limit ? turn : nil
                }
                cursor += 1
            }
            guard second + 1 < lists.count, Int64(second + 1) * 1_000 < limit else { return nil }
            begin(second + 1)
        }
    }

    /// Time goes to `turn`, in which the queue need not have an event.
    mutating func advance(to turn: Int64) {
        if Int64(second) < turn / 1_000 { begin(Int(turn / 1_000)) }
        cursor = Self.index(turn)
    }

    /// Takes the next event of the turn that time has gone to.
    mutating func popFirst() -> SimulationEvent? {
        pool.popFirst(&turns[cursor])
    }

    private static func index(_ at: Int64) -> Int { Int(at % 1_000 / turn) }

    /// Deals the events of a second out to its turns.
    private mutating func begin(_ next: Int) {
        second = next
        cursor = 0
        while let event = pool.popFirst(&lists[next]) {
            pool.append(event, to: &turns[Self.index(Int64(event.at))])
        }
    }
}

/// First-in-first-out lists of events: chains of chunks from one pool.
struct EventChunks: ~Copyable {
    private static var chunk: Int { 16 }
    private static var none: UInt32 { .max }

    struct List: BitwiseCopyable {
        fileprivate var head = EventChunks.none
        fileprivate var tail = EventChunks.none
        /// Events that the last chunk holds, and those of the first that are taken.
        fileprivate var fill = 0 as UInt32
        fileprivate var taken = 0 as UInt32

        var isEmpty: Bool { head == EventChunks.none }
    }

    private var events: ContiguousArray<SimulationEvent> = []
    /// The next chunk of a list, or of the free ones.
    private var links: ContiguousArray<UInt32> = []
    private var free = EventChunks.none

    init() {}

    mutating func append(_ event: SimulationEvent, to list: inout List) {
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
        let blank = SimulationEvent(at: 0, target: 0, extra: 0, what: .connect)
        events.append(contentsOf: repeatElement(blank, count: Self.chunk))
        return chunk
    }
}
