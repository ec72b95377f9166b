/// Says what a widget without a configuration shows, and when.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineprovider>.
public protocol TimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext

    /// What the widget looks like before there is anything to show; answered at once.
    func placeholder(in context: Context) -> Entry

    /// What it shows now, or, in the gallery (`isPreview`), what it could show.
    func getSnapshot(in context: Context, completion: @escaping (Entry) -> Void)

    /// What it shows from now on. `completion` may be called later, once.
    func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void)
}
