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
        let adapter = EntryAdapter<Void, Provider.Entry, Content>(
            newChoice: { .none },
            placeholder: provider.placeholder(in:),
            snapshot: { provider.getSnapshot(in: $1, completion: $2) },
            timeline: { provider.getTimeline(in: $1, completion: $2) },
            content: content
        )
        declarations = [WidgetDeclaration(kind: kind, provider: adapter)]
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
        let adapter = EntryAdapter<Intent, Provider.Entry, Content>(
            newChoice: { () throws(WidgetChoiceError) in
                guard let type = Intent.self as? any ChoosableIntent.Type else {
                    throw WidgetChoiceError("\(Intent.self) is no ChoosableIntent")
                }
                return .intent(type.init())
            },
            placeholder: provider.placeholder(in:),
            snapshot: provider.getSnapshot(for:in:completion:),
            timeline: provider.getTimeline(for:in:completion:),
            content: content
        )
        declarations = [WidgetDeclaration(kind: kind, provider: adapter)]
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
        let adapter = EntryAdapter<Intent, Provider.Entry, Content>(
            newChoice: { .appIntent(Intent()) },
            placeholder: provider.placeholder(in:),
            snapshot: { intent, context, completion in
                Task(executorPreference: OriginSession.executor) {
                    completion(await provider.snapshot(for: intent, in: context))
                }
            },
            timeline: { intent, context, completion in
                Task(executorPreference: OriginSession.executor) {
                    completion(await provider.timeline(for: intent, in: context))
                }
            },
            content: content
        )
        declarations = [WidgetDeclaration(kind: kind, provider: adapter)]
    }
}

/// The configuration of a control that people cannot configure.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/staticcontrolconfiguration>.
@available(iOS 18, *)
public struct StaticControlConfiguration<Content: ControlWidgetTemplate>:
    ControlWidgetConfiguration
{
    /// The declaration of the control's kind.
    public let declaration: WidgetDeclaration

    /// Makes a configuration without a value.
    public init(kind: String, @ControlWidgetTemplateBuilder content: @escaping () -> Content) {
        self.init(kind: kind, preview: {}, current: {}, content: content)
    }

    /// Makes a configuration with a value.
    public init<Provider: ControlValueProvider>(
        kind: String,
        provider: Provider,
        @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
    ) {
        self.init(
            kind: kind,
            preview: { provider.previewValue },
            current: { try await provider.currentValue() },
            content: content
        )
    }

    private init<Value: Sendable>(
        kind: String,
        preview: @escaping @Sendable () -> Value,
        current: @escaping @Sendable () async throws -> Value,
        content: @escaping (Value) -> Content
    ) {
        let adapter = EntryAdapter<Void, ControlEntry<Value>, Content>(
            intent: {},
            choice: { .none },
            preview: preview,
            current: current,
            content: content
        )
        declaration = WidgetDeclaration(kind: kind, provider: adapter, isControl: true)
    }
}

/// The configuration of a control for which people choose the parameters of an intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintentcontrolconfiguration>.
@available(iOS 18, *)
public struct AppIntentControlConfiguration<
    Configuration: ControlConfigurationIntent,
    Content: ControlWidgetTemplate
>: ControlWidgetConfiguration {
    /// The declaration of the control's kind.
    public let declaration: WidgetDeclaration

    /// Makes a configuration without a value.
    public init(
        kind: String,
        intent: Configuration.Type = Configuration.self,
        @ControlWidgetTemplateBuilder content: @escaping (Configuration) -> Content
    ) {
        self.init(kind: kind, preview: { $0 }, current: { $0 }, content: content)
    }

    /// Makes a configuration with a value.
    public init<Provider: AppIntentControlValueProvider>(
        kind: String,
        provider: Provider,
        @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
    ) where Provider.Configuration == Configuration {
        self.init(
            kind: kind,
            preview: { provider.previewValue(configuration: $0) },
            current: { try await provider.currentValue(configuration: $0) },
            content: content
        )
    }

    private init<Value: Sendable>(
        kind: String,
        preview: @escaping @Sendable (Configuration) -> Value,
        current: @escaping @Sendable (Configuration) async throws -> Value,
        content: @escaping (Value) -> Content
    ) {
        let adapter = EntryAdapter<Configuration, ControlEntry<Value>, Content>(
            intent: { Configuration() },
            choice: { .control($0) },
            preview: preview,
            current: current,
            content: content
        )
        declaration = WidgetDeclaration(kind: kind, provider: adapter, isControl: true)
    }
}
