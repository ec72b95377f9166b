/// How a widget is coloured.
@available(iOS 16, *)
public struct WidgetRenderingMode: Hashable, Sendable, CustomStringConvertible {
    /// The mode's name.
    public let description: String

    /// In its own colours.
    public static let fullColor = WidgetRenderingMode(description: "fullColor")
    /// In two colours.
    public static let accented = WidgetRenderingMode(description: "accented")
    /// Without colours.
    public static let vibrant = WidgetRenderingMode(description: "vibrant")
}

/// How an image is coloured in a widget of two colours.
@available(iOS 18, *)
public struct WidgetAccentedRenderingMode: Hashable, Sendable {
    /// In the accent colour.
    public static let accented = WidgetAccentedRenderingMode()
    /// In the accent colour, without its own saturation.
    public static let accentedDesaturated = WidgetAccentedRenderingMode()
    /// Without saturation.
    public static let desaturated = WidgetAccentedRenderingMode()
    /// In its own colours.
    public static let fullColor = WidgetAccentedRenderingMode()
}
