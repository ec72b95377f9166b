/// The configuration of a widget that is displayed when it is relevant; it is accepted.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/relevanceconfiguration>.
public struct RelevanceConfiguration: WidgetConfiguration {
    /// No declarations: nothing here decides what is relevant.
    public var declarations: [WidgetDeclaration] { [] }

    /// Makes a configuration.
    public init<Provider: RelevanceEntriesProvider, Content: View>(
        kind: String,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) {}
}
