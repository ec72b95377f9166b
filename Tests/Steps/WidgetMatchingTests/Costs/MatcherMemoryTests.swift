import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Memory of the matcher")
struct MatcherMemoryTests {
    private static func configuration(_ number: Int) -> String {
        switch number % 4 {
        case 0: #"{"character":"character-\#(number)"}"#
        case 1: #"{"character":["shared","own-\#(number)","shared"],"more":\#(number)}"#
        case 2: #"{"name \#(number)":true}"#
        default: "{}"
        }
    }

    private static func fill(_ harness: inout MatcherHarness, _ count: Int) throws -> [WidgetID] {
        try (0..<count).map { number in
            try harness.insert(configuration(number), kind: KindID(index: min(number % 4, 2)))
        }
    }

    @Test("What widgets take is given back, and taken again rather than more")
    func reuse() throws {
        var harness = MatcherHarness()
        harness.install([
            ("ruled", KindTests.rule),
            (
                "both",
                EventPattern([
                    "character": [.parameter("character")], "event": [.string("e")],
                ])
            ),
            ("plain", nil),
        ])
        let usage = MatcherUsage(harness.matcher)
        var highest = 0
        for round in 0..<10 {
            let widgets = try Self.fill(&harness, 4_000)
            #expect(harness.matcher.index.widgetCount == 4_000)
            // The list of free numbers is there from the first removal on.
            if round <= 1 { highest = harness.matcher.byteCount }
            // Which shard of a table a key falls into, and so which ones grow, varies a little.
            #expect(harness.matcher.byteCount <= highest + highest / 50, "round \(round)")
            // From both ends and the middle, so that postings move.
            for offset in 0..<1_000 { harness.matcher.remove(widgets[1_000 + offset * 3]) }
            for offset in 0..<1_000 { harness.matcher.remove(widgets[1_000 + offset * 3 + 1]) }
            for offset in 0..<1_000 { harness.matcher.remove(widgets[999 - offset]) }
            for offset in 0..<1_000 { harness.matcher.remove(widgets[1_000 + offset * 3 + 2]) }
            #expect(harness.matcher.index.widgetCount == 0)
            #expect(MatcherUsage(harness.matcher) == usage, "round \(round)")
        }
    }

    @Test("A number is reused after its widget is removed, and means the new one")
    func numbers() throws {
        var harness = MatcherHarness(rule: KindTests.rule)
        let first = try harness.insert(#"{"character":"x"}"#)
        harness.matcher.remove(first)
        let second = try harness.insert(#"{"character":"y"}"#)
        #expect(second == first)
        #expect(
            try harness.match([#"{"character":"x"}"#, #"{"character":"y"}"#]) == [[], [second]]
        )
    }

    /// A payload of 100 KB whose text is decoded into scratch, as it has an escape.
    private static func payload(end: String) -> [UInt8] {
        let text = #"\u0041"# + String(repeating: "x", count: 100_000)
        return Array(#"{"character":["\#(text)",1,2.5],\#(end)}"#.utf8)
    }

    /// How much larger the process has become by so many refusals of two payloads, in MiB.
    private static func growth(
        _ count: Int,
        _ harness: inout MatcherHarness
    ) -> Int {
        let before = ResidentMemory.byteCount()
        for payload in [payload(end: #""end":"#), payload(end: #""a":1,"a":1"#)] {
            payload.withByteView { payload in
                for _ in 0..<count {
                    _ = #expect(throws: PayloadError.self) {
                        try harness.enqueue(payload, tag: 0)
                    }
                }
            }
        }
        return (ResidentMemory.byteCount() - before) >> 20
    }

    @Test("Payloads that are refused leave nothing behind, however many there are")
    func refusedPayloads() throws {
        var harness = MatcherHarness(rule: KindTests.rule)
        _ = try harness.insert(#"{"character":"x"}"#)
        // What is left of each would sum up to 200 MB; other tests run meanwhile.
        #expect(Self.growth(1_000, &harness) < 80)
    }

    @Test("Refused payloads after an accepted one leave no trace")
    func refusedBehind() throws {
        var harness = MatcherHarness(rule: KindTests.rule)
        let widget = try harness.insert(#"{"character":"x"}"#)
        let good = Array(#"{"character":"\u0078"}"#.utf8)
        let growth = try good.withByteView { good throws(PayloadError) in
            try harness.enqueue(good, tag: 0)
            let growth = Self.growth(1_000, &harness)
            harness.matcher.matchQueued()
            return growth
        }
        #expect(growth < 80)
        #expect(harness.matcher.matchCount == 1)
        #expect(harness.matcher.match(at: 0).widget == widget)
    }
}
