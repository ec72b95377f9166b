public import Foundation

// Modifiers that are kept as notes: they change nothing that is drawn, but for colours.

extension View {
    /// Notes `font`.
    public func font(_ font: Font?) -> some View { noted("font", value: font?.description ?? "") }
    /// Notes `fontWeight`.
    public func fontWeight(_ weight: Font.Weight?) -> some View { noted("fontWeight") }
    /// Notes `fontWidth`.
    public func fontWidth(_ width: Font.Width?) -> some View { noted("fontWidth") }
    /// Notes `fontDesign`.
    public func fontDesign(_ design: Font.Design?) -> some View { noted("fontDesign") }
    /// Notes `bold`.
    public func bold(_ isActive: Bool = true) -> some View { noted("bold") }
    /// Notes `italic`.
    public func italic(_ isActive: Bool = true) -> some View { noted("italic") }
    /// Notes `monospaced`.
    public func monospaced(_ isActive: Bool = true) -> some View { noted("monospaced") }
    /// Notes `monospacedDigit`.
    public func monospacedDigit() -> some View { noted("monospacedDigit") }
    /// Notes `underline`.
    public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { noted("underline") }
    /// Notes `strikethrough`.
    public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { noted("strikethrough") }
    /// Notes `kerning`.
    public func kerning(_ kerning: CGFloat) -> some View { noted("kerning") }
    /// Notes `tracking`.
    public func tracking(_ tracking: CGFloat) -> some View { noted("tracking") }
    /// Notes `baselineOffset`.
    public func baselineOffset(_ offset: CGFloat) -> some View { noted("baselineOffset") }
    /// Notes `textCase`.
    public func textCase(_ textCase: Text.Case?) -> some View { noted("textCase") }
    /// Notes `textScale`.
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> some View {
        noted("textScale")
    }
    /// Notes `lineLimit`.
    public func lineLimit(_ number: Int?) -> some View { noted("lineLimit") }
    /// Notes `lineLimit`.
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { noted("lineLimit") }
    /// Notes `lineLimit`.
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { noted("lineLimit") }
    /// Notes `lineLimit`.
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { noted("lineLimit") }
    /// Notes `lineLimit`.
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { noted("lineLimit") }
    /// Notes `lineSpacing`.
    public func lineSpacing(_ spacing: CGFloat) -> some View { noted("lineSpacing") }
    /// Notes `multilineTextAlignment`.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        noted("multilineTextAlignment")
    }
    /// Notes `truncationMode`.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { noted("truncationMode") }
    /// Notes `minimumScaleFactor`.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { noted("minimumScaleFactor") }
    /// Notes `allowsTightening`.
    public func allowsTightening(_ isAllowed: Bool) -> some View { noted("allowsTightening") }
    /// Notes `flipsForRightToLeftLayoutDirection`.
    public func flipsForRightToLeftLayoutDirection(_ isEnabled: Bool) -> some View {
        noted("flipsForRightToLeftLayoutDirection")
    }
    /// Notes `dynamicTypeSize`.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { noted("dynamicTypeSize") }
    /// Notes `dynamicTypeSize`.
    public func dynamicTypeSize(_ range: ClosedRange<DynamicTypeSize>) -> some View {
        noted("dynamicTypeSize")
    }
    /// Notes `dynamicTypeSize`.
    public func dynamicTypeSize(_ range: PartialRangeThrough<DynamicTypeSize>) -> some View {
        noted("dynamicTypeSize")
    }
    /// Notes `dynamicTypeSize`.
    public func dynamicTypeSize(_ range: PartialRangeFrom<DynamicTypeSize>) -> some View {
        noted("dynamicTypeSize")
    }
    /// Notes `imageScale`.
    public func imageScale(_ scale: Image.Scale) -> some View { noted("imageScale") }
    /// Notes `symbolRenderingMode`.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View {
        noted("symbolRenderingMode")
    }
    /// Notes `symbolVariant`.
    public func symbolVariant(_ variant: SymbolVariants) -> some View { noted("symbolVariant") }
    /// Notes `unredacted`.
    public func unredacted() -> some View { noted("unredacted") }
    /// Notes `redacted`.
    public func redacted(reason: RedactionReasons) -> some View { noted("redacted") }
    /// Notes `privacySensitive`.
    public func privacySensitive(_ isSensitive: Bool = true) -> some View {
        noted("privacySensitive")
    }
    /// Notes `invalidatableContent`.
    public func invalidatableContent(_ isInvalidatable: Bool = true) -> some View {
        noted("invalidatableContent")
    }
    /// Notes `labelStyle`.
    public func labelStyle(_ style: some LabelStyle) -> some View { noted("labelStyle") }
}
