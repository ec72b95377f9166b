import DataStructures
import ReloadModel
import WidgetMatching

/// Generates a workload: rules, widgets, and events whose matches are known.
///
/// Widgets are identified by number; the same number and seed always give the same widget.
protocol BenchMatchGenerator {
    /// The number of widgets.
    var widgets: Int { get }
    var apps: [WidgetMatcher.App] { get }

    func kind(of widget: Int) -> KindID
    func app(of widget: Int) -> AppID

    /// Writes the members of a widget's configuration.
    ///
    /// - Returns: the range of the value by which the lookup reference finds the widget; nil if it
    ///   cannot.
    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>?

    /// Adds the event with this number, which may have random values.
    func addEvent(
        _ number: Int,
        using random: inout SplitMix64,
        to events: inout BenchMatchEvents
    )
}

extension BenchMatchGenerator {
    func app(of widget: Int) -> AppID { .first }
}

// MARK: - Rules

extension WidgetMatcher.App {
    /// An app whose kinds have these rules.
    static func benchmark(
        _ rules: [EventPattern],
        app: AppID = .first,
        firstKind: KindID = .first
    ) -> WidgetMatcher.App {
        WidgetMatcher.App(
            app: app,
            kinds: rules.enumerated().map { number, rule in
                WidgetMatcher.Kind(
                    kind: KindID(index: firstKind.index + number),
                    name: "kind-\(number)",
                    rule: rule
                )
            }
        )
    }
}

extension PatternCondition {
    /// A field that must equal the widget's parameter of the same name, or one of its values.
    static func own(_ name: String) -> PatternCondition {
        .field(name, [.equals(.parameter(name))])
    }
}
