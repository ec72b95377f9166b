import Basics
import TestSupport
import Testing
import WidgetMatching

/// One run: three matchers and the model, driven with the same random rules, widgets and pushes.
///
/// The second differs from the first in the seed of its hashes, which nobody may see in what it
/// reports. The third is visited by the pushes that were scanned for the first.
struct ModelRun: ~Copyable {
    let seed: UInt64
    var generator: ModelGenerator
    var harness: MatcherHarness
    private var replica: MatcherHarness
    private var visited: WidgetMatcher
    private(set) var kinds: [ModelKind?] = []
    private(set) var widgets: [WidgetID: ModelWidget] = [:]
    private var order: [WidgetID] = []
    /// Pairs of a widget's rule and a push that were compared.
    private(set) var pairCount = 0
    private(set) var matchCount = 0
    /// Whether the matcher has differed from the model: the first time says all.
    private(set) var hasFailed = false

    init(seed: UInt64) {
        self.seed = seed
        generator = ModelGenerator(seed: seed)
        harness = MatcherHarness(seed: seed)
        replica = MatcherHarness(seed: ~seed)
        visited = WidgetMatcher(seed: seed)
    }

    // MARK: - Rules

    mutating func install(_ kinds: [ModelKind?]) {
        self.kinds = kinds
        let apps = WidgetMatcher.App.all(of: kinds)
        harness.matcher.install(apps: apps)
        replica.matcher.install(apps: apps)
        visited.install(apps: apps)
        harness.matcher.checkInvariants()
    }

    /// Changes some rules, and keeps the others as they are.
    mutating func changeRules() {
        let fresh = generator.kinds()
        var next = kinds
        for number in next.indices where generator.happens(onceIn: 2) {
            next[number] = fresh[number]
        }
        install(next)
    }

    // MARK: - Widgets

    mutating func insert() throws {
        let widget = generator.widget(kinds)
        let configuration = ModelValue.object(widget.parameters).json(&generator.random)
        let id = try harness.insert(configuration, kind: widget.kind)
        #expect(try replica.insert(configuration, kind: widget.kind) == id, "seed \(seed)")
        try Array(configuration.utf8).withByteView { bytes throws(ConfigurationError) in
            _ = try visited.insert(kind: widget.kind, configuration: bytes)
        }
        #expect(widgets[id] == nil, "seed \(seed): number \(id) is taken")
        widgets[id] = widget
        order.append(id)
    }

    mutating func replace() throws {
        if order.isEmpty { return }
        let id = generator.one(order)
        let widget = generator.widget(kinds)
        let configuration = ModelValue.object(widget.parameters).json(&generator.random)
        try harness.replace(id, configuration, kind: widget.kind)
        try replica.replace(id, configuration, kind: widget.kind)
        try Array(configuration.utf8).withByteView { bytes throws(ConfigurationError) in
            try visited.replace(id, kind: widget.kind, configuration: bytes)
        }
        widgets[id] = widget
    }

    /// Tries to give a widget a configuration that is refused; the old one must stay.
    mutating func replaceInVain() {
        if order.isEmpty { return }
        let id = generator.one(order)
        for configuration in [#"{"a":"b","b":null}"#, #"{"a":["b",{}]}"#] {
            #expect(throws: ConfigurationError.self) {
                try harness.replace(id, configuration, kind: 1)
            }
        }
    }

    mutating func remove() {
        if order.isEmpty { return }
        let position = generator.random.below(order.count)
        order.swapAt(position, order.count - 1)
        let id = order.removeLast()
        widgets[id] = nil
        harness.matcher.remove(id)
        replica.matcher.remove(id)
        visited.remove(id)
    }

    mutating func clear() {
        while !order.isEmpty { remove() }
        harness.matcher.install(apps: [])
        harness.matcher.checkInvariants()
    }

    // MARK: - Pushes

    /// Matches a batch of pushes, and compares what each finds with the model.
    mutating func push() throws {
        let app: AppID = generator.happens(onceIn: 8) ? 1 : 0
        let count = 1 + generator.random.below(WidgetMatcher.batchLimit)
        let payloads = generator.many(count) { $0.payload() }
        let texts = payloads.map { $0.narrowing + $0.json(&generator.random) }
        harness.matcher.checkInvariants()
        let found = try harness.rawMatches(texts, app: app)
        harness.matcher.checkInvariants()
        #expect(
            try matchesByVisits(texts, app: app) == found,
            "seed \(seed): pushes that were scanned for another matcher find other widgets"
        )
        #expect(
            try replica.rawMatches(texts, app: app) == found,
            "seed \(seed): the order of matches depends on the hashes"
        )
        for (tag, payload) in payloads.enumerated() where !hasFailed {
            let expected = expected(payload, app)
            matchCount += expected.count
            let matched = found.filter { $0.tag == tag }.map(\.widget).sorted()
            if matched == expected { continue }
            hasFailed = true
            Issue.record("seed \(seed): \(report(matched, expected, payload, texts[tag], app))")
        }
    }

    /// What pushes find in the visited matcher, scanned by the scanner of the first.
    private mutating func matchesByVisits(_ texts: [String], app: AppID) throws -> [WidgetMatch] {
        let batch = PushTexts(texts)
        return try batch.bytes.withByteView { bytes throws(PayloadError) in
            for tag in texts.indices {
                visited.enqueue(
                    try harness.scan(batch, tag: tag, in: bytes, app: app),
                    tag: UInt32(tag)
                )
            }
            visited.matchQueued()
            visited.checkInvariants()
            return (0..<visited.matchCount).map { visited.match(at: $0) }
        }
    }

    private mutating func expected(_ payload: ModelValue, _ app: AppID) -> [WidgetID] {
        var found: [WidgetID] = []
        for (id, widget) in widgets {
            guard let kind = kinds[widget.kind.index], kind.app == app else { continue }
            pairCount += 1
            if ModelMatcher.concerns(payload, of: app, widget, kind) { found.append(id) }
        }
        return found.sorted()
    }

    /// What a widget that one of both missed has in it, as small as it can be made.
    private func report(
        _ found: [WidgetID],
        _ expected: [WidgetID],
        _ payload: ModelValue,
        _ text: String,
        _ app: AppID
    ) -> String {
        let differing = Set(found).symmetricDifference(expected).sorted()
        guard let id = differing.first, let widget = widgets[id],
            let kind = kinds[widget.kind.index]
        else { return "widgets twice or not there: \(found), not \(expected), by \(text)" }
        let disagreement = Disagreement(kind: kind, widget: widget, payload: payload)
        let verdict = expected.contains(id) ? "is not found" : "is found"
        guard disagreement.isReproducible else {
            return "widget \(id) \(verdict), but only after all that came before:\n\(disagreement)"
        }
        return "a widget \(verdict):\n\(disagreement.shrunk())"
    }
}
