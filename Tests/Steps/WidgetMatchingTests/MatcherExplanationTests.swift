import DataStructures
import ReloadModel
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Explanations of stored widgets")
struct MatcherExplanationTests {
    private static let push = #"{"event":"dragon","region":"north"}"#
    private static let kinds = ["watch", "any"]

    /// A matcher with three kinds, and a widget each way: numbers 0 to 6.
    private func harness() throws -> MatcherHarness {
        var harness = MatcherHarness()
        let watch = try EventPattern(#"{"event":["dragon"],"region":["${configuration.region}"]}"#)
        harness.install([("watch", watch), ("any", nil), ("other", nil)])
        for (configuration, kind) in [
            (#"{"region":"north"}"#, 0), (#"{"region":"coast"}"#, 0), ("{}", 1),
            (#"{"region":"north","event":"rain"}"#, 1), (#"{"region":["a","north"]}"#, 0),
            ("{}", 2),
            ("{}", 9),
        ] as [(String, KindID)] {
            _ = try harness.insert(configuration, kind: kind)
        }
        return harness
    }

    private func explain(
        _ harness: borrowing MatcherHarness,
        _ widget: WidgetID,
        app: AppID = 0
    ) throws -> MatchExplanation {
        let payload = Array(Self.push.utf8)
        return try payload.withByteView { payload throws(PayloadError) in
            try harness.matcher.index.explain(
                app: app,
                payload: payload,
                kinds: Self.kinds,
                widget: widget
            )
        }
    }

    @Test("A single widget is explained, whatever keeps it from matching")
    func single() throws {
        let harness = try harness()
        #expect(try explain(harness, 0).isMatch)
        #expect(try explain(harness, 1).firstFailure?.value == #""north""#)
        #expect(try explain(harness, 2).isMatch)
        #expect(try explain(harness, 5).firstFailure?.path == "kinds")
        let undeclared = try explain(harness, 6)
        #expect(undeclared.sentence == "does not match: the widget's kind is not declared.")
        #expect(!undeclared.isMatch && !undeclared.isNearMiss)
        let foreign = try explain(harness, 0, app: 1)
        #expect(foreign.sentence == "does not match: the widget is of another app.")
    }

    @Test("The widgets that a push concerns are explained in order of their numbers, to a limit")
    func matches() throws {
        var harness = try harness()
        let payload = Array(Self.push.utf8)
        try payload.withByteView { payload throws(PayloadError) in
            func explain(
                _ matcher: inout WidgetMatcher,
                _ limit: Int
            ) throws(PayloadError) -> [WidgetMatcher.ExplainedWidget] {
                try matcher.explain(app: 0, payload: payload, kinds: Self.kinds, limit: limit)
            }
            let all = try explain(&harness.matcher, 10)
            #expect(all.map(\.widget) == [0, 2, 4])
            #expect(all.allSatisfy { $0.explanation.isMatch })
            let some = try explain(&harness.matcher, 2)
            #expect(some.map(\.widget) == [0, 2])
            #expect(harness.matcher.queuedCount == 0)
        }
    }

    @Test("Near misses are looked for piece by piece, past numbers that are free")
    func nearMisses() throws {
        var harness = try harness()
        let payload = Array(Self.push.utf8)
        try payload.withByteView { payload throws(PayloadError) in
            func look(
                _ harness: borrowing MatcherHarness,
                kind: KindID? = nil,
                from: WidgetID = 0,
                limit: Int
            ) throws(PayloadError) -> ([WidgetID], WidgetID?) {
                let found = try harness.matcher.index.nearMisses(
                    app: 0,
                    payload: payload,
                    kinds: Self.kinds,
                    kind: kind,
                    from: from,
                    limit: limit
                )
                return (found.found.map(\.widget), found.next)
            }
            #expect(try look(harness, limit: 100) == ([1, 3, 5], nil))
            #expect(try look(harness, kind: 0, limit: 100) == ([1], nil))
            #expect(try look(harness, limit: 3) == ([1], 3))
            #expect(try look(harness, from: 3, limit: 3) == ([3, 5], 6))
            #expect(try look(harness, from: 6, limit: 3) == ([], nil))
            #expect(try look(harness, from: 70, limit: .max) == ([], nil))
            harness.matcher.remove(1)
            #expect(try look(harness, limit: .max) == ([3, 5], nil))
        }
    }

    @Test("Near misses among some widgets")
    func among() throws {
        let harness = try harness()
        let payload = Array(Self.push.utf8)
        let found = try payload.withByteView { payload throws(PayloadError) in
            try harness.matcher.index.nearMisses(
                app: 0,
                payload: payload,
                kinds: Self.kinds,
                among: [5, 4, 1]
            )
        }
        #expect(found.map(\.widget) == [5, 1])
    }

    @Test(
        "A payload that would be refused is refused here too",
        arguments: ["{", "[]", #"{"a":1,"a":2}"#]
    )
    func refused(payload: String) throws {
        var harness = try harness()
        let bytes = Array(payload.utf8)
        bytes.withByteView { payload in
            #expect(throws: PayloadError.self) {
                try harness.matcher.index.explain(app: 0, payload: payload, widget: 0)
            }
            #expect(throws: PayloadError.self) {
                try harness.matcher.explain(app: 0, payload: payload, limit: 1)
            }
            #expect(throws: PayloadError.self) {
                try harness.matcher.index.nearMisses(app: 0, payload: payload, among: [0])
            }
        }
        #expect(harness.matcher.queuedCount == 0)
    }
}
