/// Says what a widget with an app intent for its configuration shows, and when.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintenttimelineprovider>.
public protocol AppIntentTimelineProvider<Entry>: Sendable {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: WidgetConfigurationIntent
    typealias Context = TimelineProviderContext

    /// What the widget looks like before there is anything to show; answered at once.
    func placeholder(in context: Context) -> Entry

    /// What it shows now, or, in the gallery (`isPreview`), what it could show.
    func snapshot(for configuration: Intent, in context: Context) async -> Entry

    /// What it shows from now on.
    func timeline(for configuration: Intent, in context: Context) async -> Timeline<Entry>

    /// Configurations to choose from where there is no place to make one.
    func recommendations() -> [AppIntentRecommendation<Intent>]
}

extension AppIntentTimelineProvider {
    /// None.
    public func recommendations() -> [AppIntentRecommendation<Intent>] { [] }
}

/// A configuration with the name under which it is offered.
public struct AppIntentRecommendation<Intent: WidgetConfigurationIntent>: Sendable {
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
