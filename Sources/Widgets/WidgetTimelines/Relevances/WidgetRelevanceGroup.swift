/// Widgets of which only one is suggested.
@available(iOS 18, *)
public struct WidgetRelevanceGroup: Sendable {
    /// Of the widgets of a kind, one.
    public static let automatic = WidgetRelevanceGroup()
    /// As many as are relevant.
    public static let ungrouped = WidgetRelevanceGroup()

    /// Of the widgets with this group, one.
    public static func named(_ name: String) -> WidgetRelevanceGroup { WidgetRelevanceGroup() }

    private init() {}
}
