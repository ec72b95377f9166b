/// The configuration of a widget that people cannot configure.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/staticconfiguration>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    /// The declaration of the widget's kind.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: the name of the widget's kind, unique in the app.
    ///   - provider: makes the widget's timelines.
    ///   - content: makes the view of an entry.
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

/// The configuration of a widget for which people choose the parameters of an `INIntent`.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/intentconfiguration>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct IntentConfiguration<Intent: INIntent, Content: View>: WidgetConfiguration {
    /// The declaration of the widget's kind.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: the name of the widget's kind, unique in the app.
    ///   - intent: the intent whose parameters people choose.
    ///   - provider: makes the widget's timelines.
    ///   - content: makes the view of an entry.
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

/// The configuration of a widget for which people choose the parameters of an app intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintentconfiguration>.
@available(iOS 17, macOS 14, watchOS 10, visionOS 26, *)
public struct AppIntentConfiguration<Intent: WidgetConfigurationIntent, Content: View>:
    WidgetConfiguration
{
    /// The declaration of the widget's kind.
    public let declarations: [WidgetDeclaration]

    /// - Parameters:
    ///   - kind: the name of the widget's kind, unique in the app.
    ///   - intent: the intent whose parameters people choose.
    ///   - provider: makes the widget's timelines.
    ///   - content: makes the view of an entry.
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
