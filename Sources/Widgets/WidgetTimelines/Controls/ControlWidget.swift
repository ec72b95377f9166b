/// A control, as an app declares it. A fleet runs it as a kind of widget whose timeline is the
/// current value.
///
/// Source: <https://developer.apple.com/documentation/swiftui/controlwidget>.
public protocol ControlWidget {
    associatedtype Body: ControlWidgetConfiguration
    /// Makes the control.
    init()
    /// The configuration of the control: its kind, its value and its template.
    @ControlWidgetConfigurationBuilder var body: Body { get }
}

/// The declaration of a control, to which modifiers can be applied.
///
/// Source: <https://developer.apple.com/documentation/swiftui/controlwidgetconfiguration>.
public protocol ControlWidgetConfiguration {
    /// The declaration.
    var declaration: WidgetDeclaration { get }
}

/// A declaration to which modifiers were applied.
public struct ControlDeclaration: ControlWidgetConfiguration {
    /// The declaration.
    public let declaration: WidgetDeclaration
}

extension ControlWidgetConfiguration {
    private func changed(_ change: (inout WidgetDeclaration) -> Void) -> ControlDeclaration {
        var declaration = declaration
        change(&declaration)
        return ControlDeclaration(declaration: declaration)
    }

    /// Sets the name that the gallery displays.
    public func displayName(_ name: LocalizedStringResource) -> some ControlWidgetConfiguration {
        changed { $0.displayName = String(localized: name) }
    }

    /// Sets the description that the gallery displays.
    public func description(
        _ description: LocalizedStringResource
    ) -> some ControlWidgetConfiguration {
        changed { $0.summary = String(localized: description) }
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
    public init(
        kind: String,
        @ControlWidgetTemplateBuilder content: @escaping () -> Content
    ) {
        declaration = WidgetDeclaration(
            control: kind,
            provider: StaticAdapter(
                provider: ControlTimeline(preview: ()) { () },
                content: { _ in content() }
            )
        )
    }

    /// Makes a configuration with a value.
    public init<Provider: ControlValueProvider>(
        kind: String,
        provider: Provider,
        @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
    ) {
        declaration = WidgetDeclaration(
            control: kind,
            provider: StaticAdapter(
                provider: ControlTimeline(preview: provider.previewValue) {
                    try await provider.currentValue()
                },
                content: { content($0.value) }
            )
        )
    }
}

/// The configuration of a control for which people choose the parameters of an intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintentcontrolconfiguration>.
@available(iOS 18, *)
public struct AppIntentControlConfiguration<
    Intent: ControlConfigurationIntent,
    Content: ControlWidgetTemplate
>: ControlWidgetConfiguration {
    /// The declaration of the control's kind.
    public let declaration: WidgetDeclaration

    /// Makes a configuration without a value.
    public init(
        kind: String,
        intent: Intent.Type = Intent.self,
        @ControlWidgetTemplateBuilder content: @escaping (Intent) -> Content
    ) {
        declaration = WidgetDeclaration(
            control: kind,
            provider: ControlAdapter<Intent, Intent, Content>(
                preview: { $0 },
                current: { $0 },
                content: content
            )
        )
    }

    /// Makes a configuration with a value.
    public init<Provider: AppIntentControlValueProvider>(
        kind: String,
        intent: Intent.Type = Intent.self,
        provider: Provider,
        @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
    ) where Provider.Configuration == Intent {
        declaration = WidgetDeclaration(
            control: kind,
            provider: ControlAdapter<Intent, Provider.Value, Content>(
                preview: { provider.previewValue(configuration: $0) },
                current: { try await provider.currentValue(configuration: $0) },
                content: content
            )
        )
    }
}

/// Returns the current value of a control.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlvalueprovider>.
@available(iOS 18, *)
public protocol ControlValueProvider: Sendable {
    associatedtype Value: Sendable
    /// The value to display where there is none yet; must return at once.
    var previewValue: Value { get }
    /// The current value.
    func currentValue() async throws -> Value
}

/// Returns the current value of a control that is configured with an intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/appintentcontrolvalueprovider>.
@available(iOS 18, *)
public protocol AppIntentControlValueProvider: Sendable {
    associatedtype Configuration: ControlConfigurationIntent
    associatedtype Value: Sendable
    /// The value to display where there is none yet; must return at once.
    func previewValue(configuration: Configuration) -> Value
    /// The current value.
    func currentValue(configuration: Configuration) async throws -> Value
}
