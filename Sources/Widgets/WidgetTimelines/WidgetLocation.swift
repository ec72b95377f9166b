/// A place where widgets are.
@available(iOS 17, *)
public struct WidgetLocation: Hashable, Sendable {
    /// The home screen.
    public static let homeScreen = WidgetLocation()
    /// The lock screen.
    public static let lockScreen = WidgetLocation()
    /// The screen of a device that stands.
    public static let standBy = WidgetLocation()
    /// The widgets of an iPhone on a Mac.
    public static let iPhoneWidgetsOnMac = WidgetLocation()
    /// A car's screen.
    public static let carPlay = WidgetLocation()
}
