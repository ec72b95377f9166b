/// How a widget is attached.
public struct WidgetMountingStyle: Hashable, Sendable {
    /// On a surface.
    public static let elevated = WidgetMountingStyle()
    /// In a surface.
    public static let recessed = WidgetMountingStyle()
}
