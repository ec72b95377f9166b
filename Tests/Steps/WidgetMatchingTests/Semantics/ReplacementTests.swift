import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Widgets and rules that are exchanged")
struct ReplacementTests {
    static let character = #"{"character":["${configuration.character}"]}"#

    @Test("A replaced widget keeps its number and is found by its new values only")
    func replaced() throws {
        var harness = MatcherHarness(rule: try EventPattern(Self.character))
        let widget = try harness.insert(#"{"character":["elf","orc"]}"#)
        let other = try harness.insert(#"{"character":"elf"}"#)
        try harness.replace(widget, #"{"character":["mage","orc"]}"#)
        let pushes = ["elf", "orc", "mage"].map { #"{"character":"\#($0)"}"# }
        #expect(try harness.match(pushes) == [[other], [widget], [widget]])
        #expect(harness.matcher.index.widgetCount == 2)
    }

    @Test("A widget can change its kind")
    func otherKind() throws {
        var harness = MatcherHarness()
        harness.install([
            ("ruled", try EventPattern(Self.character)), ("plain", nil),
            ("other", try EventPattern(#"{"place":{"region":[{"prefix":"${configuration.r}"}]}}"#)),
        ])
        let pushes = [
            #"{"character":"x"}"#, #"{"guild":"g"}"#, #"{"place":{"region":"north-west"}}"#,
            "@plain {}",
        ]
        let widget = try harness.insert(#"{"character":"x"}"#)
        #expect(try harness.match(pushes) == [[widget], [], [], []])
        try harness.replace(widget, #"{"guild":"g"}"#, kind: 1)
        #expect(try harness.match(pushes) == [[], [widget], [], []])
        try harness.replace(widget, #"{"r":"north"}"#, kind: 2)
        #expect(try harness.match(pushes) == [[], [], [widget], []])
        try harness.replace(widget, "{}", kind: 1)
        #expect(try harness.match(pushes) == [[], [], [], [widget]])
        try harness.replace(widget, "{}", kind: 9)
        #expect(try harness.match(pushes) == [[], [], [], []])
        #expect(harness.matcher.index.kind(of: widget) == 9)
        harness.matcher.remove(widget)
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }

    @Test(
        "A replacement that is refused leaves the widget as it was",
        arguments: [#"{"character":null}"#, #"{"guild":"g","character":["mage",{}]}"#]
    )
    func refused(configuration: String) throws {
        var harness = MatcherHarness()
        harness.install([("k", try EventPattern(Self.character)), ("plain", nil)])
        let widget = try harness.insert(#"{"character":["elf","orc"]}"#)
        let usage = MatcherUsage(harness.matcher)
        #expect(throws: ConfigurationError.self) {
            try harness.replace(widget, configuration, kind: 1)
        }
        #expect(MatcherUsage(harness.matcher) == usage)
        #expect(harness.matcher.index.kind(of: widget) == 0)
        let pushes = [#"{"character":"elf"}"#, #"{"character":"mage"}"#, #"{"guild":"g"}"#]
        #expect(try harness.match(pushes) == [[widget], [], []])
    }

    @Test("A rule that is deleted and added anew brings nothing of the old one back")
    func deletedAndAdded() throws {
        let rules = [
            Self.character,
            #"{"$or":[{"guild":["${configuration.guild}"]},{"event":[{"prefix":"drag"}]}]}"#,
            #"{"level":[{"numeric":[">","${configuration.level}"]}]}"#,
            #"{"character":[{"anything-but":["${configuration.character}"]}]}"#,
            #"{"place":{"region":[{"wildcard":"n*th"}],"open":[{"exists":false}]}}"#,
            #"{"event":[{"exists":false}]}"#,
        ]
        let configuration = #"{"character":"elf","guild":"g","level":7}"#
        let pushes = [
            #"{"event":"x","character":"elf"}"#, #"{"event":"x","guild":"g"}"#,
            #"{"event":"dragon"}"#, #"{"event":"x","level":8}"#,
            #"{"event":"x","character":"orc"}"#, #"{"event":"x","place":{"region":"north"}}"#,
            "{}",
        ]
        func fresh(_ rule: String) throws -> [[WidgetID]] {
            var harness = MatcherHarness(rule: try EventPattern(rule))
            #expect(try harness.insert(configuration) == 0)
            return try harness.match(pushes)
        }
        var harness = MatcherHarness(rule: try EventPattern(rules[0]))
        #expect(try harness.insert(configuration) == 0)
        for (number, rule) in (rules + rules.reversed()).enumerated() {
            // In every other round the kind is gone in between, and a push goes past it.
            if number.isMultiple(of: 2) {
                harness.install([])
                #expect(try harness.match(pushes) == pushes.map { _ in [] }, "\(rule)")
            }
            harness.install([("k", try EventPattern(rule))])
            #expect(try harness.match(pushes) == fresh(rule), "\(rule)")
        }
        harness.matcher.remove(0)
        #expect(try harness.match(pushes) == pushes.map { _ in [] })
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }

    @Test("A removed widget's number means the new one only, whatever rule that is under")
    func reusedNumber() throws {
        var harness = MatcherHarness()
        harness.install([
            ("k", try EventPattern(Self.character)),
            ("any", try EventPattern(#"{"character":[{"suffix":"${configuration.end}"}]}"#)),
        ])
        let first = try harness.insert(#"{"character":["elf","orc"]}"#)
        harness.matcher.remove(first)
        let second = try harness.insert(#"{"end":"ge"}"#, kind: 1)
        #expect(second == first)
        let pushes = [#"{"character":["elf","orc"]}"#, #"{"character":"mage"}"#]
        #expect(try harness.match(pushes) == [[], [second]])
    }
}
