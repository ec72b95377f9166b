import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Kinds and changes of rules")
struct KindTests {
    static let rule = EventPattern(["character": [.parameter("character")]])

    @Test("A widget without rule and parameters is reached by its kind's name only")
    func byName() throws {
        var harness = MatcherHarness()
        harness.install([("board", nil), ("news", nil)])
        let snapshot = try harness.insert("{}", kind: 0)
        let second = try harness.insert(" { } ", kind: 0)
        let news = try harness.insert("{}", kind: 1)
        let matches = try harness.match([
            "@board {}", "@news,board,news {}", "@ {}", #"{"event":"x"}"#, "@Board,x {}",
            #"@board {"kinds":["news"]}"#, #"{"kinds":["board"]}"#,
        ])
        #expect(
            matches == [
                [snapshot, second], [snapshot, second, news], [], [], [], [snapshot, second], [],
            ]
        )
    }

    @Test("A push that is narrowed to kinds matches none of another kind")
    func narrowing() throws {
        var harness = MatcherHarness()
        harness.install([("a", Self.rule), ("b", Self.rule), ("c", nil)])
        let first = try harness.insert(#"{"character":"x"}"#, kind: 0)
        let second = try harness.insert(#"{"character":"x"}"#, kind: 1)
        let third = try harness.insert(#"{"character":"x"}"#, kind: 2)
        let matches = try harness.match([
            #"{"character":"x"}"#, #"@b {"character":"x"}"#,
            #"@c,a {"character":"x"}"#, #"@ {"character":"x"}"#,
            #"@c {"character":"y"}"#, #"@unknown {"character":"x"}"#,
        ])
        #expect(
            matches == [[first, second, third], [second], [first, third], [], [], []]
        )
    }

    @Test("The payload is the sender's alone: its member kinds is a field like any other")
    func kindsAsField() throws {
        var harness = MatcherHarness()
        harness.install([
            ("a", EventPattern(["kinds": [.string("b"), .parameter("kinds")]])), ("b", nil),
        ])
        let ruled = try harness.insert(#"{"kinds":"x"}"#, kind: 0)
        let plain = try harness.insert(#"{"kinds":"x"}"#, kind: 1)
        let matches = try harness.match([
            #"{"kinds":["a","b"]}"#, #"@b {"kinds":["b"]}"#, #"{"kinds":["a","b","x"]}"#, "{}",
            #"@b {"kinds":"x"}"#, #"{"kinds":1}"#, #"{"kinds":["a",{"x":1},"x"]}"#,
        ])
        #expect(
            matches == [[ruled], [], [ruled, plain], [], [plain], [], [ruled, plain]]
        )
    }

    @Test("A push that names no kinds matches all, whatever the unused bits of that nil are")
    func unusedBits() throws {
        var harness = MatcherHarness(rule: Self.rule)
        let widget = try harness.insert(#"{"character":"x"}"#)
        var kinds: KindNames?
        withUnsafeMutableBytes(of: &kinds) { bytes in
            bytes.storeBytes(of: 77, toByteOffset: bytes.count - 8, as: UInt64.self)
        }
        try #require(kinds == nil, "the bits are used")
        try Array(#"{"character":"x"}"#.utf8).withByteView { view throws(PayloadError) in
            try harness.enqueue(view, kinds: kinds, tag: 0)
            harness.matcher.matchQueued()
        }
        #expect(harness.matcher.matchCount == 1 && harness.matcher.match(at: 0).widget == widget)
    }

    @Test("A payload that is refused leaves those before it in the batch")
    func refusedInBatch() throws {
        var harness = MatcherHarness(rule: Self.rule)
        let widget = try harness.insert(#"{"character":"x"}"#)
        let good = Array(#"{"character":["x","x"]}"#.utf8)
        let bad = Array(#"{"character":"x","a":[1,2,"x"],}"#.utf8)
        try good.withByteView { good throws(PayloadError) in
            try harness.enqueue(good, tag: 7)
            bad.withByteView { bad in
                _ = #expect(throws: PayloadError.self) {
                    try harness.enqueue(bad, tag: 8)
                }
            }
            try harness.enqueue(good, tag: 9)
            #expect(harness.matcher.queuedCount == 2)
            harness.matcher.matchQueued()
        }
        #expect(harness.matcher.matchCount == 2)
        #expect(harness.matcher.match(at: 0) == WidgetMatch(widget: widget, tag: 7))
        #expect(harness.matcher.match(at: 1) == WidgetMatch(widget: widget, tag: 9))
        #expect(harness.matcher.queuedCount == 0)
    }

    @Test("A new rule holds for the widgets that are stored already")
    func changedRule() throws {
        var harness = MatcherHarness(rule: Self.rule)
        let widget = try harness.insert(#"{"character":"x","guild":"g"}"#)
        let pushes = [#"{"character":"x"}"#, #"{"guild":"g"}"#, #"{"guild":"g","character":"x"}"#]
        #expect(try harness.match(pushes) == [[widget], [], [widget]])
        harness.install([("k", EventPattern(["guild": [.parameter("guild")]]))])
        #expect(try harness.match(pushes) == [[], [widget], [widget]])
        harness.install([("k", nil)])
        #expect(try harness.match(pushes) == [[], [], [widget]])
        harness.install([("k", Self.rule)])
        #expect(try harness.match(pushes) == [[widget], [], [widget]])
    }

    @Test("A kind that is gone matches nothing until it is back; its widgets stay")
    func kindGoneAndBack() throws {
        for rule in [Self.rule, nil] {
            var harness = MatcherHarness()
            harness.install([("other", nil), ("k", rule)])
            let widget = try harness.insert(#"{"character":"x"}"#, kind: 1)
            harness.install([("other", nil)])
            let late = try harness.insert(#"{"character":"x"}"#, kind: 1)
            let payloads = [#"{"character":"x"}"#, #"@k {"character":"x"}"#]
            #expect(try harness.match(payloads) == [[], []])
            #expect(harness.matcher.index.widgetCount == 2)
            harness.install([("other", nil), ("k", rule)])
            #expect(try harness.match(payloads) == [[widget, late], [widget, late]])
            harness.install([])
            harness.matcher.remove(widget)
            harness.matcher.remove(late)
            #expect(MatcherUsage(harness.matcher) == .empty)
        }
    }

    @Test("A rule that differs only in the bytes of its text is another rule")
    func normalisedRule() throws {
        var harness = MatcherHarness(rule: EventPattern(["f": [.string("caf\u{e9}")]]))
        let widget = try harness.insert("{}")
        harness.install([("k", EventPattern(["f": [.string("cafe\u{301}")]]))])
        #expect(try harness.match(#"{"f":"cafe\u0301"}"#) == [widget])
        #expect(try harness.match(#"{"f":"caf\u00e9"}"#) == [])
    }

    @Test("Pushes report in the order in which they were queued, a whole batch at a time")
    func order() throws {
        var harness = MatcherHarness(rule: Self.rule)
        var widgets: [WidgetID] = []
        for number in 0..<WidgetMatcher.batchLimit {
            widgets.append(try harness.insert(#"{"character":\#(number)}"#))
        }
        let payloads = (0..<WidgetMatcher.batchLimit).map { #"{"character":\#($0).0}"# }
        #expect(try harness.match(payloads) == widgets.map { [$0] })
        let tags = (0..<harness.matcher.matchCount).map { harness.matcher.match(at: $0).tag }
        #expect(tags == tags.sorted())
    }
}
