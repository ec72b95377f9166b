/// The configuration of a widget that is not offered.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/emptywidgetconfiguration>.
public struct EmptyWidgetConfiguration: WidgetConfiguration {
    /// No declarations.
    public var declarations: [WidgetDeclaration] { [] }

    /// Makes the configuration.
    public init() {}
}
