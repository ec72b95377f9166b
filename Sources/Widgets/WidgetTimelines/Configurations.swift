/// A kind of widget that has nothing to choose.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/staticconfiguration>.
public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    /// The kind's.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: its name, unique in the app.
    ///   - provider: who makes its timelines.
    ///   - content: what an entry looks like.
    public init<Provider: TimelineProvider>(
        kind: String,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) {
        declarations = [
            WidgetDeclaration(
                kind: kind,
                provider: StaticAdapter(provider: provider, content: content)
            )
        ]
    }
}

/// A kind of widget for which people choose an intent's parameters.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/intentconfiguration>.
public struct IntentConfiguration<Intent: INIntent, Content: View>: WidgetConfiguration {
    /// The kind's.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: its name, unique in the app.
    ///   - intent: what there is to choose.
    ///   - provider: who makes its timelines.
    ///   - content: what an entry looks like.
    public init<Provider: IntentTimelineProvider>(
        kind: String,
        intent: Intent.Type,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) where Provider.Intent == Intent {
        declarations = [
            WidgetDeclaration(
                kind: kind,
                provider: IntentAdapter(provider: provider, content: content)
            )
        ]
    }
}

/// A kind of widget for which people choose an app intent's parameters.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintentconfiguration>.
public struct AppIntentConfiguration<Intent: WidgetConfigurationIntent, Content: View>:
    WidgetConfiguration
{
    /// The kind's.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: its name, unique in the app.
    ///   - intent: what there is to choose.
    ///   - provider: who makes its timelines.
    ///   - content: what an entry looks like.
    public init<Provider: AppIntentTimelineProvider>(
        kind: String,
        intent: Intent.Type = Intent.self,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) where Provider.Intent == Intent {
        declarations = [
            WidgetDeclaration(
                kind: kind,
                provider: AppIntentAdapter(provider: provider, content: content)
            )
        ]
    }
}
