import DataStructures
import ReloadModel
import WidgetMatching

/// Widgets of five kinds. An event matches 4.7 of them on average.
///
///     70 %  one equality                         an event matches one
///     10 %  two conditions, each with a list     one of the four with the same places
///     10 %  a prefix                             one
///      5 %  a range of numbers                   one
///      5 %  an equality and an anything-but      one, but three of ten events match none
struct BenchMatchMixed: BenchMatchGenerator {
    let widgets: Int

    private static var eventLength: Int { 200 }
    /// The number of widgets of the second kind that have the same places but different events.
    private static var sharing: Int { 4 }
    /// The number of values in a list.
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
            NumericBound(.greaterOrEqual, operand: .parameter("low")),
            NumericBound(.less, operand: .parameter("high")),
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
        assert(widget >= 0 && widget < widgets, "there is no widget \(widget)")
        return KindID(index: parts.firstIndex { widget < $0.upperBound } ?? 0)
    }

    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>? {
        let kind = kind(of: widget).index
        let number = widget - parts[kind].lowerBound
        switch kind {
        case 0: return text.string("character", prefix: "c-", number: number)
        case 1:
            let (group, member) = number.quotientAndRemainder(dividingBy: Self.sharing)
            text.strings(
                "place",
                prefix: "p-",
                numbers: group * Self.listed..<(group + 1) * Self.listed
            )
            text.strings(
                "event",
                prefix: "e-",
                numbers: member * Self.listed..<(member + 1) * Self.listed
            )
            return nil
        case 2:
            text.string("start", prefix: "guild/", number: number, suffix: "/")
            return nil
        case 3:
            text.number("low", value: number * 10)
            text.number("high", value: number * 10 + 10)
            return nil
        default:
            text.string("device", prefix: "d-", number: number % Self.devices)
            return text.string("player", prefix: "u-", number: number)
        }
    }

    func addEvent(
        _ number: Int,
        using random: inout SplitMix64,
        to events: inout BenchMatchEvents
    ) {
        let chosen = parts.map { random.below($0.count) }
        var matching = zip(parts, chosen).map { $0.lowerBound + $1 }
        // Three of ten events name the very device that the player's widget excludes.
        let isExcluded = number % 10 < 3
        if isExcluded { matching.removeLast() }
        events.add(app: .first, matching: matching, length: Self.eventLength) { text in
            var keys = [text.string("character", prefix: "c-", number: chosen[0])]
            let (group, member) = chosen[1].quotientAndRemainder(dividingBy: Self.sharing)
            keys.append(
                text.string(
                    "place",
                    prefix: "p-",
                    number: group * Self.listed + random.below(Self.listed)
                )
            )
            text.string(
                "event",
                prefix: "e-",
                number: member * Self.listed + random.below(Self.listed)
            )
            text.string("title", prefix: "guild/", number: chosen[2], suffix: "/hall/treasure")
            text.number("amount", value: chosen[3] * 10 + random.below(10))
            keys.append(text.string("player", prefix: "u-", number: chosen[4]))
            let device = chosen[4] % Self.devices + (isExcluded ? 0 : 1)
            text.string("device", prefix: "d-", number: device)
            return keys
        }
    }
}
