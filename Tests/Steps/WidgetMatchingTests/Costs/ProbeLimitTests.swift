import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("The most keys that one push may look for")
struct ProbeLimitTests {
    private static func list(_ count: Int) -> String {
        "[\((0..<count).map { "\($0)" }.joined(separator: ","))]"
    }

    /// Queues a good push, the payload, and another good one, and says which were refused.
    private func queue(
        _ harness: inout MatcherHarness,
        _ payload: String,
        good: String
    ) -> (refused: [Int], found: [WidgetMatch]) {
        let texts = [good, payload, good].map { Array($0.utf8) }
        var refused: [Int] = []
        // One after the other in memory that stays until all are matched.
        let all = texts.flatMap { $0 }
        let found = all.withByteView { all in
            var start = 0
            for (tag, text) in texts.enumerated() {
                let view = all.slice(start, to: start + text.count)
                start += text.count
                do throws(PayloadError) {
                    try harness.enqueue(view, tag: UInt32(tag))
                } catch {
                    #expect(error == .tooManyProbes)
                    refused.append(tag)
                }
            }
            harness.matcher.matchQueued()
            return (0..<harness.matcher.matchCount).map { harness.matcher.match(at: $0) }
        }
        return (refused, found)
    }

    @Test("Lists do not multiply for a rule that asks for a field which the push lacks")
    func missingField() throws {
        let rule = try EventPattern(
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"],"h":["${configuration.r}"]}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":1,"q":2,"r":3}"#)
        let lists = #""f":\#(Self.list(1_000)),"g":\#(Self.list(1_000))"#
        let good = #"{"f":1,"g":2,"h":3}"#
        let (refused, found) = queue(&harness, "{\(lists)}", good: good)
        #expect(refused == [])
        #expect(found.map(\.widget) == [widget, widget])
        #expect(queue(&harness, "{\(lists),\"h\":3}", good: good).refused == [1])
    }

    @Test(
        "Lists do not multiply either if that field is an empty list or an object",
        .timeLimit(.minutes(1)),
        arguments: ["f", "g", "h"]
    )
    func emptyField(name: String) throws {
        let rule = try EventPattern(
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"],"h":["${configuration.r}"]}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":1,"q":2,"r":3}"#)
        let good = #"{"f":1,"g":2,"h":3}"#
        let others = ["f", "g", "h"].filter { $0 != name }
        let lists = others.map { "\"\($0)\":\(Self.list(16_000))" }.joined(separator: ",")
        for empty in ["[]", "{}", "[[]]"] {
            let (refused, found) = queue(&harness, "{\(lists),\"\(name)\":\(empty)}", good: good)
            #expect(refused == [])
            #expect(found.map(\.widget) == [widget, widget])
        }
    }

    @Test("Empty lists in many elements count as often as they are gone through")
    func emptyElements() throws {
        let rule = try EventPattern(
            #"{"a":["${configuration.p}"],"b":["${configuration.q}"],"items":{"t":["${configuration.r}"]}}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":1,"q":2,"r":3}"#)
        let good = #"{"a":1,"b":2,"items":[{"t":3}]}"#
        let items = repeatElement(#"{"t":[]}"#, count: 6_500).joined(separator: ",")
        let (refused, found) = queue(
            &harness,
            "{\"a\":\(Self.list(180)),\"b\":\(Self.list(180)),\"items\":[\(items)]}",
            good: good
        )
        #expect(refused == [1])
        #expect(found.map(\.widget) == [widget, widget])
    }

    @Test("Lists that multiply to it are matched; beyond it only that push is refused")
    func combinations() throws {
        let rule = try EventPattern(
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"]}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":255,"q":127}"#)
        let good = #"{"f":255,"g":127}"#
        // 256 times 128: 2^15.
        let limit = queue(&harness, #"{"f":\#(Self.list(256)),"g":\#(Self.list(128))}"#, good: good)
        #expect(limit.refused == [])
        #expect(limit.found == [0, 1, 2].map { WidgetMatch(widget: widget, tag: $0) })
        let beyond = queue(
            &harness,
            #"{"f":\#(Self.list(257)),"g":\#(Self.list(128))}"#,
            good: good
        )
        #expect(beyond.refused == [1])
        #expect(beyond.found == [0, 2].map { WidgetMatch(widget: widget, tag: $0) })
    }

    @Test("Parts of a text count too, each as often as it is another")
    func grams() throws {
        var harness = MatcherHarness(rule: try EventPattern(#"{"f":[{"wildcard":"*wxyz*"}]}"#))
        let widget = try harness.insert("{}")
        // Each character once: so is each run of four bytes.
        func text(_ count: Int) -> String {
            String((0..<count).map { Character(Unicode.Scalar(UInt32(0x4e00 + $0))!) })
        }
        let repeated = String(repeating: "a", count: 200_000)
        // Of each character of three bytes three runs.
        for (text, isRefused) in [(repeated, false), (text(10_000), false), (text(11_000), true)] {
            let (refused, found) = queue(&harness, #"{"f":"\#(text)"}"#, good: #"{"f":"awxyz"}"#)
            #expect(refused == (isRefused ? [1] : []), "\(text.utf8.count)")
            #expect(found == [0, 2].map { WidgetMatch(widget: widget, tag: $0) })
        }
    }

    @Test("Of more than 255 fields each combination is distinguished from the others")
    func manyFields() throws {
        let rule = try EventPattern(
            #"{"f":["${configuration.p}"],"g":{"h":["${configuration.q}"]},"l":[5]}"#
        )
        var harness = MatcherHarness(rule: rule)
        var widgets: [String: WidgetID] = [:]
        for first in 0..<8 {
            for second in 0..<8 {
                let configuration = #"{"p":\#(first),"q":"v\#(second)"}"#
                widgets["\(first) \(second)"] = try harness.insert(configuration)
            }
        }
        for count in [200, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 300, 600] {
            let payload =
                #"{"f":[1,3,7],"g":[{"h":["v2","v0"]},{"h":"v5"}],"l":\#(Self.list(count))}"#
            let expected = ["1", "3", "7"].flatMap { first in
                ["2", "0", "5"].map { widgets["\(first) \($0)"]! }
            }
            #expect(try harness.match(payload) == expected.sorted(), "\(count) elements")
        }
    }

    @Test("Names that devices choose make few key spaces, in however many sets they come")
    func manySetsOfNames() throws {
        var harness = MatcherHarness()
        harness.install([("plain", nil)])
        let names = (0..<14).map { "n\($0)" }
        let sets = (1..<1 << names.count).filter { $0.nonzeroBitCount <= 6 }
        let widgets = try sets.map { set in
            let values = names.indices.filter { set >> $0 & 1 == 1 }.map { "\"\(names[$0])\":1" }
            return try harness.insert("{\(values.joined(separator: ","))}")
        }
        func found(_ values: [Int]) throws -> [WidgetID] {
            let members = zip(names, values).map { "\"\($0)\":\($1)" }.joined(separator: ",")
            return try harness.match("{\(members)}")
        }
        #expect(try found(names.map { _ in 1 }) == widgets)
        // Each name: alone, and in as many spaces of several as there may be.
        #expect(
            harness.matcher.search.value.batch.probeCount
                <= names.count * (1 + KeySpace.combinedLimit)
        )
        #expect(harness.matcher.index.spaces.count > names.count * KeySpace.combinedLimit / 2)
        for other in names.indices {
            let expected = zip(sets, widgets).filter { $0.0 >> other & 1 == 0 }.map(\.1)
            #expect(try found(names.indices.map { $0 == other ? 2 : 1 }) == expected)
        }
        // An operator's rule has its key space all the same.
        let rule = try EventPattern(#"{"n0":["${configuration.p}"],"n1":["${configuration.q}"]}"#)
        harness.install([("plain", nil), ("ruled", rule)])
        let ruled = try (0..<100).map { try harness.insert(#"{"p":7,"q":\#($0)}"#, kind: 1) }
        #expect(try harness.match(#"{"n0":7,"n1":50}"#) == [ruled[50]])
        #expect(harness.matcher.spentWork < 20 * WorkCost.condition)
        for widget in widgets + ruled { harness.matcher.remove(widget) }
        #expect(harness.matcher.index.keyCount == 0)
        #expect(try found(names.map { _ in 1 }) == [])
    }
}
