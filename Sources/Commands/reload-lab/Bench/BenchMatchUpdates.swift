import DataStructures
import Platform
import ReloadModel
import Times
import WidgetMatching

/// Adds, replaces and removes widgets between batches of events, and times each change separately.
///
/// Every batch is checked against the widgets that are stored at that moment.
struct BenchMatchUpdates {
    /// The kinds of changes.
    enum Change: String, CaseIterable {
        case add
        case replace
        case remove
    }

    /// How long the changes of one kind took.
    struct Times {
        var cpu: [Nanoseconds] = []
        var clock: [Nanoseconds] = []
    }

    let generator: BenchMatchEquality
    private(set) var times = Change.allCases.map { _ in Times() }
    /// The widget that waits for each value; `none` if there is no such widget.
    private var widgetOf: [WidgetID]
    /// The values for each of which a stored widget waits.
    private var stored: [Int]
    private var random: SplitMix64
    private var configuration = BenchMatchText()
    private let events: BenchMatchEvents
    private let rounds: Int

    /// Starts with the widgets that are stored, listed by the value that each waits for, and
    /// prepares `rounds` changes of each kind.
    init(_ generator: BenchMatchEquality, ids: [WidgetID], rounds: Int, seed: UInt64) {
        self.generator = generator
        random = SplitMix64(seed: seed ^ 0x75_7064_6174_6573)
        stored = Array(ids.indices)
        // Each value is used once: a round needs two new values.
        widgetOf = ids + Array(repeating: .none, count: 2 * rounds)
        // Events draw from all values: those that are stored, those that are gone, and those to
        // come.
        let every = BenchMatchEquality(widgets: widgetOf.count)
        events = BenchMatchEvents(every, count: WidgetMatcher.batchLimit * rounds, seed: seed)
        for index in times.indices {
            times[index].cpu.reserveCapacity(rounds)
            times[index].clock.reserveCapacity(rounds)
        }
        self.rounds = rounds
    }

    /// Makes all changes, each kind in turn, and matches a batch before each.
    mutating func run(_ matcher: inout WidgetMatcher) throws {
        assert(times[0].cpu.isEmpty, "the changes have been made before")
        var next = stored.count
        var batch = 0
        for _ in 0..<rounds {
            for change in Change.allCases {
                try matchBatch(batch, with: &matcher)
                batch += 1
                try make(change, new: next, in: &matcher)
                if change != .remove { next += 1 }
            }
        }
        try matchBatch(batch, with: &matcher)
    }

    // MARK: - Changes

    /// Makes one change, with a value that no widget has had before.
    private mutating func make(
        _ change: Change,
        new value: Int,
        in matcher: inout WidgetMatcher
    ) throws {
        let position = random.below(stored.count)
        let widget = widgetOf[stored[position]]
        assert(!widget.isNone, "a stored value has no widget")
        assert(change == .remove || widgetOf[value].isNone, "another widget has the value")
        write(value)
        let kind = generator.kind(of: value)
        var added = widget
        let cpu = Nanoseconds.threadCPU
        let clock = ExactTime.now
        try configuration.bytes.withByteView { bytes in
            switch change {
            case .add: added = try matcher.insert(kind: kind, configuration: bytes)
            case .replace: try matcher.replace(widget, kind: kind, configuration: bytes)
            case .remove: matcher.remove(widget)
            }
        }
        let clockTime = ExactTime.now - clock
        record(change, cpu: .threadCPU - cpu, clock: clockTime)
        if change != .add {
            widgetOf[stored[position]] = .none
            stored.swapAt(position, stored.count - 1)
            stored.removeLast()
        }
        if change != .remove {
            widgetOf[value] = added
            stored.append(value)
        }
    }

    private mutating func write(_ value: Int) {
        configuration.removeAll()
        configuration.begin()
        _ = generator.writeConfiguration(of: value, to: &configuration)
        configuration.end()
    }

    private mutating func record(_ change: Change, cpu: Nanoseconds, clock: Nanoseconds) {
        let index = Change.allCases.firstIndex(of: change) ?? 0
        times[index].cpu.append(cpu)
        times[index].clock.append(clock)
    }

    // MARK: - Matching

    /// Matches a batch of events, and checks that exactly the stored widgets among them match.
    private func matchBatch(_ batch: Int, with matcher: inout WidgetMatcher) throws {
        let first = batch * WidgetMatcher.batchLimit % events.count
        assert(first + WidgetMatcher.batchLimit <= events.count, "a batch is not full")
        try events.withBytes { bytes in
            try events.match(first..<first + WidgetMatcher.batchLimit, of: bytes, with: &matcher)
        }
        var position = 0
        for number in first..<first + WidgetMatcher.batchLimit {
            // Each event can match one widget: the one that waits for its value, which is also the
            // generator's number in `matches`.
            let wanted = widgetOf[Int(events.matches[number])]
            if wanted.isNone { continue }
            if position == matcher.matchCount || matcher.match(at: position).widget != wanted {
                throw BenchFailure("a widget was not matched after a change")
            }
            position += 1
        }
        if position != matcher.matchCount {
            throw BenchFailure("a widget was matched that is not stored any more")
        }
    }
}
