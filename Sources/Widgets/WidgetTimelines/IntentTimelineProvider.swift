/// Makes the timelines of a widget that is configured with an `INIntent`.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/intenttimelineprovider>.
public protocol IntentTimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: INIntent
    typealias Context = TimelineProviderContext

    /// The entry to display before there are data; must return at once.
    func placeholder(in context: Context) -> Entry

    /// Passes the entry for now, or, for the gallery (`isPreview`), an example; calls `completion`
    /// once.
    func getSnapshot(
        for configuration: Intent,
        in context: Context,
        completion: @escaping (Entry) -> Void
    )

    /// Passes the entries from now on. `completion` must be called once, and may be called later.
    func getTimeline(
        for configuration: Intent,
        in context: Context,
        completion: @escaping (Timeline<Entry>) -> Void
    )

    /// Ready-made configurations, for devices on which people cannot edit one.
    func recommendations() -> [IntentRecommendation<Intent>]
}

extension IntentTimelineProvider {
    /// No recommendations.
    public func recommendations() -> [IntentRecommendation<Intent>] { [] }
}

/// A configuration and the name under which it is offered.
public struct IntentRecommendation<Intent: INIntent> {
    /// The configuration.
    public let intent: Intent
    /// The name under which the configuration is offered.
    public let description: String

    /// Makes a recommendation.
    public init(intent: Intent, description: String) {
        self.intent = intent
        self.description = description
    }
}
