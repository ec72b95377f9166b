import Basics
import WidgetMatching

/// Generates a workload: rules, widgets, and events whose matches are known.
///
/// Widgets are identified by number; the same number always gives the same widget. Texts need no
/// escapes.
protocol MatchGenerator {
    var widgets: Int { get }
    var apps: [WidgetMatcher.App] { get }

    func kind(of widget: Int) -> KindID

    func configuration(of widget: Int) -> String

    /// Draws the event with this number.
    func event(_ number: Int, using random: inout SplitMix64) -> MatchEvent
}

/// An event that a generator has drawn.
struct MatchEvent {
    var app = AppID.first
    let members: String
    /// The number of bytes to which it is padded.
    let length: Int
    let matches: [Int]
}

extension MatchGenerator {
    /// An app whose kinds have rules with these conditions.
    fileprivate func app(
        _ app: AppID = .first,
        firstKind: Int = 0,
        rules: [[PatternCondition]]
    ) -> WidgetMatcher.App {
        WidgetMatcher.App(
            app: app,
            kinds: rules.enumerated().map { number, conditions in
                WidgetMatcher.Kind(
                    kind: KindID(index: firstKind + number),
                    name: "kind-\(number)",
                    rule: EventPattern(conditions: conditions)
                )
            }
        )
    }
}

extension PatternCondition {
    /// A field that must equal the widget's parameter of the same name, or one of its values.
    fileprivate static func own(_ name: String) -> PatternCondition {
        .field(name, [.equals(.parameter(name))])
    }
}

/// Widgets that each wait for a value of their own in one field; an event matches one, or none.
///
/// With several apps, every app has the same values: their widgets differ only in the app.
struct MatchEquality: MatchGenerator {
    let widgets: Int
    var appCount = 1
    /// True if each event has a value that a widget waits for.
    var isMatched = true

    var apps: [WidgetMatcher.App] {
        (0..<appCount).map { number in
            app(AppID(index: number), firstKind: number, rules: [[.own("character")]])
        }
    }

    func kind(of widget: Int) -> KindID { KindID(index: widget % appCount) }

    func configuration(of widget: Int) -> String {
        #"{"character":"c-\#(widget / appCount)"}"#
    }

    func event(_ number: Int, using random: inout SplitMix64) -> MatchEvent {
        let widget = random.below(widgets)
        let value = "\(isMatched ? "c" : "n")-\(widget / appCount)"
        return MatchEvent(
            app: AppID(index: widget % appCount),
            members: #""app":"com.mygame","character":"\#(value)","event":"level-up","level":30"#,
            length: 96,
            matches: isMatched ? [widget] : []
        )
    }
}

/// Widgets of five kinds. An event matches 4.7 of them on average.
///
///     70 %  one equality                         an event matches one
///     10 %  two conditions, each with a list     one of the four with the same places
///     10 %  a prefix                             one
///      5 %  a range of numbers                   one
///      5 %  an equality and an anything-but      one, but three of ten events match none
struct MatchMixed: MatchGenerator {
    let widgets: Int

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
        let rules: [[PatternCondition]] = [
            [.own("character")],
            [.own("place"), .own("event")],
            [.field("title", [.text(.prefix, .parameter("start"))])],
            [.field("amount", [range])],
            [.own("player"), .field("device", [but])],
        ]
        return [app(rules: rules)]
    }

    func kind(of widget: Int) -> KindID {
        assert(widget >= 0 && widget < widgets, "there is no widget \(widget)")
        return KindID(index: parts.firstIndex { widget < $0.upperBound } ?? 0)
    }

    func configuration(of widget: Int) -> String {
        let kind = kind(of: widget).index
        let number = widget - parts[kind].lowerBound
        switch kind {
        case 0: return #"{"character":"c-\#(number)"}"#
        case 1:
            let (group, member) = number.quotientAndRemainder(dividingBy: Self.sharing)
            let (places, events) = (list("p", of: group), list("e", of: member))
            return #"{"place":[\#(places)],"event":[\#(events)]}"#
        case 2: return #"{"start":"guild/\#(number)/"}"#
        case 3: return #"{"low":\#(number * 10),"high":\#(number * 10 + 10)}"#
        default: return #"{"device":"d-\#(number % Self.devices)","player":"u-\#(number)"}"#
        }
    }

    /// The values of a list, each with a number of its own.
    private func list(_ letter: String, of group: Int) -> String {
        (0..<Self.listed).map { #""\#(letter)-\#(group * Self.listed + $0)""# }
            .joined(separator: ",")
    }

    func event(_ number: Int, using random: inout SplitMix64) -> MatchEvent {
        let chosen = parts.map { random.below($0.count) }
        var matches = zip(parts, chosen).map { $0.lowerBound + $1 }
        // Three of ten events name the very device that the player's widget excludes.
        let isExcluded = number % 10 < 3
        if isExcluded { matches.removeLast() }
        let (group, member) = chosen[1].quotientAndRemainder(dividingBy: Self.sharing)
        let place = group * Self.listed + random.below(Self.listed)
        let event = member * Self.listed + random.below(Self.listed)
        let amount = chosen[3] * 10 + random.below(10)
        let device = chosen[4] % Self.devices + (isExcluded ? 0 : 1)
        return MatchEvent(
            members:
                #""character":"c-\#(chosen[0])","place":"p-\#(place)","event":"e-\#(event)","#
                + #""title":"guild/\#(chosen[2])/hall/treasure","amount":\#(amount),"#
                + #""player":"u-\#(chosen[4])","device":"d-\#(device)""#,
            length: 200,
            matches: matches
        )
    }
}

/// Widgets with a wildcard each, in four alternating shapes; an event matches one.
struct MatchWildcards: MatchGenerator {
    let widgets: Int

    var apps: [WidgetMatcher.App] {
        [app(rules: [[.field("title", [.text(.wildcard, .parameter("glob"))])]])]
    }

    func kind(of widget: Int) -> KindID { .first }

    func configuration(of widget: Int) -> String { #"{"glob":"\#(text(widget) { "*" })"}"# }

    func event(_ number: Int, using random: inout SplitMix64) -> MatchEvent {
        let widget = random.below(widgets)
        let character = random.below(widgets)
        // The stars are replaced by letters, so that no other widget's number can appear.
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let title = text(widget) {
            String((0..<random.below(24)).map { _ in letters[random.below(letters.count)] })
        }
        return MatchEvent(
            members: #""character":"c-\#(character)","title":"\#(title)""#,
            length: 140,
            matches: [widget]
        )
    }

    /// A widget's wildcard; `star` gives each of its stars, or the text in its place.
    private func text(_ widget: Int, star: () -> String) -> String {
        // All numbers have as many digits, so that no number is a part of another.
        let number = "-" + String(100_000_000 + widget).dropFirst() + "-"
        switch widget % 4 {
        case 0: return number + star()
        case 1: return "quest " + star() + number + star() + " done"
        case 2: return star() + number
        default: return star() + number + star()
        }
    }
}
