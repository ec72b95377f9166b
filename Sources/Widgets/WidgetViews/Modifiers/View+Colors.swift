public import Foundation

// Modifiers that are kept as notes: they change nothing that is drawn, but for colours.

extension View {
    /// Notes an effect of glass.
    public func glassEffect() -> some View { noted("glassEffect") }
    /// Notes an effect of glass.
    public func glassEffect(in shape: some Shape) -> some View { noted("glassEffect") }
    /// Notes a movement of symbols.
    public func symbolEffect(_ effect: SymbolEffect, isActive: Bool = true) -> some View {
        noted("symbolEffect")
    }
    /// Notes a movement of symbols.
    public func symbolEffect(_ effect: SymbolEffect, value: some Equatable) -> some View {
        noted("symbolEffect")
    }
    /// Notes the background of a row.
    public func listRowBackground(_ view: (some View)?) -> some View { noted("listRowBackground") }
    /// Notes `foregroundStyle`.
    public func foregroundColor(_ color: Color?) -> some View {
        noted("foregroundStyle", value: color?.description ?? "")
    }
    /// Notes `foregroundStyle`.
    public func foregroundStyle(_ style: some ShapeStyle) -> some View {
        noted("foregroundStyle", value: style.drawnColor?.description ?? "")
    }
    /// Notes `foregroundStyle`.
    public func foregroundStyle(
        _ primary: some ShapeStyle,
        _ secondary: some ShapeStyle
    ) -> some View { noted("foregroundStyle", value: primary.drawnColor?.description ?? "") }
    /// Notes `foregroundStyle`.
    public func foregroundStyle(
        _ primary: some ShapeStyle,
        _ secondary: some ShapeStyle,
        _ tertiary: some ShapeStyle
    ) -> some View { noted("foregroundStyle", value: primary.drawnColor?.description ?? "") }
    /// Notes `tint`.
    public func tint(_ color: Color?) -> some View {
        noted("tint", value: color?.description ?? "")
    }
    /// Notes `tint`.
    public func tint(_ style: some ShapeStyle) -> some View {
        noted("tint", value: style.drawnColor?.description ?? "")
    }
    /// Notes `tint`.
    public func accentColor(_ color: Color?) -> some View {
        noted("tint", value: color?.description ?? "")
    }
    /// Notes `background`.
    public func background(
        _ style: some ShapeStyle,
        ignoresSafeAreaEdges edges: Edge.Set = .all
    ) -> some View { noted("background", value: style.drawnColor?.description ?? "") }
    /// Notes `background`.
    public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View {
        noted("background", value: style.drawnColor?.description ?? "")
    }
    /// Notes `background`.
    public func background(in shape: some Shape) -> some View { noted("background") }
    /// Notes `backgroundStyle`.
    public func backgroundStyle(_ style: some ShapeStyle) -> some View { noted("backgroundStyle") }
    /// Notes `border`.
    public func border(_ style: some ShapeStyle, width: CGFloat = 1) -> some View {
        noted("border")
    }
    /// Notes `opacity`.
    public func opacity(_ opacity: Double) -> some View { noted("opacity", value: "\(opacity)") }
    /// Draws nothing of the view, which takes no space here.
    public func hidden() -> some View {
        AnyView { .noted(.empty, ViewNote("hidden")) }
    }
    /// Notes `cornerRadius`.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        noted("cornerRadius")
    }
    /// Notes `clipped`.
    public func clipped(antialiased: Bool = false) -> some View { noted("clipped") }
    /// Notes `clipShape`.
    public func clipShape(_ shape: some Shape, style: FillStyle = FillStyle()) -> some View {
        noted("clipShape")
    }
    /// Notes `contentShape`.
    public func contentShape(_ shape: some Shape) -> some View { noted("contentShape") }
    /// Notes `contentShape`.
    public func contentShape(_ kinds: ContentShapeKinds, _ shape: some Shape) -> some View {
        noted("contentShape")
    }
    /// Notes `containerShape`.
    public func containerShape(_ shape: some Shape) -> some View { noted("containerShape") }
    /// Notes `shadow`.
    public func shadow(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> some View { noted("shadow") }
    /// Notes `blur`.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { noted("blur") }
    /// Notes `brightness`.
    public func brightness(_ amount: Double) -> some View { noted("brightness") }
    /// Notes `contrast`.
    public func contrast(_ amount: Double) -> some View { noted("contrast") }
    /// Notes `saturation`.
    public func saturation(_ amount: Double) -> some View { noted("saturation") }
    /// Notes `grayscale`.
    public func grayscale(_ amount: Double) -> some View { noted("grayscale") }
    /// Notes `hueRotation`.
    public func hueRotation(_ angle: Angle) -> some View { noted("hueRotation") }
    /// Notes `colorInvert`.
    public func colorInvert() -> some View { noted("colorInvert") }
    /// Notes `colorMultiply`.
    public func colorMultiply(_ color: Color) -> some View { noted("colorMultiply") }
    /// Notes `blendMode`.
    public func blendMode(_ mode: BlendMode) -> some View { noted("blendMode") }
    /// Notes `compositingGroup`.
    public func compositingGroup() -> some View { noted("compositingGroup") }
    /// Notes `drawingGroup`.
    public func drawingGroup() -> some View { noted("drawingGroup") }
    /// Notes `luminanceToAlpha`.
    public func luminanceToAlpha() -> some View { noted("luminanceToAlpha") }
    /// Notes `colorScheme`.
    public func colorScheme(_ scheme: ColorScheme) -> some View { noted("colorScheme") }
    /// Notes `preferredColorScheme`.
    public func preferredColorScheme(_ scheme: ColorScheme?) -> some View {
        noted("preferredColorScheme")
    }
}
