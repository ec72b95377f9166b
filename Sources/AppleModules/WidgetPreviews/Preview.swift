public import WidgetTimelines

// Xcode's canvas does not exist here: previews are type-checked, and expand to nothing.

/// A preview of a view.
@freestanding(declaration)
public macro Preview<Content: View>(
    _ name: String? = nil,
    traits: PreviewTrait<Preview.ViewTraits>...,
    @ViewBuilder body: @escaping () -> Content
) = #externalMacro(module: "PreviewMacros", type: "Nothing")

/// A preview of a widget with some entries.
@freestanding(declaration)
public macro Preview<W: Widget>(
    _ name: String? = nil,
    as family: WidgetFamily,
    widget: @escaping () -> W,
    @TimelineEntriesBuilder timeline: @escaping () async -> [any TimelineEntry]
) = #externalMacro(module: "PreviewMacros", type: "Nothing")

/// A preview of a widget with the entries of a provider.
@freestanding(declaration)
public macro Preview<W: Widget, Provider: TimelineProvider>(
    _ name: String? = nil,
    as family: WidgetFamily,
    widget: @escaping () -> W,
    timelineProvider: @escaping () -> Provider
) = #externalMacro(module: "PreviewMacros", type: "Nothing")

/// A preview of a widget with the entries of a provider and a configuration.
@freestanding(declaration)
public macro Preview<W: Widget, Provider: AppIntentTimelineProvider>(
    _ name: String? = nil,
    as family: WidgetFamily,
    using configuration: Provider.Intent,
    widget: @escaping () -> W,
    timelineProvider: @escaping () -> Provider
) = #externalMacro(module: "PreviewMacros", type: "Nothing")

/// A preview of a widget with some entries and a configuration.
@freestanding(declaration)
public macro Preview<W: Widget, Intent: WidgetConfigurationIntent>(
    _ name: String? = nil,
    as family: WidgetFamily,
    using configuration: Intent,
    widget: @escaping () -> W,
    @TimelineEntriesBuilder timeline: @escaping () async -> [any TimelineEntry]
) = #externalMacro(module: "PreviewMacros", type: "Nothing")

/// A preview of a live activity.
@freestanding(declaration)
public macro Preview<Attributes: ActivityAttributes, W: Widget>(
    _ name: String? = nil,
    as kind: ActivityPreviewViewKind,
    using attributes: Attributes,
    widget: @escaping () -> W,
    @ContentStatesBuilder<Attributes.ContentState> contentStates:
        @escaping () -> [Attributes.ContentState]
) = #externalMacro(module: "PreviewMacros", type: "Nothing")
