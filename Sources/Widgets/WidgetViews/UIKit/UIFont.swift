public import Foundation

/// A font of UIKit; its name is known.
public final class UIFont: Sendable {
    /// The name.
    public let fontName: String
    /// The size.
    public let pointSize: CGFloat

    /// How heavy letters are.
    public struct Weight: Hashable, Sendable {
        /// Light letters.
        public static let light = Weight()
        /// The usual letters.
        public static let regular = Weight()
        /// Letters that are a little heavier.
        public static let medium = Weight()
        /// Letters that are almost bold.
        public static let semibold = Weight()
        /// Bold letters.
        public static let bold = Weight()
        /// Very bold letters.
        public static let heavy = Weight()
    }

    /// The style of text that a font is meant for.
    public enum TextStyle: Sendable {
        case largeTitle
        case title1
        case title2
        case title3
        case headline
        case subheadline
        case body
        case callout
        case footnote
        case caption1
        case caption2
    }

    /// A font of the app.
    public init?(name: String, size: CGFloat) {
        fontName = name
        pointSize = size
    }

    private init(system size: CGFloat) {
        fontName = "system"
        pointSize = size
    }

    /// The system's font.
    public static func systemFont(ofSize size: CGFloat, weight: Weight = .regular) -> UIFont {
        UIFont(system: size)
    }
    /// The system's bold font.
    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
    /// The system's font with digits of equal width.
    public static func monospacedDigitSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont(system: size)
    }
    /// The system's font in a style.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(system: 17)
    }
    /// The font in another size.
    public func withSize(_ size: CGFloat) -> UIFont { UIFont(system: size) }
    /// How high a line is.
    public var lineHeight: CGFloat { pointSize * 1.2 }
}

/// How fonts grow with the size that a person has chosen; here they do not.
public final class UIFontMetrics: Sendable {
    /// The usual metrics.
    public static let `default` = UIFontMetrics(forTextStyle: .body)

    /// The metrics of a style.
    public init(forTextStyle style: UIFont.TextStyle) {}

    /// The value itself.
    public func scaledValue(for value: CGFloat) -> CGFloat { value }
    /// The font itself.
    public func scaledFont(for font: UIFont) -> UIFont { font }
}
