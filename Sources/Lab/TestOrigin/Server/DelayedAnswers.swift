internal import Basics
internal import HTTPServing

/// Requests whose answers are due later, ordered by time: each must be due no earlier than the one
/// appended before it.
struct DelayedAnswers {
    /// A request to answer later.
    struct Entry {
        /// When the answer is due.
        let time: ExactTime
        let path: String
        let responder: HTTPResponder
    }

    /// The requests from index `first` on; the entries before it are nil.
    private var entries: ContiguousArray<Entry?> = []
    private var first = 0

    /// When the first answer is due; nil if there is none.
    var next: ExactTime? { first < entries.count ? entries[first]?.time : nil }

    /// Appends a request; it must be due no earlier than the last one.
    mutating func append(_ entry: Entry) {
        assert(entries.last??.time ?? .none <= entry.time, "the answer is due before the last one")
        if first > entries.count / 2 {
            entries.removeFirst(first)
            first = 0
        }
        entries.append(entry)
    }

    /// Removes and returns the first entry if it is due.
    mutating func take(at now: ExactTime) -> Entry? {
        assert(first <= entries.count, "a request was answered that does not wait")
        guard let time = next, time <= now else { return nil }
        defer { first += 1 }
        return entries[first].take()
    }
}
