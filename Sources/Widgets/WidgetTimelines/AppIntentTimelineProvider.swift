/// Makes the timelines of a widget that is configured with an app intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintenttimelineprovider>.
public protocol AppIntentTimelineProvider<Entry>: Sendable {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: WidgetConfigurationIntent
    typealias Context = TimelineProviderContext

    /// The entry to display before there are data; must return at once.
    func placeholder(in context: Context) -> Entry

    /// The entry for now; for the gallery (`isPreview`), an example.
    func snapshot(for configuration: Intent, in context: Context) async -> Entry

    /// The entries from now on.
    func timeline(for configuration: Intent, in context: Context) async -> Timeline<Entry>

    /// Ready-made configurations, for devices on which people cannot edit one.
    func recommendations() -> [AppIntentRecommendation<Intent>]
}

extension AppIntentTimelineProvider {
    /// No recommendations.
    public func recommendations() -> [AppIntentRecommendation<Intent>] { [] }
}

/// A configuration and the name under which it is offered.
public struct AppIntentRecommendation<Intent: WidgetConfigurationIntent>: Sendable {
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
