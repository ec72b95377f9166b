import FrameCodec
import TestSupport

/// An app file, widgets and frames that a search makes more and more costly: numbers and choices
/// that can be changed one at a time, and what they stand for.
struct CostlyTraffic: CustomStringConvertible {
    /// A condition of a rule, at a field of the push or of the objects in its list.
    struct Condition {
        var test: Int
        var field: Int
        var isInList: Bool
    }

    /// A frame, and how much of everything is in it.
    struct Frame {
        /// Which of `kinds` it is.
        var kind: Int
        /// Elements: values of a list, objects, ids, entries or widgets.
        var count: Int
        /// Bytes of each text.
        var length: Int
        /// Different texts there are.
        var variety: Int
    }

    /// How a condition compares what the push has with a widget's `p`.
    private static let tests = [
        #""${configuration.p}""#, #"{"wildcard":"${configuration.p}"}"#,
        #"{"prefix":"${configuration.p}"}"#, #"{"suffix":"${configuration.p}"}"#,
        #"{"equals-ignore-case":"${configuration.p}"}"#, #"{"regexp":"${configuration.p}"}"#,
        #"{"anything-but":["${configuration.p}"]}"#, #"{"exists":true}"#,
        #"{"numeric":[">",1,"<=",5]}"#, #"{"wildcard":"*a*aaab*a"}"#, #"{"regexp":"(a|aa)*b"}"#,
        #""x""#,
    ]
    private static let kinds = [
        "values", "objects", "text", "widgets", "sight", "timeline", "refused", "nothing",
    ]
    private static let longestBody = 65_000

    private var conditions: [[Condition]]
    private var widgetCount: Int
    private var widgetLength: Int
    private var widgetVariety: Int
    var frames: [Frame]

    init(_ random: inout SeededGenerator) {
        conditions = (0..<2).map { _ in (0..<2).map { _ in Self.condition(&random) } }
        widgetCount = 20
        widgetLength = 4
        widgetVariety = 4
        frames = (0..<2).map { _ in Self.frame(&random) }
    }

    private static func condition(_ random: inout SeededGenerator) -> Condition {
        Condition(
            test: random.below(tests.count),
            field: random.below(3),
            isInList: random.below(2) == 0
        )
    }

    private static func frame(_ random: inout SeededGenerator) -> Frame {
        Frame(
            kind: random.below(kinds.count),
            count: 1 << random.below(12),
            length: 1 << random.below(8),
            variety: 1 << random.below(8)
        )
    }

    /// Another one, which differs in one or a few places.
    func mutated(_ random: inout SeededGenerator) -> CostlyTraffic {
        var other = self
        for _ in 0...random.below(3) { other.mutate(&random) }
        return other
    }

    private mutating func mutate(_ random: inout SeededGenerator) {
        let kind = random.below(conditions.count)
        let frame = random.below(frames.count)
        switch random.below(11) {
        case 0: conditions[kind].append(Self.condition(&random))
        case 1: conditions[kind][random.below(conditions[kind].count)] = Self.condition(&random)
        case 2 where conditions[kind].count > 1: conditions[kind].removeLast()
        case 3: widgetCount = Self.scaled(widgetCount, 2_000, &random)
        case 4: widgetLength = Self.scaled(widgetLength, 900, &random)
        case 5: widgetVariety = Self.scaled(widgetVariety, 2_000, &random)
        case 6: frames[frame].count = Self.scaled(frames[frame].count, 20_000, &random)
        case 7: frames[frame].length = Self.scaled(frames[frame].length, 60_000, &random)
        case 8: frames[frame].variety = Self.scaled(frames[frame].variety, 10_000, &random)
        case 9 where frames.count < 6: frames.append(frames[frame])
        default: frames[frame] = Self.frame(&random)
        }
    }

    private static func scaled(_ value: Int, _ most: Int, _ random: inout SeededGenerator) -> Int {
        let factors = [1, 2, 3, 5, 8, 16, 40]
        return max(1, min(most, value * random.pick(factors) / 4 + random.below(2)))
    }

    var description: String {
        let rules = (0..<conditions.count).map { rule($0) }
        let frames = frames.map {
            "\(Self.kinds[$0.kind]) \($0.count)×\($0.length) of \($0.variety)"
        }
        return
            "\(rules), \(widgetCount) widgets of \(widgetLength), \(widgetVariety) different, \(frames)"
    }

    // MARK: - What it stands for

    var appFile: String {
        let kinds = (0..<conditions.count).map { #"{"kind":"k\#($0)","match":\#(rule($0))}"# }
        return #"{"apps":[{"app":"game","kinds":[\#(kinds.joined(separator: ","))]}]}"#
    }

    private func rule(_ kind: Int) -> String {
        let outside = members(conditions[kind].filter { !$0.isInList })
        let inside = members(conditions[kind].filter(\.isInList))
        let list = inside.isEmpty ? [] : [#""l":{\#(inside.joined(separator: ","))}"#]
        return "{" + (outside + list).joined(separator: ",") + "}"
    }

    /// Of several conditions at one field any may hold.
    private func members(_ conditions: [Condition]) -> [String] {
        (0..<3).compactMap { field in
            let tests = conditions.filter { $0.field == field }.map { Self.tests[$0.test] }
            return tests.isEmpty ? nil : #""f\#(field)":[\#(tests.joined(separator: ","))]"#
        }
    }

    /// The bodies of WIDGETS that come first, each for another device.
    var registrations: [String] {
        (0..<(widgetCount + 99) / 100).map { device in
            let widgets = (device * 100..<min(widgetCount, (device + 1) * 100)).map { number in
                let text = Self.text(widgetLength, number % widgetVariety)
                return
                    #"{"id":"w\#(number)","kind":"k\#(number % 2)","configuration":{"p":"*\#(text)b"}}"#
            }
            return Self.list(#"{"device":"d\#(device)","widgets":["#, widgets, "]}")
        }
    }

    /// Letters that nearly match everywhere, told apart at their ends.
    private static func text(_ length: Int, _ number: Int) -> String {
        String(repeating: "a", count: length) + "a\(number)"
    }

    /// What a frame consists of.
    ///
    /// - Returns: whether a publisher sends it, its type, and its body.
    func content(of frame: Frame) -> (isPush: Bool, type: FrameType, body: String) {
        let texts = (0..<frame.count).lazy.map { Self.text(frame.length, $0 % frame.variety) }
        switch Self.kinds[frame.kind] {
        case "values":
            let values = texts.map { #""\#($0)""# }
            return (true, .push, Self.list(#"{"f1":"a","f0":["#, values, "]}"))
        case "objects":
            let objects = texts.enumerated().lazy.map { number, text in
                #"{"f0":"\#(text)","f1":\#(number),"f2":"x"}"#
            }
            return (true, .push, Self.list(#"{"f0":"a","l":["#, objects, "]}"))
        case "text":
            let text = Self.text(min(frame.length * 64, Self.longestBody - 20), 0)
            return (true, .push, #"{"f0":"\#(text)","f1":"x"}"#)
        case "widgets":
            let widgets = texts.enumerated().lazy.map { number, text in
                #"{"id":"v\#(number)","kind":"k0","configuration":{"p":"\#(text)"}}"#
            }
            return (
                false, .widgets,
                Self.list(#"{"device":"d0","widgets":["#, widgets.prefix(256), "]}")
            )
        case "sight":
            let ids = (0..<frame.count).lazy.map { #""w\#($0 % frame.variety)""# }
            return (false, .state, Self.list(#"{"device":"d0","visible":["#, ids, "]}"))
        case "timeline":
            let entries = (0..<min(frame.count, 400)).lazy.map { "\(1_700_000_000_000 + $0)" }
            return (
                false, .timeline,
                Self.list(
                    #"{"device":"d0","widget":"w0","policy":"atEnd","entries":["#,
                    entries,
                    "]}"
                )
            )
        case "refused": return (false, .state, String(repeating: "x", count: frame.length))
        default: return (true, .push, "{}")
        }
    }

    /// As many elements as a body has room for.
    private static func list(
        _ start: String,
        _ elements: some Sequence<String>,
        _ end: String
    ) -> String {
        var list = start
        for element in elements {
            if list.utf8.count + element.utf8.count + end.utf8.count + 1 > longestBody { break }
            if list.utf8.count > start.utf8.count { list += "," }
            list += element
        }
        return list + end
    }
}
