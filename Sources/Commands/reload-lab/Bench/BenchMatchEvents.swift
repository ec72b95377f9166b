import DataStructures
import ReloadModel
import WidgetMatching

/// The events of a workload in one buffer, in random order, with the matches that each must have.
struct BenchMatchEvents {
    /// One event; its keys and matches end where those of the next event begin.
    struct Event {
        /// The JSON, as a range of the buffer.
        let text: Range<Int>
        let app: AppID
        /// The index of its first key in `keys`.
        let firstKey: Int
        /// The index of its first match in `matches`.
        let firstMatch: Int
    }

    /// A value that the lookup reference looks up.
    struct Key {
        /// The value, as a range of the buffer.
        let text: Range<Int>
        let app: AppID
    }

    /// The number of events is a multiple of this, so that all batches are full and the generators'
    /// cycles complete.
    static var granularity: Int { 160 }

    private(set) var events: [Event] = []
    private(set) var text = BenchMatchText()
    private(set) var keys: [Key] = []
    /// The matching widgets, by the generator's numbers.
    private(set) var matches: [UInt32] = []

    var count: Int { events.count }

    /// Draws `count` events, rounded up to a multiple of `granularity`.
    init(_ generator: any BenchMatchGenerator, count: Int, seed: UInt64) {
        assert(Self.granularity % WidgetMatcher.batchLimit == 0, "the last batch would not be full")
        assert(count > 0, "a workload has no events")
        let whole = (count + Self.granularity - 1) / Self.granularity * Self.granularity
        var random = SplitMix64(seed: seed ^ 0x65_7665_6e74)
        events.reserveCapacity(whole)
        for number in 0..<whole { generator.addEvent(number, using: &random, to: &self) }
    }

    /// Adds an event that matches these widgets, padded to a length.
    ///
    /// `body` writes the members, and returns the ranges of the values that the lookup reference
    /// has to find.
    mutating func add(
        app: AppID,
        matching widgets: [Int],
        length: Int,
        body: (inout BenchMatchText) -> [Range<Int>]
    ) {
        let start = text.count
        let (firstKey, firstMatch) = (keys.count, matches.count)
        text.begin()
        keys.append(contentsOf: body(&text).map { Key(text: $0, app: app) })
        text.end(padding: start, to: length)
        matches.append(contentsOf: widgets.lazy.map { UInt32($0) })
        events.append(
            Event(
                text: start..<text.count,
                app: app,
                firstKey: firstKey,
                firstMatch: firstMatch
            )
        )
    }

    /// Returns the keys of the events from `first` up to `end`, which is not included.
    func keys(_ first: Int, upTo end: Int) -> Range<Int> {
        let last = end < events.count ? events[end].firstKey : keys.count
        return events[first].firstKey..<last
    }

    /// Returns the matches of the events from `first` up to `end`, which is not included.
    func matches(_ first: Int, upTo end: Int) -> Range<Int> {
        let last = end < events.count ? events[end].firstMatch : matches.count
        return events[first].firstMatch..<last
    }

    /// The most keys in any batch.
    var largestBatch: Int {
        stride(from: 0, to: count, by: WidgetMatcher.batchLimit)
            .map { keys($0, upTo: $0 + WidgetMatcher.batchLimit).count }
            .max() ?? 0
    }

    /// Returns the number of matches of `number` events from `first` on; after the last event, the
    /// first one follows.
    func matchCount(from first: Int, events number: Int) -> Int {
        assert(first >= 0 && first < count, "there is no event \(first)")
        let rounds = number / count
        let end = first + number % count
        var sum = rounds * matches.count
        if end > first { sum += matches(first, upTo: min(end, count)).count }
        if end > count { sum += matches(0, upTo: end - count).count }
        return sum
    }

    /// Passes a batch of events to the matcher and matches it.
    func match(
        _ batch: Range<Int>,
        of bytes: ByteView,
        with matcher: inout WidgetMatcher
    ) throws {
        for number in batch {
            let event = events[number]
            try matcher.enqueue(
                app: event.app,
                payload: bytes.slice(event.text.lowerBound, to: event.text.upperBound),
                tag: UInt32(number)
            )
        }
        matcher.matchQueued()
    }

    /// Calls `body` with the text of all events.
    func withBytes<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try text.bytes.withByteView(body)
    }
}
