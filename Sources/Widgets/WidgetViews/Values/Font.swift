public import Foundation

/// A font by its description.
///
/// Source: <https://developer.apple.com/documentation/swiftui/font>.
public struct Font: Hashable, Sendable, CustomStringConvertible {
    /// How heavy letters are.
    public struct Weight: Hashable, Sendable {
        let name: String
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

    func adding(_ word: String) -> Font { Font(description: "\(description) \(word)") }

    /// The font in a weight.
    public func weight(_ weight: Weight) -> Font { adding(weight.name) }
    /// The font in a width.
    public func width(_ width: Width) -> Font { adding("\(width)") }
    /// The font with a distance of lines.
    public func leading(_ leading: Leading) -> Font { adding("\(leading)") }
}
