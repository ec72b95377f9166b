import Basics
import Platform
import WidgetMatching

/// Adds, replaces and removes widgets between batches of events, and times each change separately.
///
/// Every batch is checked against the widgets that are stored at that moment.
struct MatchUpdates {
    /// The kinds of changes.
    enum Change: String, CaseIterable {
        case add
        case replace
        case remove
    }

    private let generator: MatchEquality
    /// How long the changes of each kind took, in CPU time and wall time.
    private(set) var times = Change.allCases.map { _ in
        (cpu: [Nanoseconds](), clock: [Nanoseconds]())
    }
    /// The widget that waits for each value; `none` if there is no such widget.
    private var widgetOf: [WidgetID]
    /// The values for each of which a stored widget waits.
    private var stored: [Int]
    private var random: SplitMix64
    private let events: MatchEvents
    private let rounds: Int
    private let hashKey: HashKey

    /// Starts with the widgets that are stored, listed by the value that each waits for, and
    /// prepares `rounds` changes of each kind.
    init(
        _ generator: MatchEquality,
        ids: [WidgetID],
        rounds: Int,
        seed: UInt64,
        hashKey: HashKey
    ) {
        self.generator = generator
        self.rounds = rounds
        self.hashKey = hashKey
        random = SplitMix64(seed: seed ^ 0x75_7064_6174_6573)
        stored = Array(ids.indices)
        // Each value is used once: a round needs two new values.
        widgetOf = ids + Array(repeating: .none, count: 2 * rounds)
        // Events draw from all values: those that are stored, those that are gone, and those to
        // come.
        let every = MatchEquality(widgets: widgetOf.count)
        events = MatchEvents(every, count: WidgetMatcher.batchLimit * rounds, seed: seed)
    }

    /// Makes all changes, each kind in turn, and matches a batch before each.
    mutating func run(_ matcher: inout WidgetMatcher) throws {
        var scanner = PayloadScanner(hashKey: hashKey)
        var (next, batch) = (stored.count, 0)
        for _ in 0..<rounds {
            for (index, change) in Change.allCases.enumerated() {
                try matchBatch(batch, with: &matcher, scanner: &scanner)
                batch += 1
                let time = try make(change, new: next, in: &matcher)
                times[index].cpu.append(time.cpu)
                times[index].clock.append(time.clock)
                if change != .remove { next += 1 }
            }
        }
        try matchBatch(batch, with: &matcher, scanner: &scanner)
    }

    /// Makes one change, with a value that no widget has had before.
    private mutating func make(
        _ change: Change,
        new value: Int,
        in matcher: inout WidgetMatcher
    ) throws -> (cpu: Nanoseconds, clock: Nanoseconds) {
        let position = random.below(stored.count)
        let widget = widgetOf[stored[position]]
        assert(!widget.isNone, "a stored value has no widget")
        assert(change == .remove || widgetOf[value].isNone, "another widget has the value")
        let kind = generator.kind(of: value)
        let configuration = Array(generator.configuration(of: value).utf8)
        var added = widget
        let (cpu, clock) = (Nanoseconds.threadCPU, ExactTime.now)
        try configuration.withByteView { bytes in
            switch change {
            case .add: added = try matcher.insert(kind: kind, configuration: bytes)
            case .replace: try matcher.replace(widget, kind: kind, configuration: bytes)
            case .remove: matcher.remove(widget)
            }
        }
        let time = (cpu: .threadCPU - cpu, clock: ExactTime.now - clock)
        if change != .add {
            widgetOf[stored[position]] = .none
            stored.swapAt(position, stored.count - 1)
            stored.removeLast()
        }
        if change != .remove {
            widgetOf[value] = added
            stored.append(value)
        }
        return time
    }

    /// Matches a batch of events, and checks that exactly the stored widgets among them match.
    private func matchBatch(
        _ batch: Int,
        with matcher: inout WidgetMatcher,
        scanner: inout PayloadScanner
    ) throws {
        let first = batch * WidgetMatcher.batchLimit % events.count
        let numbers = first..<first + WidgetMatcher.batchLimit
        try events.withBytes {
            try events.match(numbers, of: $0, with: &matcher, scanner: &scanner)
        }
        // Each event can match one widget: the one that waits for its value, which is also the
        // generator's number in `matches`.
        let wanted = events.matches[numbers].map { widgetOf[Int($0)] }.filter { !$0.isNone }
        let found = (0..<matcher.matchCount).map { matcher.match(at: $0).widget }
        if found != wanted { throw BenchFailure("after a change, other widgets were matched") }
    }
}
