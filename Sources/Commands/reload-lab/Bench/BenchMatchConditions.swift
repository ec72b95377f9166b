import DataStructures
import ReloadModel
import WidgetMatching

/// Widgets with five or six conditions each; an event matches ten.
///
/// A group of twenty widgets shares all values but the phase. An event about a group finds all
/// twenty as candidates, and the last condition, on the phase, excludes ten of them.
struct BenchMatchConditions: BenchMatchGenerator {
    let widgets: Int
    let seed: UInt64

    private static var eventLength: Int { 240 }
    private static var groupSize: Int { 20 }
    private static var matchesPerEvent: Int { 10 }

    /// The fields of an event, and how many values each has; 0 means one value for each group.
    private static let fields: [(name: String, values: Int)] = [
        ("character", 0), ("guild", 0), ("player", 0), ("region", 50), ("event", 20),
        ("platform", 4), ("language", 30), ("season", 4), ("level", 60), ("phase", 2),
    ]
    /// The fields in each kind's rule; the first one identifies the group.
    private static let kinds: [[Int]] = [
        [0, 3, 4, 6, 9], [0, 5, 7, 8, 6, 9], [1, 3, 4, 7, 9], [1, 5, 6, 8, 4, 9],
        [2, 3, 5, 8, 9], [2, 4, 6, 7, 3, 9], [0, 1, 4, 8, 9], [2, 0, 3, 6, 7, 9],
    ]

    var apps: [WidgetMatcher.App] {
        let rules = Self.kinds.map { fields in
            EventPattern(conditions: fields.map { .own(Self.fields[$0].name) })
        }
        return [.benchmark(rules)]
    }

    func kind(of widget: Int) -> KindID {
        KindID(index: widget % Self.matchesPerEvent % Self.kinds.count)
    }

    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>? {
        let (group, position) = widget.quotientAndRemainder(dividingBy: Self.groupSize)
        var key: Range<Int>?
        for field in Self.kinds[kind(of: widget).index] {
            let range = write(field, of: group, phase: position / Self.matchesPerEvent, to: &text)
            key = key ?? range
        }
        return key
    }

    func addEvent(
        _ number: Int,
        using random: inout SplitMix64,
        to events: inout BenchMatchEvents
    ) {
        assert(widgets >= Self.groupSize, "there is no whole group of widgets")
        // Widgets left over after the last whole group match nothing.
        let group = random.below(widgets / Self.groupSize)
        let phase = random.below(2)
        let first = group * Self.groupSize + phase * Self.matchesPerEvent
        events.add(
            app: .first,
            matching: Array(first..<first + Self.matchesPerEvent),
            length: Self.eventLength
        ) { text in
            var keys: [Range<Int>] = []
            for field in Self.fields.indices {
                let range = write(field, of: group, phase: phase, to: &text)
                if Self.fields[field].values == 0 { keys.append(range) }
            }
            return keys
        }
    }

    /// Writes a field with its value in a group.
    private func write(
        _ field: Int,
        of group: Int,
        phase: Int,
        to text: inout BenchMatchText
    ) -> Range<Int> {
        let (name, values) = Self.fields[field]
        if name == "phase" { return text.string(name, prefix: "phase-", number: phase) }
        if values == 0 { return text.string(name, prefix: "one-of-all-", number: group) }
        let chance = SplitMix64.mixed(seed ^ UInt64(group * Self.fields.count + field))
        return text.string(name, prefix: "value-", number: Int(chance % UInt64(values)))
    }
}
