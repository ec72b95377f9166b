import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Members of rules that pushes lack")
struct MemberSightingTests {
    private func missing(
        _ path: String...,
        in harness: inout MatcherHarness,
        fewest: UInt64 = 3,
        recent: UInt64 = 5,
        app: AppID = MatcherHarness.app
    ) -> UInt64? {
        let path = path.map { Array($0.utf8) }
        harness.scanner.follow(harness.matcher)
        return harness.scanner.pushesWithout(path, app: app, fewest: fewest, recent: recent)
    }

    private func attribute(
        _ name: String,
        of app: AppID,
        in harness: borrowing MatcherHarness
    ) -> AttributeID? {
        Array(name.utf8).withByteView { name in
            harness.matcher.index.vocabulary.scanned.attribute(
                below: .root(app),
                named: MemberName(name)
            )
        }
    }

    @Test func `A member is missed after enough pushes that none had`() throws {
        var harness = MatcherHarness(rule: try EventPattern(#"{"a":["x"],"o":{"b":[1]}}"#))
        _ = try harness.insert("{}")
        #expect(missing("a", in: &harness) == nil)
        #expect(missing("o", "b", in: &harness) == nil)
        for _ in 0..<2 { _ = try harness.match(#"{"a":"x","c":1,"o":{"c":2}}"#) }
        #expect(missing("o", "b", in: &harness) == nil)
        _ = try harness.match(#"{"a":"y"}"#)
        #expect(missing("a", in: &harness) == nil)
        #expect(missing("o", "b", in: &harness) == 3)
        _ = try harness.match([#"{"o":[{"b":7}]}"#, "{}", "{}", "{}", "{}"])
        #expect(missing("o", "b", in: &harness) == nil, "four after the last one that had it")
        _ = try harness.match("{}")
        #expect(missing("o", "b", in: &harness) == 5)
        #expect(missing("a", in: &harness) == 6)
    }

    @Test func `Only what is watched is missed, from then on`() throws {
        var harness = MatcherHarness(rule: try EventPattern(#"{"a":["x"]}"#))
        for _ in 0..<9 { _ = try harness.match("{}") }
        #expect(missing("a", in: &harness) == nil, "no widget needs it")
        let widget = try harness.insert("{}")
        #expect(missing("a", in: &harness) == nil)
        for _ in 0..<3 { _ = try harness.match("{}") }
        #expect(missing("a", in: &harness) == 3)
        _ = try? harness.match("[")
        #expect(missing("a", in: &harness) == 3)
        _ = try Array(#"{"a":"x"}"#.utf8).withByteView { view throws(PayloadError) in
            try harness.find(view, limit: 5)
        }
        #expect(missing("a", in: &harness) == 3, "a push that is tried out counts for nothing")
        #expect(missing("z", in: &harness) == nil)
        #expect(missing("a", "b", in: &harness) == nil)
        #expect(missing(in: &harness) == nil)
        #expect(harness.scanner.pushesWithout([Array("a".utf8)], app: 0) == nil, "the named limit")
        // The attribute goes with its last widget; another one gets its number.
        harness.matcher.remove(widget)
        harness.install([("k", try EventPattern(#"{"n":[1]}"#))])
        _ = try harness.insert("{}")
        #expect(missing("n", in: &harness) == nil)
        for _ in 0..<3 { _ = try harness.match(#"{"a":1}"#) }
        #expect(missing("n", in: &harness) == 3)
    }

    @Test func `What the pushes of another app had is nothing that is missed`() throws {
        var harness = MatcherHarness()
        let other: AppID = 1
        let rules = [#"{"a":["x"]}"#, #"{"n":[1]}"#]
        let apps = try rules.enumerated().map { number, rule in
            WidgetMatcher.App(
                app: AppID(index: number),
                kinds: [.init(kind: KindID(index: number), name: "k", rule: try .init(rule))]
            )
        }
        harness.matcher.install(apps: apps)
        let widget = try harness.insert("{}", kind: 0)
        #expect(missing("a", in: &harness) == nil)
        // One app has many pushes with the member, whose number one of another app gets.
        _ = try harness.match(Array(repeating: #"{"a":"x"}"#, count: 50))
        let former = attribute("a", of: 0, in: harness)
        harness.matcher.remove(widget)
        _ = try harness.insert("{}", kind: 1)
        #expect(former != nil && attribute("n", of: other, in: harness) == former)
        #expect(missing("n", in: &harness, app: other) == nil)
        _ = try harness.match(["{}", "{}"], app: other)
        #expect(missing("n", in: &harness, app: other) == nil)
        _ = try harness.match("{}", app: other)
        #expect(missing("n", in: &harness, app: other) == 3)
    }
}
