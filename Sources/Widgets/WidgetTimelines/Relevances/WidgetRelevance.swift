/// When a widget is relevant; it is not used here.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetrelevance>.
@available(iOS 18, *)
public struct WidgetRelevance<Configuration>: Sendable {
    /// Makes the relevance of some attributes.
    public init(_ attributes: [WidgetRelevanceAttribute<Configuration>]) {}
}
