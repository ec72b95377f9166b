public import Foundation

/// A font by its description.
///
/// Source: <https://developer.apple.com/documentation/swiftui/font>.
public struct Font: Hashable, Sendable, CustomStringConvertible {
    /// How heavy letters are.
    public struct Weight: Hashable, Sendable {
        let name: String

        /// The weight `ultraLight`.
        public static let ultraLight = Weight(name: "ultraLight")
        /// The weight `thin`.
        public static let thin = Weight(name: "thin")
        /// The weight `light`.
        public static let light = Weight(name: "light")
        /// The weight `regular`.
        public static let regular = Weight(name: "regular")
        /// The weight `medium`.
        public static let medium = Weight(name: "medium")
        /// The weight `semibold`.
        public static let semibold = Weight(name: "semibold")
        /// The weight `bold`.
        public static let bold = Weight(name: "bold")
        /// The weight `heavy`.
        public static let heavy = Weight(name: "heavy")
        /// The weight `black`.
        public static let black = Weight(name: "black")
    }

    /// The style of text that a font is meant for.
    public enum TextStyle: CaseIterable, Hashable, Sendable {
        case largeTitle
        case title
        case title2
        case title3
        case headline
        case subheadline
        case body
        case callout
        case footnote
        case caption
        case caption2
    }

    /// The shape of letters.
    public enum Design: Hashable, Sendable {
        case `default`
        case serif
        case rounded
        case monospaced
    }

    /// How wide letters are.
    public enum Width: Hashable, Sendable {
        case compressed
        case condensed
        case standard
        case expanded
    }

    /// The distance of lines.
    public enum Leading: Hashable, Sendable {
        case standard
        case tight
        case loose
    }

    /// The font as text.
    public let description: String

    init(description: String) {
        self.description = description
    }

    /// A font of UIKit.
    public init(_ font: UIFont) {
        description = font.fontName
    }

    /// The system's font in a size.
    public static func system(
        size: CGFloat,
        weight: Weight? = nil,
        design: Design? = nil
    ) -> Font {
        Font(description: "system \(size) \(weight?.name ?? "regular")")
    }

    /// The system's font in a style.
    public static func system(
        _ style: TextStyle,
        design: Design? = nil,
        weight: Weight? = nil
    ) -> Font {
        Font(description: "\(style) \(weight?.name ?? "regular")")
    }

    /// A font of the app.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        Font(description: "\(name) \(size)")
    }

    /// A font of the app that grows with a style.
    public static func custom(
        _ name: String,
        size: CGFloat,
        relativeTo style: TextStyle
    ) -> Font {
        Font(description: "\(name) \(size)")
    }

    /// A font of the app that does not grow.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font {
        Font(description: "\(name) \(fixedSize)")
    }

    private func adding(_ word: String) -> Font { Font(description: "\(description) \(word)") }

    /// The font in a weight.
    public func weight(_ weight: Weight) -> Font { adding(weight.name) }
    /// The font in a width.
    public func width(_ width: Width) -> Font { adding("\(width)") }
    /// The font with a distance of lines.
    public func leading(_ leading: Leading) -> Font { adding("\(leading)") }
    /// The bold font.
    public func bold() -> Font { adding("bold") }
    /// The italic font.
    public func italic() -> Font { adding("italic") }
    /// The font with letters of equal width.
    public func monospaced() -> Font { adding("monospaced") }
    /// The font with digits of equal width.
    public func monospacedDigit() -> Font { adding("monospacedDigit") }
    /// The font with small capital letters.
    public func smallCaps() -> Font { adding("smallCaps") }
    /// The font with small capitals in place of small letters.
    public func lowercaseSmallCaps() -> Font { adding("lowercaseSmallCaps") }
    /// The font with small capitals in place of capital letters.
    public func uppercaseSmallCaps() -> Font { adding("uppercaseSmallCaps") }

    /// The font of the style `largeTitle`.
    public static let largeTitle = Font(description: "largeTitle")
    /// The font of the style `title`.
    public static let title = Font(description: "title")
    /// The font of the style `title2`.
    public static let title2 = Font(description: "title2")
    /// The font of the style `title3`.
    public static let title3 = Font(description: "title3")
    /// The font of the style `headline`.
    public static let headline = Font(description: "headline")
    /// The font of the style `subheadline`.
    public static let subheadline = Font(description: "subheadline")
    /// The font of the style `body`.
    public static let body = Font(description: "body")
    /// The font of the style `callout`.
    public static let callout = Font(description: "callout")
    /// The font of the style `footnote`.
    public static let footnote = Font(description: "footnote")
    /// The font of the style `caption`.
    public static let caption = Font(description: "caption")
    /// The font of the style `caption2`.
    public static let caption2 = Font(description: "caption2")
}
