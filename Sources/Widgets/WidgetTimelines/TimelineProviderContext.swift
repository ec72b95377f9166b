public import Foundation

/// The surroundings in which a provider's entries will be displayed.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineprovidercontext>.
public struct TimelineProviderContext: Sendable {
    /// The size class of the widget.
    public let family: WidgetFamily
    /// Whether the entry is for the gallery of widgets.
    public let isPreview: Bool
    /// The widget's width and height, in points.
    public let displaySize: CGSize

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - family: the size class of the widget.
    ///   - isPreview: whether the entry is for the gallery of widgets.
    ///   - displaySize: width and height in points; by default the family's usual ones.
    public init(family: WidgetFamily, isPreview: Bool, displaySize: CGSize? = nil) {
        self.family = family
        self.isPreview = isPreview
        self.displaySize = displaySize ?? family.displaySize
    }
}
