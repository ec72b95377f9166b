import Basics
import StoreFormat
import TestSupport
import Testing

@testable import WidgetMatching

extension MatcherHarness {
    mutating func restore(
        _ widget: WidgetID,
        _ configuration: [UInt8],
        kind: KindID = 0
    ) throws(ConfigurationError) {
        try configuration.withByteView { bytes throws(ConfigurationError) in
            try matcher.restore(widget, kind: kind, configuration: bytes)
        }
    }

    mutating func restore(_ widget: WidgetID, _ configuration: String) throws {
        try restore(widget, Array(configuration.utf8))
    }

    /// A widget's configuration as the store keeps it.
    func written(_ widget: WidgetID) -> [UInt8] {
        var writer = StoreWriter()
        matcher.index.writeConfiguration(of: widget, to: &writer)
        return writer.bytes.array
    }

    /// The same for people.
    func text(_ widget: WidgetID) -> String { matcher.index.configurationText(of: widget) }

    mutating func has(_ widget: WidgetID, _ configuration: [UInt8], kind: KindID = 0) -> Bool {
        configuration.withByteView {
            matcher.hasConfiguration(widget, kind: kind, equalTo: $0)
        }
    }
}

/// A matcher that random widgets and rules come to, and one that is restored from it now and then.
struct RestoreRun: ~Copyable {
    let seed: UInt64
    var generator: ModelGenerator
    private var harness: MatcherHarness
    private(set) var restored: MatcherHarness
    private(set) var widgets: [WidgetID: KindID] = [:]
    private(set) var matchCount = 0
    private var kinds: [ModelKind?] = []

    init(seed: UInt64) {
        self.seed = seed
        generator = ModelGenerator(seed: seed)
        harness = MatcherHarness(seed: seed)
        restored = MatcherHarness(seed: ~seed)
    }

    mutating func install(_ kinds: [ModelKind?]) {
        self.kinds = kinds
        harness.matcher.install(apps: apps)
        restored.matcher.install(apps: apps)
    }

    private var apps: [WidgetMatcher.App] { WidgetMatcher.App.all(of: kinds) }

    // MARK: - Changes

    /// Before the next restart the other one need not know.
    mutating func insert() throws {
        let widget = generator.widget(kinds)
        let configuration = ModelValue.object(widget.parameters).json(&generator.random)
        widgets[try harness.insert(configuration, kind: widget.kind)] = widget.kind
    }

    mutating func remove() {
        guard let widget = widgets.keys.sorted().randomElement(using: &generator.random) else {
            return
        }
        widgets[widget] = nil
        harness.matcher.remove(widget)
        if !restored.matcher.index.isFree(widget) { restored.matcher.remove(widget) }
    }

    mutating func replace() throws {
        let id = try #require(widgets.keys.sorted().randomElement(using: &generator.random))
        let widget = generator.widget(kinds)
        let configuration = ModelValue.object(widget.parameters).json(&generator.random)
        widgets[id] = widget.kind
        try harness.replace(id, configuration, kind: widget.kind)
        try restored.replace(id, configuration, kind: widget.kind)
    }

    /// Restores all widgets, in no order; rules are there before, as they are, or come behind.
    mutating func restart() throws {
        restored = MatcherHarness(seed: generator.random.next())
        let isInstalledBefore = generator.random.below(2) == 0
        if isInstalledBefore { restored.matcher.install(apps: apps) }
        if generator.random.below(2) == 0 {
            restored.matcher.reserve(
                values: harness.matcher.index.valueCount,
                keys: harness.matcher.index.keyCount
            )
        }
        for widget in widgets.keys.sorted().shuffled(using: &generator.random) {
            try restored.restore(widget, harness.written(widget), kind: widgets[widget]!)
        }
        restored.matcher.finishRestoring()
        restored.matcher.checkInvariants()
        if !isInstalledBefore { restored.matcher.install(apps: apps) }
        restored.matcher.checkInvariants()
        harness.matcher.checkInvariants()
        #expect(restored.matcher.index.widgetCount == harness.matcher.index.widgetCount)
        for (widget, kind) in widgets {
            let configuration = harness.written(widget)
            #expect(
                restored.has(widget, configuration, kind: kind) == true,
                "seed \(seed), \(widget)"
            )
            #expect(restored.matcher.index.kind(of: widget) == kind)
        }
    }

    // MARK: - Pushes

    mutating func push() throws {
        for app in [0, 1] as [AppID] {
            let texts = generator.many(WidgetMatcher.batchLimit) { generator in
                let payload = generator.payload()
                return payload.narrowing + payload.json(&generator.random)
            }
            let expected = try harness.match(texts, app: app)
            matchCount += expected.reduce(0) { $0 + $1.count }
            #expect(try restored.match(texts, app: app) == expected, "seed \(seed)")
        }
    }
}
