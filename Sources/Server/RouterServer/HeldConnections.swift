/// Connections that are not read from until the router takes frames again, by slot: a queue.
///
/// Within a turn, whoever was refused comes before whoever was interrupted, so that nobody who has
/// spent something gets another share before everybody else has had one. Whoever rests stands beside
/// the queue until its time has come, so that the loop may sleep.
struct HeldConnections {
    /// First to last from `head` on.
    private var queue: ContiguousArray<UInt32> = []
    private var head = 0
    /// Of this turn: those whose frames the router did not look at.
    private var refused: ContiguousArray<UInt32> = []
    /// Of this turn: those that have had frames taken.
    private var interrupted: ContiguousArray<UInt32> = []
    private var resting: ContiguousArray<(slot: UInt32, end: Int64)> = []
    /// When the first one has rested, in ms of the monotonic clock; nil if nobody rests.
    private(set) var restEnd: Int64?

    /// Those of earlier turns that do not rest.
    var count: Int { queue.count - head }
    /// All of them.
    var totalCount: Int { count + refused.count + interrupted.count + resting.count }
    /// Whether nobody is to be looked at in the next turn.
    var isEmpty: Bool { count == 0 && refused.isEmpty && interrupted.isEmpty }

    mutating func append(_ slot: UInt32, isRefused: Bool) {
        if isRefused { refused.append(slot) } else { interrupted.append(slot) }
    }

    /// Queues those of the turn that ends.
    mutating func endRound() {
        if refused.isEmpty && interrupted.isEmpty { return }
        if head > queue.count / 2 {
            queue.removeFirst(head)
            head = 0
        }
        queue.append(contentsOf: refused)
        queue.append(contentsOf: interrupted)
        refused.removeAll(keepingCapacity: true)
        interrupted.removeAll(keepingCapacity: true)
    }

    /// Puts one aside until a time, in ms of the monotonic clock.
    mutating func rest(_ slot: UInt32, until end: Int64) {
        resting.append((slot, end))
        restEnd = min(restEnd ?? .max, end)
    }

    /// Queues those that have rested.
    mutating func wake(at now: Int64) {
        guard let restEnd, restEnd <= now else { return }
        for entry in resting where entry.end <= now { queue.append(entry.slot) }
        resting.removeAll { $0.end <= now }
        self.restEnd = resting.map(\.end).min()
    }

    /// Takes out the one that has waited longest; there must be one.
    mutating func removeFirst() -> UInt32 {
        let slot = queue[head]
        head += 1
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
        }
        return slot
    }
}
