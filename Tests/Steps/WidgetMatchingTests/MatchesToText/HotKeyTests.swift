import Basics
import EventPatterns
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Keys by which pushes find widgets")
struct HotKeyTests {
    private func expect(_ harness: borrowing MatcherHarness, has expected: [String]) {
        let keys = harness.matcher.hotKeys(limit: 20)
        #expect(keys.map { "\($0.text) \($0.pushes) \($0.matched)" } == expected)
    }

    @Test("count the pushes and the widgets that they have found")
    func counts() throws {
        var harness = MatcherHarness(rule: nil)
        for _ in 0..<3 { _ = try harness.insert(#"{"character":"elf-42"}"#) }
        _ = try harness.insert(#"{"level":7.0}"#)
        for _ in 0..<5 { _ = try harness.match(#"{"character":"elf-42","level":7}"#) }
        _ = try harness.match([#"{"level":7}"#, #"{"character":"panda"}"#, "{}"])
        expect(harness, has: ["level=7 6 6", "character=elf-42 5 15"])
        let first = harness.matcher.hotKeys(limit: 1)
        #expect(first.map(\.text) == ["level=7"])
        #expect(first[0].kind == 0)
    }

    @Test("of several fields are reported with all of them, and fields within by their path")
    func texts() throws {
        var harness = MatcherHarness(rule: nil)
        _ = try harness.insert(#"{"a":"x","b":true}"#)
        _ = try harness.match(#"{"a":"x","b":true}"#)
        expect(harness, has: ["a=x, b=true 1 1"])
        var nested = MatcherHarness(
            rule: EventPattern(conditions: [
                .nested(
                    "place",
                    EventPattern(conditions: [.field("region", [.equals(.parameter("r"))])])
                )
            ])
        )
        _ = try nested.insert(#"{"r":"north"}"#)
        _ = try nested.match(#"{"place":{"region":"north"}}"#)
        expect(nested, has: ["place.region=north 1 1"])
    }

    @Test(
        "of parts of a text are reported as such",
        arguments: [
            (TextOperator.prefix, #"{"p":"Gol"}"#, "title=Gol* 1 1"),
            (.suffix, #"{"p":"lead"}"#, "title=*lead 1 1"),
        ]
    )
    func parts(test: TextOperator, configuration: String, text: String) throws {
        var harness = MatcherHarness(
            rule: EventPattern(conditions: [.field("title", [.text(test, .parameter("p"))])])
        )
        _ = try harness.insert(configuration)
        _ = try harness.match(#"{"title":"Gold and lead"}"#)
        expect(harness, has: [text])
    }

    @Test("are forgotten with their last widget, so that another key is not taken for them")
    func removal() throws {
        var harness = MatcherHarness(rule: nil)
        let widget = try harness.insert(#"{"character":"elf-42"}"#)
        _ = try harness.match(#"{"character":"elf-42"}"#)
        harness.matcher.remove(widget)
        _ = try harness.insert(#"{"character":"orc-1"}"#)
        expect(harness, has: [])
        _ = try harness.match(#"{"character":"orc-1"}"#)
        expect(harness, has: ["character=orc-1 1 1"])
    }

    @Test("are not counted for a push that is only tried out")
    func trial() throws {
        var harness = MatcherHarness(rule: nil)
        _ = try harness.insert(#"{"character":"elf-42"}"#)
        let payload = Array(#"{"character":"elf-42"}"#.utf8)
        let found = try payload.withByteView { view throws(PayloadError) in
            try harness.find(view, limit: 10)
        }
        #expect(found.count == 1)
        expect(harness, has: [])
        _ = try harness.match(#"{"character":"elf-42"}"#)
        expect(harness, has: ["character=elf-42 1 1"])
    }

    @Test("are counted once for a push whose widgets are found in portions")
    func portions() throws {
        var harness = MatcherHarness(rule: nil)
        for _ in 0..<100 { _ = try harness.insert(#"{"weather":"rain"}"#) }
        let payload = Array(#"{"weather":"rain"}"#.utf8)
        try payload.withByteView { view throws(PayloadError) in
            try harness.enqueue(view, tag: 0)
            while !harness.matcher.matchQueued(limit: 30) {}
        }
        expect(harness, has: ["weather=rain 1 100"])
    }

    @Test("are counted for a push that finds nothing in the first portion of their widgets")
    func emptyPortions() throws {
        let rule = #"{"k":["${configuration.k}"],"f":[{"prefix":"${configuration.p}"}]}"#
        var harness = MatcherHarness(rule: try EventPattern(rule))
        for number in 0..<200 {
            _ = try harness.insert(#"{"k":1,"p":"\#(number < 100 ? "x" : "y")"}"#)
        }
        let payload = Array(#"{"k":1,"f":"yes"}"#.utf8)
        var found: [Int] = []
        try payload.withByteView { view throws(PayloadError) in
            try harness.enqueue(view, tag: 0)
            while !harness.matcher.matchQueued(work: 2_000) {
                found.append(harness.matcher.matchCount)
            }
        }
        #expect(found.first == 0 && found.contains { $0 > 0 })
        expect(harness, has: ["k=1 1 100"])
    }

    @Test("of which more come than were expected are looked at more and more seldom")
    func burst() throws {
        var harness = MatcherHarness(rule: nil)
        _ = try harness.insert(#"{"a":1}"#)
        let payloads = Array(repeating: #"{"a":1}"#, count: 32)
        for _ in 0..<1_250 { _ = try harness.match(payloads) }
        let keys = harness.matcher.hotKeys(limit: 1)
        let mask = harness.matcher.search.value.keySampler.mask
        #expect(mask == 1)
        #expect(keys.count == 1 && (39_990...40_010).contains(keys[0].pushes))
    }

    @Test("are reported for a part of the pushes if there are many, and counted for all")
    func sampling() throws {
        var harness = MatcherHarness(rule: nil)
        _ = try harness.insert(#"{"character":"elf-42"}"#)
        harness.matcher.sampleKeys(pushesPerSecond: 3 * KeySampler.rate)
        for _ in 0..<80 { _ = try harness.match(#"{"character":"elf-42"}"#) }
        expect(harness, has: ["character=elf-42 80 80"])
        harness.matcher.sampleKeys(pushesPerSecond: KeySampler.rate)
        _ = try harness.match(#"{"character":"elf-42"}"#)
        expect(harness, has: ["character=elf-42 81 81"])
        harness.matcher.fadeHotKeys()
        expect(harness, has: ["character=elf-42 40 40"])
    }
}
