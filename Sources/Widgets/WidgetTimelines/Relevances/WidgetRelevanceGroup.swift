/// Widgets of which only one is suggested.
public enum WidgetRelevanceGroup: Hashable, Sendable {
    case automatic
    case ungrouped
    case named(String)
}
