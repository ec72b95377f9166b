internal import HTTPServing

/// Answers whose time has not come, the earliest first; none is earlier than the one before it.
struct LateAnswers {
    struct Entry {
        /// In nanoseconds.
        let time: Int64
        let path: String
        let responder: HTTPResponder
    }

    /// Nil in front of `first`.
    private var entries: ContiguousArray<Entry?> = []
    private var first = 0

    var next: Int64? { first < entries.count ? entries[first]?.time : nil }

    mutating func append(_ entry: Entry) {
        if first > entries.count / 2 {
            entries.removeFirst(first)
            first = 0
        }
        entries.append(entry)
    }

    /// Takes the first one if its time has come.
    mutating func take(at now: Int64) -> Entry? {
        guard let time = next, time <= now else { return nil }
        defer { first += 1 }
        return entries[first].take()
    }
}
