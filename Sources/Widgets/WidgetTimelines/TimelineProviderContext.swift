public import Foundation

/// For which place on the screen a provider is asked.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineprovidercontext>.
public struct TimelineProviderContext: Sendable {
    /// The size class of the widget.
    public let family: WidgetFamily
    /// Whether it is asked for the gallery of widgets.
    public let isPreview: Bool
    /// Width and height, in points.
    public let displaySize: CGSize

    /// A place on a screen.
    ///
    /// - Parameters:
    ///   - family: the size class.
    ///   - isPreview: whether it is the gallery.
    ///   - displaySize: in points; by default the family's usual one.
    public init(family: WidgetFamily, isPreview: Bool, displaySize: CGSize? = nil) {
        self.family = family
        self.isPreview = isPreview
        self.displaySize = displaySize ?? family.displaySize
    }
}
