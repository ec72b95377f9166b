/// Makes the timelines of a widget that is configured with an `INIntent`.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/intenttimelineprovider>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public protocol IntentTimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: INIntent
    typealias Context = TimelineProviderContext

    /// The entry to display before there are data; must return at once.
    func placeholder(in context: Context) -> Entry

    /// Passes the entry for now, or, for the gallery (`isPreview`), an example; calls `completion`
    /// once.
    @preconcurrency
    func getSnapshot(
        for configuration: Intent,
        in context: Context,
        completion: @escaping @Sendable (Entry) -> Void
    )

    /// Passes the entries from now on. `completion` must be called once, and may be called later.
    @preconcurrency
    func getTimeline(
        for configuration: Intent,
        in context: Context,
        completion: @escaping @Sendable (Timeline<Entry>) -> Void
    )

    /// Ready-made configurations, for devices on which people cannot edit one.
    @available(iOS 16, macOS 13, watchOS 9, visionOS 26, *)
    func recommendations() -> [IntentRecommendation<Intent>]

    /// When which configuration is relevant; it is not used here.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    func relevance() async -> WidgetRelevance<Intent>
}

extension IntentTimelineProvider {
    /// No recommendations.
    @available(iOS 16, macOS 13, watchOS 9, visionOS 26, *)
    public func recommendations() -> [IntentRecommendation<Intent>] { [] }

    /// No relevance.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}

/// A configuration and the name under which it is offered.
@available(iOS 16, macOS 13, watchOS 9, visionOS 26, *)
public struct IntentRecommendation<Intent: INIntent> {
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
