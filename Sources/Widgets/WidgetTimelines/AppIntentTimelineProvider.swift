/// Makes the timelines of a widget that is configured with an app intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintenttimelineprovider>.
@available(iOS 17, macOS 14, watchOS 10, visionOS 26, *)
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

    /// When which configuration is relevant; it is not used here.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    func relevance() async -> WidgetRelevance<Intent>
}

extension AppIntentTimelineProvider {
    /// No recommendations.
    public func recommendations() -> [AppIntentRecommendation<Intent>] { [] }

    /// No relevance.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}

/// A configuration and the name under which it is offered.
@available(iOS 17, macOS 14, watchOS 10, visionOS 26, *)
public struct AppIntentRecommendation<Intent: WidgetConfigurationIntent>: Sendable {
    /// The configuration.
    public let intent: Intent
    /// The name under which the configuration is offered.
    public let description: String

    /// Makes a recommendation.
    @_disfavoredOverload
    public init(intent: Intent, description: some StringProtocol) {
        self.intent = intent
        self.description = String(description)
    }

    /// Makes a recommendation with a text that is not translated.
    public init(intent: Intent, description: LocalizedStringResource) {
        self.intent = intent
        self.description = String(localized: description)
    }

    /// Makes a recommendation with a text.
    public init(intent: Intent, description: Text) {
        self.intent = intent
        self.description = description.viewContent.lines(at: .now).joined()
    }
}
