import ByteStorage
import ReloadModel
import Testing

@testable import WidgetMatching

@Suite("The matcher and a naive one")
struct MatcherModelTests {
    /// One run: a matcher and the model, driven with the same random rules, widgets and pushes.
    private struct Run: ~Copyable {
        let seed: UInt64
        var generator: ModelGenerator
        var harness: MatcherHarness
        var kinds: [ModelKind?] = []
        var widgets: [WidgetID: ModelWidget] = [:]
        var order: [WidgetID] = []
        var matchCount = 0

        init(seed: UInt64) {
            self.seed = seed
            generator = ModelGenerator(seed: seed)
            harness = MatcherHarness(seed: seed)
        }

        mutating func install(_ kinds: [ModelKind?]) {
            self.kinds = kinds
            let apps = [0, 1].map { app in
                var installed: [WidgetMatcher.Kind] = []
                for (number, kind) in kinds.enumerated() {
                    guard let kind, kind.app == app else { continue }
                    installed.append(
                        WidgetMatcher.Kind(
                            kind: KindID(number),
                            name: kind.name,
                            rule: kind.matchRule(&generator.random)
                        )
                    )
                }
                return WidgetMatcher.App(app: AppID(app), kinds: installed)
            }
            harness.matcher.install(apps: apps)
        }

        /// Changes some rules, and keeps the others as they are.
        mutating func changeRules() {
            let fresh = generator.kinds()
            var next = kinds
            for number in next.indices where generator.random.below(3) == 0 {
                next[number] = fresh[number]
            }
            install(next)
        }

        mutating func insert() throws {
            let widget = generator.widget()
            let configuration = ModelValue.object(widget.parameters).json(&generator.random)
            let id = try harness.insert(configuration, kind: widget.kind)
            #expect(widgets[id] == nil, "seed \(seed): number \(id) is taken")
            widgets[id] = widget
            order.append(id)
        }

        mutating func remove() {
            if order.isEmpty { return }
            let place = generator.random.below(order.count)
            order.swapAt(place, order.count - 1)
            let id = order.removeLast()
            widgets[id] = nil
            harness.matcher.remove(id)
        }

        mutating func push() throws {
            let app = AppID(generator.random.below(2))
            var payloads: [ModelValue] = []
            var texts: [String] = []
            for _ in 0..<1 + generator.random.below(WidgetMatcher.batchLimit) {
                let payload = generator.payload()
                payloads.append(payload)
                texts.append(payload.json(&generator.random))
            }
            let found = try harness.match(texts, app: app)
            for (number, payload) in payloads.enumerated() {
                let expected = expected(payload, app)
                matchCount += expected.count
                #expect(
                    found[number] == expected,
                    "seed \(seed): app \(app), \(texts[number]) with the rules \(kinds)"
                )
            }
        }

        private func expected(_ payload: ModelValue, _ app: AppID) -> [WidgetID] {
            widgets.filter { _, widget in
                ModelMatcher.concerns(payload, of: app, widget, kinds[Int(widget.kind)])
            }.keys.sorted()
        }

        mutating func clear() {
            while !order.isEmpty { remove() }
            harness.matcher.install(apps: [])
        }
    }

    @Test(
        "Both find the same widgets, whatever comes and goes",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func sameWidgets(seed: UInt64) throws {
        var run = Run(seed: seed)
        run.install(run.generator.kinds())
        for _ in 0..<80 { try run.insert() }
        for _ in 0..<40 {
            switch run.generator.random.below(10) {
            case 0, 1: run.changeRules()
            case 2..<6: for _ in 0..<run.generator.random.below(30) { try run.insert() }
            default: for _ in 0..<run.generator.random.below(30) { run.remove() }
            }
            try run.push()
        }
        #expect(run.matchCount > 50, "seed \(seed): the run meets too little to mean anything")
        run.clear()
        #expect(
            MatcherUsage(run.harness.matcher) == .empty,
            "seed \(seed): what was stored is not given back"
        )
    }

    @Test("The same seed finds the same widgets in the same order")
    func deterministic() throws {
        func run() throws -> [WidgetMatch] {
            var run = Run(seed: 77)
            var matches: [WidgetMatch] = []
            run.install(run.generator.kinds())
            for _ in 0..<10 {
                for _ in 0..<20 { try run.insert() }
                try run.push()
                for position in 0..<run.harness.matcher.matchCount {
                    matches.append(run.harness.matcher.match(at: position))
                }
            }
            return matches
        }
        let first = try run()
        #expect(!first.isEmpty)
        #expect(try run() == first)
    }
}
