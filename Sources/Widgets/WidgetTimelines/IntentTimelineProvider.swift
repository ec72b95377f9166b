/// Says what a widget with an intent for its configuration shows, and when.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/intenttimelineprovider>.
public protocol IntentTimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: INIntent
    typealias Context = TimelineProviderContext

    /// What the widget looks like before there is anything to show; answered at once.
    func placeholder(in context: Context) -> Entry

    /// What it shows now, or, in the gallery (`isPreview`), what it could show.
    func getSnapshot(
        for configuration: Intent,
        in context: Context,
        completion: @escaping (Entry) -> Void
    )

    /// What it shows from now on. `completion` may be called later, once.
    func getTimeline(
        for configuration: Intent,
        in context: Context,
        completion: @escaping (Timeline<Entry>) -> Void
    )

    /// Configurations to choose from where there is no place to make one.
    func recommendations() -> [IntentRecommendation<Intent>]
}

extension IntentTimelineProvider {
    /// None.
    public func recommendations() -> [IntentRecommendation<Intent>] { [] }
}

/// A configuration with the name under which it is offered.
public struct IntentRecommendation<Intent: INIntent> {
    /// The configuration.
    public let intent: Intent
    /// Its name.
    public let description: String

    /// A configuration that is offered under a name.
    public init(intent: Intent, description: String) {
        self.intent = intent
        self.description = description
    }
}
