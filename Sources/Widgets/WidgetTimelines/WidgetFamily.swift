package import Foundation

/// The sizes that widgets come in.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetfamily>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public enum WidgetFamily: Int, CaseIterable, Codable, CustomStringConvertible, Hashable, Sendable {
    case systemSmall
    case systemMedium
    case systemLarge
    @available(iOS 15, macOS 14, visionOS 26, *)
    case systemExtraLarge
    @available(iOS 27, macOS 27, visionOS 26, *)
    case systemExtraLargePortrait
    @available(iOS 16, watchOS 9, visionOS 27, *)
    case accessoryCircular
    @available(iOS 16, watchOS 9, visionOS 27, *)
    case accessoryRectangular
    @available(iOS 16, watchOS 9, *)
    case accessoryInline
    @available(iOS, unavailable)
    @available(macOS, unavailable)
    @available(visionOS, unavailable)
    @available(watchOS 9, *)
    case accessoryCorner

    /// All sizes, whichever the system.
    public static let allCases: [WidgetFamily] = [
        .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge, .systemExtraLargePortrait,
        .accessoryCircular, .accessoryRectangular, .accessoryInline, .accessoryCorner,
    ]

    /// The case's name.
    public var description: String {
        switch self {
        case .systemSmall: "systemSmall"
        case .systemMedium: "systemMedium"
        case .systemLarge: "systemLarge"
        case .systemExtraLarge: "systemExtraLarge"
        case .systemExtraLargePortrait: "systemExtraLargePortrait"
        case .accessoryCircular: "accessoryCircular"
        case .accessoryRectangular: "accessoryRectangular"
        case .accessoryInline: "accessoryInline"
        case .accessoryCorner: "accessoryCorner"
        }
    }

    /// The usual width and height of the family, in points.
    ///
    /// Those of the home screen are for a telephone of 390 × 844 points
    /// (<https://github.com/simonbs/ios-widget-sizes>). The others only approximate real devices: a
    /// tablet, a lock screen, a watch.
    package var displaySize: CGSize {
        switch self {
        case .systemSmall: CGSize(width: 158, height: 158)
        case .systemMedium: CGSize(width: 338, height: 158)
        case .systemLarge: CGSize(width: 338, height: 354)
        case .systemExtraLarge: CGSize(width: 795, height: 378.5)
        case .systemExtraLargePortrait: CGSize(width: 378.5, height: 795)
        case .accessoryCircular: CGSize(width: 72, height: 72)
        case .accessoryRectangular: CGSize(width: 160, height: 72)
        case .accessoryInline: CGSize(width: 234, height: 26)
        case .accessoryCorner: CGSize(width: 36, height: 36)
        }
    }
}
