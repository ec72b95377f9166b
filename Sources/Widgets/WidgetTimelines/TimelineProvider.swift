/// Makes the timelines of a widget without a configuration.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineprovider>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public protocol TimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext

    /// The entry to display before there are data; must return at once.
    func placeholder(in context: Context) -> Entry

    /// Passes the entry for now, or, for the gallery (`isPreview`), an example; calls `completion`
    /// once.
    @preconcurrency
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)

    /// Passes the entries from now on. `completion` must be called once, and may be called later.
    @preconcurrency
    func getTimeline(
        in context: Context,
        completion: @escaping @Sendable (Timeline<Entry>) -> Void
    )

    /// When the widget is relevant; it is not used here.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    func relevance() async -> WidgetRelevance<Void>
}

extension TimelineProvider {
    /// No relevance.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    public func relevance() async -> WidgetRelevance<Void> { WidgetRelevance([]) }
}
