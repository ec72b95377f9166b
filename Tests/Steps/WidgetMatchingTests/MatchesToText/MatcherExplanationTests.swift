import Basics
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
        let parsed = try payload.withByteView { (view) throws(PayloadError) in
            try WidgetMatcher.parsed(view)
        }
        let push = ExplainedPush(parsed, kinds: Self.kinds)
        return harness.matcher.index.explain(app: app, push: push, widget: widget)
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

    @Test(
        "A payload that would be refused is refused here too",
        arguments: ["{", "[]", #"{"a":1,"a":2}"#]
    )
    func refused(payload: String) throws {
        var harness = try harness()
        let bytes = Array(payload.utf8)
        bytes.withByteView { payload in
            #expect(throws: PayloadError.self) { try WidgetMatcher.parsed(payload) }
            #expect(throws: PayloadError.self) {
                try harness.find(payload, limit: 1)
            }
        }
        #expect(harness.matcher.queuedCount == 0)
    }
}
