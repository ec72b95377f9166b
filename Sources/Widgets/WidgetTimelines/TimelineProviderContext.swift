public import Foundation

/// The environment in which a provider's entries will be displayed.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineprovidercontext>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct TimelineProviderContext: Sendable {
    /// The size class of the widget.
    public let family: WidgetFamily
    /// Whether the entry is for the gallery of widgets.
    public let isPreview: Bool
    /// The widget's width and height, in points.
    public let displaySize: CGSize

    /// The values of the environment for which the widget may be displayed.
    public var environmentVariants: EnvironmentVariants { EnvironmentVariants() }

    /// The values of the environment for which a widget may be displayed: only the usual ones.
    @dynamicMemberLookup
    public struct EnvironmentVariants: Sendable {
        /// The values of a property.
        public subscript<Value>(
            dynamicMember path: WritableKeyPath<EnvironmentValues, Value>
        ) -> [Value]? {
            [EnvironmentValues()[keyPath: path]]
        }
    }

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
