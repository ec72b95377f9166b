import DataStructures
import ReloadModel
import WidgetMatching

/// Widgets of five kinds, as many as an app may have; 4.7 of them match an event.
///
///     70 %  one equality                         an event matches one
///     10 %  two conditions, each with a list     one of the four that have its place
///     10 %  a prefix                             one
///      5 %  a range of numbers                   one
///      5 %  an equality and an anything-but      one in seven of ten events
struct BenchMatchMixed: BenchMatchGenerator {
    let widgets: Int

    private static var eventLength: Int { 200 }
    /// Widgets of the second kind that have the same places, and differ in their events.
    private static var sharing: Int { 4 }
    /// Values in a list.
    private static var listed: Int { 3 }
    private static var devices: Int { 7 }

    /// The widgets of each kind, in the kinds' order.
    private let parts: [Range<Int>]

    init(widgets: Int) {
        self.widgets = widgets
        var parts: [Range<Int>] = []
        var first = 0
        for percent in [70, 10, 10, 5, 5] {
            let end = parts.count == 4 ? widgets : first + widgets * percent / 100
            parts.append(first..<end)
            first = end
        }
        self.parts = parts
    }

    var apps: [WidgetMatcher.App] {
        let range = PatternTest.numeric([
            NumericBound(.greaterOrEqual, .parameter("low")),
            NumericBound(.less, .parameter("high")),
        ])
        let but = PatternTest.anythingBut([.equals(.parameter("device"))])
        let conditions: [[PatternCondition]] = [
            [.own("character")],
            [.own("place"), .own("event")],
            [.field("title", [.text(.prefix, .parameter("start"))])],
            [.field("amount", [range])],
            [.own("player"), .field("device", [but])],
        ]
        return [.benchmark(conditions.map { EventPattern(conditions: $0) })]
    }

    func kind(of widget: Int) -> KindID {
        KindID(parts.firstIndex { widget < $0.upperBound } ?? 0)
    }

    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>? {
        let kind = Int(kind(of: widget))
        let number = widget - parts[kind].lowerBound
        switch kind {
        case 0: return text.string("character", "c-", number)
        case 1:
            let (group, turn) = number.quotientAndRemainder(dividingBy: Self.sharing)
            text.strings("place", "p-", group * Self.listed..<(group + 1) * Self.listed)
            text.strings("event", "e-", turn * Self.listed..<(turn + 1) * Self.listed)
            return nil
        case 2:
            text.string("start", "guild/", number, "/")
            return nil
        case 3:
            text.number("low", number * 10)
            text.number("high", number * 10 + 10)
            return nil
        default:
            text.string("device", "d-", number % Self.devices)
            return text.string("player", "u-", number)
        }
    }

    func addEvent(
        _ number: Int,
        _ random: inout SplitMix64,
        to events: inout BenchMatchEvents
    ) {
        let chosen = parts.map { random.below($0.count) }
        var matching = zip(parts, chosen).map { $0.lowerBound + $1 }
        // Three of ten events name just the device that the player's widget excludes.
        let isExcluded = number % 10 < 3
        if isExcluded { matching.removeLast() }
        events.add(app: 0, matching: matching, length: Self.eventLength) { text in
            var keys = [text.string("character", "c-", chosen[0])]
            let (group, turn) = chosen[1].quotientAndRemainder(dividingBy: Self.sharing)
            keys.append(
                text.string("place", "p-", group * Self.listed + random.below(Self.listed))
            )
            text.string("event", "e-", turn * Self.listed + random.below(Self.listed))
            text.string("title", "guild/", chosen[2], "/hall/treasure")
            text.number("amount", chosen[3] * 10 + random.below(10))
            keys.append(text.string("player", "u-", chosen[4]))
            let device = chosen[4] % Self.devices + (isExcluded ? 0 : 1)
            text.string("device", "d-", device)
            return keys
        }
    }
}
