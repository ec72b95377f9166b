/// Connections in the order they were opened, to find the oldest that has not said HELLO.
struct AwaitingQueue {
    struct Entry: BitwiseCopyable {
        var connection: UInt32
        var generation: UInt32
    }

    private var entries: ContiguousArray<Entry> = []
    private var head = 0
    /// How many of the entries still wait.
    var count = 0

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        count += 1
        // Entries that have said HELLO or gone are dropped when half of the memory is theirs.
        if head > 1_024 && head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// The oldest entry, whether or not it still waits.
    var first: Entry? { head < entries.count ? entries[head] : nil }

    mutating func removeFirst() {
        head += 1
    }
}
