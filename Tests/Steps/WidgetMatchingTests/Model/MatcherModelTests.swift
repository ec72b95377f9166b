import Basics
import Glibc
import TestSupport
import Testing
import WidgetMatching

@Suite("The matcher and a naive one")
struct MatcherModelTests {
    /// How many times the usual number of rounds each run has; more for a long search.
    static let rounds =
        getenv("RELOAD_ROUTER_MODEL_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1

    @Test(
        "Both find the same widgets, whatever comes, changes and goes",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func sameWidgets(seed: UInt64) throws {
        var run = ModelRun(seed: seed)
        run.install(run.generator.kinds())
        for _ in 0..<60 { try run.insert() }
        for _ in 0..<32 * Self.rounds where !run.hasFailed {
            switch run.generator.random.below(10) {
            case 0..<6: run.changeRules()
            case 6: run.install(run.generator.kinds())
            case 7, 8: for _ in 0..<run.generator.random.below(30) { try run.insert() }
            default: for _ in 0..<run.generator.random.below(30) { run.remove() }
            }
            for _ in 0..<run.generator.random.below(8) { try run.replace() }
            run.replaceInVain()
            while run.widgets.count < 40 { try run.insert() }
            while run.widgets.count > 90 { run.remove() }
            try run.push()
        }
        if run.hasFailed { return }
        #expect(
            run.matchCount > run.pairCount / 20 && run.matchCount < run.pairCount / 2,
            "seed \(seed): \(run.matchCount) matches of \(run.pairCount) pairs say little"
        )
        run.clear()
        // A release does not show it.
        #if DEBUG
        #expect(
            MatcherUsage(run.harness.matcher) == .empty,
            "seed \(seed): what was stored is not released"
        )
        #endif
    }

    @Test("The same history finds the same widgets in the same order, whatever the hashes")
    func stableOrder() throws {
        func run(hashes: UInt64) throws -> [WidgetMatch] {
            var generator = ModelGenerator(seed: 77)
            var harness = MatcherHarness(seed: hashes)
            let kinds = generator.kinds()
            harness.install(
                kinds.enumerated().map { (name: "\($0)", rule: $1?.rule) }
            )
            var matches: [WidgetMatch] = []
            for _ in 0..<10 {
                for _ in 0..<40 {
                    let widget = generator.widget(kinds)
                    let configuration = ModelValue.object(widget.parameters).json
                    _ = try harness.insert(configuration, kind: widget.kind)
                }
                let payloads = generator.many(8) { generator in
                    let payload = generator.payload()
                    return payload.narrowing + payload.json
                }
                matches += try harness.rawMatches(payloads, app: MatcherHarness.app)
            }
            return matches
        }
        let first = try run(hashes: 1)
        #expect(first.count > 100)
        for hashes in [1, 2, 0xdead_beef] as [UInt64] {
            #expect(try run(hashes: hashes) == first, "hash seed \(hashes)")
        }
    }
}
