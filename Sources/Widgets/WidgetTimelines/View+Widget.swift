public import Foundation

// Modifiers of views that WidgetKit names; they are kept as notes.

extension View {
    /// Notes the address that is opened when the widget is tapped.
    public func widgetURL(_ url: URL?) -> some View {
        noted("widgetURL", value: url?.absoluteString ?? "")
    }

    /// Notes the accent colour.
    public func widgetAccentable(_ isAccentable: Bool = true) -> some View {
        noted("widgetAccentable")
    }

    /// Notes a label beside the widget.
    public func widgetLabel(_ label: LocalizedStringKey) -> some View { noted("widgetLabel") }

    /// Notes a label beside the widget.
    @_disfavoredOverload
    public func widgetLabel(_ label: some StringProtocol) -> some View { noted("widgetLabel") }

    /// Notes a label beside the widget.
    public func widgetLabel<Content: View>(
        @ViewBuilder label: () -> Content
    ) -> some View { noted("widgetLabel") }

    /// Notes the curve of a curved widget's label.
    public func widgetCurvesContent(_ isCurved: Bool = true) -> some View {
        noted("widgetCurvesContent")
    }

    /// Notes a texture.
    public func widgetTexture(_ texture: WidgetTexture) -> some View { noted("widgetTexture") }

    /// Notes how the island of the device is coloured.
    public func keylineTint(_ color: Color?) -> some View { noted("keylineTint") }

    /// Notes the background of a live activity.
    public func activityBackgroundTint(_ color: Color?) -> some View {
        noted("activityBackgroundTint")
    }

    /// Notes the colour of a live activity's buttons.
    public func activitySystemActionForegroundColor(_ color: Color?) -> some View {
        noted("activitySystemActionForegroundColor")
    }

    /// Notes how the view is placed in a dynamic island.
    public func dynamicIsland(verticalPlacement: DynamicIslandVerticalPlacement) -> some View {
        noted("dynamicIsland")
    }
}

extension Image {
    /// Notes how the picture is coloured in a widget of two colours.
    public func widgetAccentedRenderingMode(_ mode: WidgetAccentedRenderingMode?) -> some View {
        noted("widgetAccentedRenderingMode")
    }
}

/// The texture of a widget.
public struct WidgetTexture: Hashable, Sendable {
    /// Like glass.
    public static let glass = WidgetTexture()
    /// Like paper.
    public static let paper = WidgetTexture()
}

/// The usual background of widgets on a lock screen; it is not drawn.
@available(iOS 16, *)
public struct AccessoryWidgetBackground: View {
    /// Makes the background.
    public init() {}

    /// Nothing.
    public var body: some View { EmptyView() }
}

/// Several small widgets beside each other.
public struct AccessoryWidgetGroup: View {
    private let content: AnyView

    /// Makes a group with a title.
    public init<Content: View>(
        _ title: LocalizedStringKey,
        systemImage: String,
        @ViewBuilder content: () -> Content
    ) {
        self.content = AnyView(content())
    }

    /// The views.
    public var body: some View { content }
}
