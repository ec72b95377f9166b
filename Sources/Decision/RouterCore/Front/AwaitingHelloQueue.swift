internal import Basics

/// Connections in the order in which they were opened, to find the oldest without a HELLO.
///
/// A connection that says HELLO or closes stays in the queue until it comes to the front, where
/// the caller checks whether it still waits.
struct AwaitingHelloQueue {
    /// A connection, and the generation of its slot when it was opened.
    struct Entry: BitwiseCopyable {
        var connection: ConnectionSlot
        var generation: UInt32
    }

    /// The connections, the oldest first; those before `head` are removed already.
    private(set) var entries: ContiguousArray<Entry> = []
    /// The index of the first entry that has not been removed.
    private(set) var head = 0
    /// How many connections have not said HELLO yet; the caller subtracts 1 when one of them has
    /// said it, is ended or is closed.
    var count = 0

    /// Adds a connection that has just been opened.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
        count += 1
        // Removed entries are freed when they take more than half of the memory.
        if head > 1_024 && head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// The oldest entry, whether or not its connection still waits; nil if the queue is empty.
    var first: Entry? { head < entries.count ? entries[head] : nil }

    /// Removes the oldest entry, and leaves `count` as it is.
    mutating func removeFirst() {
        assert(head < entries.count, "the queue is empty")
        head += 1
    }
}
