internal import Basics

/// Slots of connections that are paused until the router accepts frames again: a fair queue.
///
/// At the end of a tick, connections refused without spending any work are queued before those that
/// were interrupted; so none gets a second share before every other has had one. A resting
/// connection, whose earlier frames were too costly, stays outside of the queue until its time has
/// come, so that the loop can sleep.
struct PausedConnections {
    /// Slots in queue order; the first `head` entries have been removed.
    private var queue: ContiguousArray<ConnectionSlot> = []
    private var head = 0
    /// The connections refused in this tick: the router did not look at their frames.
    private var refused: ContiguousArray<ConnectionSlot> = []
    /// The connections interrupted in this tick, after the router accepted some of their frames.
    private var interrupted: ContiguousArray<ConnectionSlot> = []
    /// Resting connections, and when each may continue.
    private var resting: ContiguousArray<(slot: ConnectionSlot, end: MonotonicTime)> = []
    /// When the first resting connection may continue; nil if none rests.
    private(set) var restEnd: MonotonicTime?

    /// Queued connections: those of earlier ticks that do not rest.
    var count: Int { queue.count - head }
    /// All paused connections, of this tick and resting ones included.
    var totalCount: Int { count + refused.count + interrupted.count + resting.count }
    /// True if the next tick has no connection to look at.
    var isEmpty: Bool { count == 0 && refused.isEmpty && interrupted.isEmpty }

    /// Adds a connection in this tick; it is queued by `endRound`.
    mutating func append(_ slot: ConnectionSlot, isRefused: Bool) {
        if isRefused { refused.append(slot) } else { interrupted.append(slot) }
    }

    /// Queues the connections of this tick; called at its end.
    mutating func endRound() {
        if refused.isEmpty && interrupted.isEmpty { return }
        assert(head <= queue.count, "more connections were removed than queued")
        if head > queue.count / 2 {
            queue.removeFirst(head)
            head = 0
        }
        queue.append(contentsOf: refused)
        queue.append(contentsOf: interrupted)
        refused.removeAll(keepingCapacity: true)
        interrupted.removeAll(keepingCapacity: true)
    }

    /// Sets a connection aside until a time.
    mutating func rest(_ slot: ConnectionSlot, until end: MonotonicTime) {
        assert((restEnd == nil) == resting.isEmpty, "the end of the first rest is not known")
        resting.append((slot, end))
        restEnd = min(restEnd ?? .max, end)
    }

    /// Queues the connections whose rest is over.
    mutating func wake(at now: MonotonicTime) {
        guard let restEnd, restEnd <= now else { return }
        for entry in resting where entry.end <= now { queue.append(entry.slot) }
        resting.removeAll { $0.end <= now }
        self.restEnd = resting.map(\.end).min()
        assert(self.restEnd ?? .max > now, "a connection rests whose rest is over")
    }

    /// Removes and returns the slot that has waited longest. The queue must not be empty.
    mutating func removeFirst() -> ConnectionSlot {
        precondition(head < queue.count, "no connection waits")
        let slot = queue[head]
        head += 1
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
        }
        return slot
    }
}
