/// A configuration and when it is relevant.
@available(iOS 18, *)
public struct WidgetRelevanceAttribute<Configuration>: Sendable {
    /// Makes an attribute of a configuration.
    public init(configuration: Configuration, context: RelevantContext) {}
    /// Makes an attribute of a configuration in a group.
    public init(
        configuration: Configuration,
        context: RelevantContext,
        group: WidgetRelevanceGroup
    ) {}
    /// Makes an attribute of a widget without a configuration.
    public init(context: RelevantContext) where Configuration == Void {}
}
