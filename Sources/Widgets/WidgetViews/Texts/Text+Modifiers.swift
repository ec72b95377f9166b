public import Foundation

// The modifiers of a text that are texts themselves, and so can be added to others.

extension Text {
    /// Notes a font.
    public func font(_ font: Font?) -> Text { adding("font", value: font?.description ?? "") }
    /// Notes a weight.
    public func fontWeight(_ weight: Font.Weight?) -> Text { adding("fontWeight") }
    /// Notes a width.
    public func fontWidth(_ width: Font.Width?) -> Text { adding("fontWidth") }
    /// Notes a design.
    public func fontDesign(_ design: Font.Design?) -> Text { adding("fontDesign") }
    /// Sets the colour.
    public func foregroundColor(_ color: Color?) -> Text {
        adding("foregroundStyle", value: color?.description ?? "")
    }
    /// Sets the colour.
    public func foregroundStyle(_ style: some ShapeStyle) -> Text {
        adding("foregroundStyle", value: style.drawnColor?.description ?? "")
    }
    /// Notes bold letters.
    public func bold(_ isActive: Bool = true) -> Text { adding("bold") }
    /// Notes italic letters.
    public func italic(_ isActive: Bool = true) -> Text { adding("italic") }
    /// Notes letters of equal width.
    public func monospaced(_ isActive: Bool = true) -> Text { adding("monospaced") }
    /// Notes digits of equal width.
    public func monospacedDigit() -> Text { adding("monospacedDigit") }
    /// Notes a line under the text.
    public func underline(
        _ isActive: Bool = true,
        pattern: LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { adding("underline") }
    /// Notes a line through the text.
    public func strikethrough(
        _ isActive: Bool = true,
        pattern: LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { adding("strikethrough") }
    /// Notes a distance of letters.
    public func kerning(_ kerning: CGFloat) -> Text { adding("kerning") }
    /// Notes a distance of letters.
    public func tracking(_ tracking: CGFloat) -> Text { adding("tracking") }
    /// Notes a distance from the line.
    public func baselineOffset(_ offset: CGFloat) -> Text { adding("baselineOffset") }
    /// Notes a scale.
    public func textScale(_ scale: Scale, isEnabled: Bool = true) -> Text { adding("textScale") }
    /// Notes what is spoken.
    public func accessibilityLabel(_ label: Text) -> Text { adding("accessibilityLabel") }
    /// Notes what is spoken.
    public func accessibilityLabel(_ label: LocalizedStringKey) -> Text {
        adding("accessibilityLabel")
    }
    /// Notes what is spoken.
    @_disfavoredOverload
    public func accessibilityLabel(_ label: some StringProtocol) -> Text {
        adding("accessibilityLabel")
    }

    /// A size in relation to the text around.
    public enum Scale: Sendable {
        case `default`
        case secondary
    }
}
