import Basics
import TestSupport
import Testing

/// The matcher allocates nothing for a push once it is warm, whatever rules and payloads ask for.
@Suite("In steady state, the matcher")
struct MatcherAllocationTests {
    private static let rounds = 200

    private func bench(_ matchCase: MatchCase) throws -> MatcherBench {
        var bench = try MatcherBench(patterns: [matchCase.pattern])
        for configuration in matchCase.configurations {
            _ = try bench.insert(configuration, kind: 0)
        }
        for payload in matchCase.payloads { bench.add(payload) }
        return bench
    }

    @Test("allocates for no push", arguments: MatchCase.all)
    func pushes(matchCase: MatchCase) throws {
        var bench = try bench(matchCase)
        for _ in 0..<3 { bench.push() }
        #expect(bench.matchCount == 3 * matchCase.matches)
        let count = allocations { for _ in 0..<Self.rounds { bench.push() } }
        #expect(count == 0, "\(count) allocations in \(Self.rounds) rounds")
        #expect(bench.matchCount == (3 + Self.rounds) * matchCase.matches)
    }

    @Test("allocates for no push that is matched in steps", arguments: MatchCase.all)
    func steps(matchCase: MatchCase) throws {
        var bench = try bench(matchCase)
        for limit in [1, 2] {
            for _ in 0..<3 { bench.push(limit: limit) }
            let (matches, steps) = (bench.matchCount, bench.stepCount)
            let count = allocations { for _ in 0..<Self.rounds { bench.push(limit: limit) } }
            #expect(count == 0, "\(count) allocations in \(Self.rounds) rounds of \(limit)")
            #expect(bench.matchCount - matches == Self.rounds * matchCase.matches)
            if matchCase.matches > limit { #expect(bench.stepCount - steps > Self.rounds) }
        }
    }

    @Test("allocates for no push that is left in its midst", arguments: MatchCase.all)
    func portions(matchCase: MatchCase) throws {
        var bench = try bench(matchCase)
        for work in [1, 400] {
            for _ in 0..<3 { bench.push(work: work) }
            let before = bench.matchCount
            let count = allocations { for _ in 0..<20 { bench.push(work: work) } }
            #expect(count == 0, "\(count) allocations in 20 rounds of \(work)")
            #expect(bench.matchCount - before == 20 * matchCase.matches)
        }
    }

    @Test("allocates for no push in a step through thousands of widgets")
    func manyWidgets() throws {
        let pattern = #"{"f":["${configuration.p}"],"g":[{"exists":true}]}"#
        var bench = try MatcherBench(patterns: [pattern])
        for number in 0..<5_000 {
            _ = try bench.insert(#"{"p":"x","n":\#(number)}"#, kind: 0)
            _ = try bench.insert(#"{"p":"own \#(number)"}"#, kind: 0)
        }
        bench.add(#"{"f":"x","g":1}"#)
        bench.add(#"{"f":["own 7","own 8","none",8.0],"g":[]}"#)
        for _ in 0..<3 { bench.push(limit: 64) }
        let before = bench.matchCount
        let count = allocations { for _ in 0..<20 { bench.push(limit: 64) } }
        #expect(count == 0)
        #expect(bench.matchCount - before == 20 * 5_002)
    }

    // MARK: - Widgets

    /// Rules, and configurations for them that are equally long and have one value for each
    /// equality.
    private static let singleValues: [(pattern: String?, configurations: [String])] = [
        (#"{"f":["${configuration.p}"]}"#, (0..<100).map { #"{"p":"v\#(100 + $0)"}"# }),
        (nil, (0..<100).map { #"{"f":"v\#(100 + $0)","g":\#(100 + $0)}"# }),
        (
            #"{"e":["x"],"f":["${configuration.p}"],"g":["${configuration.q}"]}"#,
            (0..<100).map { #"{"p":"v\#(100 + $0)","q":"shared"}"# }
        ),
        (
            #"{"f":["${configuration.p}"],"n":[{"numeric":[">","${configuration.q}"]}]}"#,
            (0..<100).map { #"{"p":"v\#(100 + $0)","q":\#(100 + $0)}"# }
        ),
    ]

    /// What is claimed: a widget that is found by one value for each of its rule's equalities,
    /// which is the common form, is replaced without an allocation by one of the same form.
    @Test(
        "allocates for no widget that is replaced by another with one value for each equality",
        arguments: 0..<4
    )
    func replacements(form: Int) throws {
        let (pattern, configurations) = Self.singleValues[form]
        var bench = try MatcherBench(patterns: [pattern])
        let widgets = try (0..<50).map { try bench.insert(configurations[$0], kind: 0) }
        for configuration in configurations { bench.add(configuration) }
        func replaceAll(_ round: Int) {
            for (position, widget) in widgets.enumerated() {
                bench.replace(widget, kind: 0, with: (position + round * 13) % 100)
            }
        }
        for round in 0..<100 { replaceAll(round) }
        let count = allocations { for round in 100..<300 { replaceAll(round) } }
        #expect(count == 0, "\(count) allocations in \(200 * widgets.count) replacements")
        #expect(bench.refusedCount == 0)
    }

    @Test(
        "allocates for no widget that is removed and stored anew in the same form",
        arguments: 0..<4
    )
    func exchanges(form: Int) throws {
        let (pattern, configurations) = Self.singleValues[form]
        var bench = try MatcherBench(patterns: [pattern])
        var widgets = try (0..<50).map { try bench.insert(configurations[$0], kind: 0) }
        for configuration in configurations { bench.add(configuration) }
        func exchangeAll(_ round: Int) {
            for position in widgets.indices {
                widgets[position] = bench.exchange(
                    widgets[position],
                    kind: 0,
                    with: (position + round * 13) % 100
                )
            }
        }
        for round in 0..<100 { exchangeAll(round) }
        let count = allocations { for round in 100..<300 { exchangeAll(round) } }
        #expect(count == 0, "\(count) allocations in \(200 * widgets.count) exchanges")
    }
}
