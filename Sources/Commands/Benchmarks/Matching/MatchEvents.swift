import Basics
import CReferences
import Glibc
import LoadReporting
import Platform
import WidgetMatching

/// The events of a workload in one buffer, in random order, with the matches that each must have.
struct MatchEvents {
    /// One event; its matches end where those of the next event begin.
    struct Event {
        /// The JSON, as a range of the buffer.
        let text: Range<Int>
        let app: AppID
        /// The index of its first match in `matches`.
        let firstMatch: Int
    }

    /// The number of events is a multiple of this, so that all batches are full and the generators'
    /// cycles complete.
    static var granularity: Int { 160 }
    private static let note = String(repeating: "nnnnn ", count: 40)

    private(set) var events: [Event] = []
    private var text: [UInt8] = []
    /// The matching widgets, by the generator's numbers.
    private(set) var matches: [UInt32] = []

    var count: Int { events.count }

    /// Draws `count` events, rounded up to a multiple of `granularity`.
    init(_ generator: any MatchGenerator, count: Int, seed: UInt64) {
        assert(Self.granularity % WidgetMatcher.batchLimit == 0, "the last batch would not be full")
        assert(count > 0, "a workload has no events")
        let whole = (count + Self.granularity - 1) / Self.granularity * Self.granularity
        var random = SplitMix64(seed: seed ^ 0x65_7665_6e74)
        events.reserveCapacity(whole)
        for number in 0..<whole {
            let event = generator.event(number, using: &random)
            let rest = max(0, event.length - event.members.utf8.count - 12)
            let start = text.count
            text += #"{\#(event.members),"note":"\#(Self.note.prefix(rest))"}"#.utf8
            events.append(
                Event(text: start..<text.count, app: event.app, firstMatch: matches.count)
            )
            matches += event.matches.map { UInt32($0) }
        }
    }

    /// Returns the matches of some events.
    func matches(_ batch: Range<Int>) -> ArraySlice<UInt32> {
        let last = batch.upperBound < count ? events[batch.upperBound].firstMatch : matches.count
        return matches[events[batch.lowerBound].firstMatch..<last]
    }

    /// Returns the number of matches of `number` events from `first` on; after the last event, the
    /// first one follows.
    func matchCount(from first: Int, events number: Int) -> Int {
        assert(first >= 0 && first < count, "there is no event \(first)")
        let rounds = number / count
        let end = first + number % count
        var sum = rounds * matches.count
        if end > first { sum += matches(first..<min(end, count)).count }
        if end > count { sum += matches(0..<end - count).count }
        return sum
    }

    /// Scans a batch of events and matches it.
    func match(
        _ batch: Range<Int>,
        of bytes: ByteView,
        with matcher: inout WidgetMatcher,
        scanner: inout PayloadScanner
    ) throws {
        scanner.follow(matcher)
        for number in batch {
            let push = try scan(number, of: bytes, with: &scanner)
            matcher.enqueue(push, tag: UInt32(number))
        }
        matcher.matchQueued()
    }

    /// Scans an event.
    @inline(__always)
    func scan(
        _ number: Int,
        of bytes: ByteView,
        with scanner: inout PayloadScanner
    ) throws -> ScannedPush {
        let event = events[number]
        return try scanner.scan(
            app: event.app,
            payload: bytes.slice(event.text.lowerBound, to: event.text.upperBound)
        )
    }

    /// Calls `body` with the text of all events.
    func withBytes<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try text.withByteView(body)
    }
}

/// Stores the widgets of a workload in a matcher, and measures what that costs.
struct MatchBuild {
    /// The number of configurations that are written before they are inserted, so that only the
    /// insertion is timed.
    private static var chunk: Int { 10_000 }

    /// The matcher's number for each widget.
    private(set) var ids: [WidgetID] = []
    /// CPU time of all insertions.
    private(set) var cpu = Nanoseconds.zero
    /// The growth of the process in bytes, without what the benchmark itself uses.
    let residentBytes: Int

    init(_ generator: any MatchGenerator, into matcher: inout WidgetMatcher) throws {
        // Memory that earlier workloads have freed would hide how much this one uses.
        reference_server_free_memory()
        let before = try LabProcess.residentBytes(of: getpid(), named: "the benchmark")
        matcher.install(apps: generator.apps)
        ids.reserveCapacity(generator.widgets)
        for first in stride(from: 0, to: generator.widgets, by: Self.chunk) {
            let chunk = (first..<min(generator.widgets, first + Self.chunk)).map { widget in
                (generator.kind(of: widget), Array(generator.configuration(of: widget).utf8))
            }
            let start = Nanoseconds.threadCPU
            for (kind, text) in chunk {
                ids.append(
                    try text.withByteView { try matcher.insert(kind: kind, configuration: $0) }
                )
            }
            cpu += .threadCPU - start
        }
        let own = ids.count * MemoryLayout<WidgetID>.stride
        let after = try LabProcess.residentBytes(of: getpid(), named: "the benchmark")
        residentBytes = after - before - own
    }
}
