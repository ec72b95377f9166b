import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Matching in steps")
struct SteppingTests {
    /// A matcher with random rules and widgets.
    private func filled(_ generator: inout ModelGenerator, seed: UInt64) throws -> MatcherHarness {
        var harness = MatcherHarness(seed: seed)
        let kinds = generator.kinds()
        harness.install(kinds.enumerated().map { ("k\($0)", $1?.rule) })
        for _ in 0..<80 {
            let widget = generator.widget(kinds)
            let configuration = ModelValue.object(widget.parameters).json
            _ = try harness.insert(configuration, kind: widget.kind)
        }
        return harness
    }

    @Test(
        "All steps together find what one does, in its order, though the payloads are gone",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func union(seed: UInt64) throws {
        var generator = ModelGenerator(seed: seed)
        var harness = try filled(&generator, seed: seed)
        var stepCount = 0
        for round in 0..<12 {
            let count = 1 + generator.random.below(WidgetMatcher.batchLimit)
            let payloads = generator.many(count) { generator in
                let payload = generator.payload()
                return payload.narrowing + payload.json(&generator.random)
            }
            let whole = try harness.rawMatches(payloads, app: MatcherHarness.app)
            for limit in [1, 2, 7, 0] {
                var random = SeededGenerator(seed: seed)
                // 0 stands for limits that change from step to step.
                func next() -> Int { limit > 0 ? limit : 1 + random.below(20) }
                let (matches, steps) = try harness.steppedMatches(payloads, limit: next)
                #expect(matches == whole, "seed \(seed), round \(round), limit \(limit)")
                let most = limit > 0 ? limit : 20
                #expect(steps.allSatisfy { $0 <= most }, "seed \(seed), round \(round)")
                stepCount += steps.count
            }
            // With so little work, each step does one thing: a key, a widget or a part of its rule.
            for work in [1, 120, 0] {
                var random = SeededGenerator(seed: seed)
                func next() -> Int { work > 0 ? work : 1 + random.below(2_000) }
                let (matches, steps) = try harness.steppedMatches(payloads, work: next)
                #expect(matches == whole, "seed \(seed), round \(round), work \(work)")
                stepCount += steps.count
            }
        }
        #expect(stepCount > 1_000, "seed \(seed): few steps say little")
    }

    @Test("A group's condition that is evaluated once holds for all of its widgets, step by step")
    func groups() throws {
        let pattern = #"{"f":[{"anything-but":["${configuration.p}"]}]}"#
        var harness = MatcherHarness(rule: try EventPattern(pattern))
        var widgets: [WidgetID] = []
        for number in 0..<60 {
            widgets.append(try harness.insert(#"{"p":"v\#(number % 6)","n":[]}"#))
        }
        for payload in [#"{"f":"v3"}"#, #"{"f":["v1","v2"]}"#, #"{"f":{}}"#, #"{"g":[{}]}"#] {
            let whole = try harness.rawMatches([payload, payload], app: MatcherHarness.app)
            for limit in [1, 2, 7, 10, 11, 1_000] {
                let stepped = try harness.steppedMatches([payload, payload], limit: { limit })
                #expect(stepped.matches == whole, "\(payload), limit \(limit)")
            }
            for work in [1, 100, 5_000] {
                let stepped = try harness.steppedMatches([payload, payload], work: { work })
                #expect(stepped.matches == whole, "\(payload), work \(work)")
            }
        }
        #expect(try harness.match(#"{"f":"v3"}"#).count == 50)
        #expect(try harness.match(#"{"f":["v1","v2"]}"#).count == 40)
        #expect(try harness.match(#"{"f":{}}"#) == widgets)
    }

    @Test("The last step finds what is left, and the next batch is a new one")
    func exact() throws {
        var harness = MatcherHarness(rule: try EventPattern(#"{"f":["x"]}"#))
        for _ in 0..<10 { _ = try harness.insert("{}") }
        for (limit, steps) in [(5, [5, 5]), (9, [9, 1]), (10, [10]), (3, [3, 3, 3, 1])] {
            let stepped = try harness.steppedMatches([#"{"f":"x"}"#], limit: { limit })
            #expect(stepped.steps.filter { $0 > 0 } == steps, "limit \(limit)")
            let isIdle = harness.matcher.queuedCount == 0 && !harness.matcher.isMatching
            #expect(isIdle, "limit \(limit)")
        }
    }
}
