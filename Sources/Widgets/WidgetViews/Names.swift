// Made from Sources/Widgets/names/WidgetViews.txt by generate.py: change that table.
// swift-format-ignore-file
public import Foundation
extension View {
    public func font(_ font: Font?) -> some View { noted("font", value: NoteValue(font?.description)) }
    public func fontWeight(_ weight: Font.Weight?) -> some View { noted("fontWeight", value: NoteValue(weight?.name)) }
    public func fontWidth(_ width: Font.Width?) -> some View { noted("fontWidth", value: NoteValue(width?.name)) }
    public func fontDesign(_ design: Font.Design?) -> some View { noted("fontDesign", value: NoteValue(design.map { "\($0)" })) }
    public func bold(_ isActive: Bool = true) -> some View { noted("bold", value: NoteValue(isActive)) }
    public func italic(_ isActive: Bool = true) -> some View { noted("italic", value: NoteValue(isActive)) }
    public func monospaced(_ isActive: Bool = true) -> some View { noted("monospaced", value: NoteValue(isActive)) }
    public func monospacedDigit() -> some View { noted("monospacedDigit") }
    public func underline(_ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) -> some View { noted("underline", value: NoteValue(isActive)) }
    public func strikethrough(_ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) -> some View { noted("strikethrough", value: NoteValue(isActive)) }
    public func kerning(_ kerning: CGFloat) -> some View { noted("kerning", value: NoteValue(kerning)) }
    public func tracking(_ tracking: CGFloat) -> some View { noted("tracking", value: NoteValue(tracking)) }
    public func baselineOffset(_ offset: CGFloat) -> some View { noted("baselineOffset", value: NoteValue(offset)) }
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> some View { noted("textScale") }
    public func foregroundColor(_ color: Color?) -> some View { noted("foregroundStyle", value: NoteValue(color)) }
    public func foregroundStyle(_ style: some ShapeStyle) -> some View { noted("foregroundStyle", value: NoteValue(style)) }
    public func accessibilityLabel(_ label: Text) -> some View { noted("accessibilityLabel") }
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View { noted("accessibilityLabel") }
    @_disfavoredOverload public func accessibilityLabel(_ label: some StringProtocol) -> some View { noted("accessibilityLabel") }
}
extension Text {
    public func font(_ font: Font?) -> Text { adding("font", value: NoteValue(font?.description)) }
    public func fontWeight(_ weight: Font.Weight?) -> Text { adding("fontWeight", value: NoteValue(weight?.name)) }
    public func fontWidth(_ width: Font.Width?) -> Text { adding("fontWidth", value: NoteValue(width?.name)) }
    public func fontDesign(_ design: Font.Design?) -> Text { adding("fontDesign", value: NoteValue(design.map { "\($0)" })) }
    public func bold(_ isActive: Bool = true) -> Text { adding("bold", value: NoteValue(isActive)) }
    public func italic(_ isActive: Bool = true) -> Text { adding("italic", value: NoteValue(isActive)) }
    public func monospaced(_ isActive: Bool = true) -> Text { adding("monospaced", value: NoteValue(isActive)) }
    public func monospacedDigit() -> Text { adding("monospacedDigit") }
    public func underline(_ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) -> Text { adding("underline", value: NoteValue(isActive)) }
    public func strikethrough(_ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) -> Text { adding("strikethrough", value: NoteValue(isActive)) }
    public func kerning(_ kerning: CGFloat) -> Text { adding("kerning", value: NoteValue(kerning)) }
    public func tracking(_ tracking: CGFloat) -> Text { adding("tracking", value: NoteValue(tracking)) }
    public func baselineOffset(_ offset: CGFloat) -> Text { adding("baselineOffset", value: NoteValue(offset)) }
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> Text { adding("textScale") }
    public func foregroundColor(_ color: Color?) -> Text { adding("foregroundStyle", value: NoteValue(color)) }
    public func foregroundStyle(_ style: some ShapeStyle) -> Text { adding("foregroundStyle", value: NoteValue(style)) }
    public func accessibilityLabel(_ label: Text) -> Text { adding("accessibilityLabel") }
    public func accessibilityLabel(_ label: LocalizedStringKey) -> Text { adding("accessibilityLabel") }
    @_disfavoredOverload public func accessibilityLabel(_ label: some StringProtocol) -> Text { adding("accessibilityLabel") }
}
extension View {
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { noted("symbolRenderingMode", value: NoteValue(mode?.name)) }
}
extension Image {
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { adding("symbolRenderingMode", value: NoteValue(mode?.name)) }
}
extension Image {
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { adding("resizable") }
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { adding("renderingMode", value: NoteValue(mode.map { "\($0)" })) }
    public func interpolation(_ interpolation: Interpolation) -> Image { adding("interpolation") }
    public func antialiased(_ isAntialiased: Bool) -> Image { adding("antialiased") }
}
extension View {
    public func textCase(_ textCase: Text.Case?) -> some View { noted("textCase", value: NoteValue(textCase.map { "\($0)" })) }
    public func lineLimit(_ number: Int?) -> some View { noted("lineLimit", value: NoteValue(number)) }
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { noted("lineLimit", value: NoteValue(limit)) }
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { noted("lineLimit", value: NoteValue(limit.upperBound)) }
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { noted("lineLimit") }
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { noted("lineLimit", value: NoteValue(limit.upperBound)) }
    public func lineSpacing(_ spacing: CGFloat) -> some View { noted("lineSpacing", value: NoteValue(spacing)) }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { noted("multilineTextAlignment", value: NoteValue("\(alignment)")) }
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { noted("truncationMode", value: NoteValue("\(mode)")) }
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { noted("minimumScaleFactor", value: NoteValue(factor)) }
    public func allowsTightening(_ isAllowed: Bool) -> some View { noted("allowsTightening") }
    public func flipsForRightToLeftLayoutDirection(_ isEnabled: Bool) -> some View { noted("flipsForRightToLeftLayoutDirection") }
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { noted("dynamicTypeSize") }
    public func dynamicTypeSize(_ range: some RangeExpression<DynamicTypeSize>) -> some View { noted("dynamicTypeSize") }
    public func imageScale(_ scale: Image.Scale) -> some View { noted("imageScale", value: NoteValue("\(scale)")) }
    public func symbolVariant(_ variant: SymbolVariants) -> some View { noted("symbolVariant", value: NoteValue(variant.name)) }
    public func unredacted() -> some View { noted("unredacted") }
    public func redacted(reason: RedactionReasons) -> some View { noted("redacted", value: NoteValue(reason.contains(.placeholder))) }
    public func privacySensitive(_ isSensitive: Bool = true) -> some View { noted("privacySensitive") }
    public func invalidatableContent(_ isInvalidatable: Bool = true) -> some View { noted("invalidatableContent") }
    public func foregroundStyle(_ primary: some ShapeStyle, _ secondary: some ShapeStyle) -> some View { noted("foregroundStyle", value: NoteValue([primary.paint, secondary.paint])) }
    public func foregroundStyle(_ primary: some ShapeStyle, _ secondary: some ShapeStyle, _ tertiary: some ShapeStyle) -> some View { noted("foregroundStyle", value: NoteValue([primary.paint, secondary.paint, tertiary.paint])) }
    public func tint(_ color: Color?) -> some View { noted("tint", value: NoteValue(color)) }
    public func tint(_ style: (some ShapeStyle)?) -> some View { noted("tint", value: NoteValue(style?.paint)) }
    public func accentColor(_ color: Color?) -> some View { noted("tint", value: NoteValue(color)) }
    public func background(_ style: some ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { noted("background", value: NoteValue(style)) }
    public func background(_ style: some ShapeStyle, in shape: some Shape, fillStyle: FillStyle = FillStyle()) -> some View { noted("background", value: NoteValue(style, in: shape)) }
    public func background(in shape: some Shape, fillStyle: FillStyle = FillStyle()) -> some View { noted("background", value: NoteValue(BackgroundStyle(), in: shape)) }
    public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { noted("background", value: NoteValue(BackgroundStyle())) }
    public func backgroundStyle(_ style: some ShapeStyle) -> some View { noted("backgroundStyle") }
    public func containerBackground(_ style: some ShapeStyle, for container: ContainerBackgroundPlacement) -> some View { noted("containerBackground", value: NoteValue(style)) }
    public func listRowBackground(_ view: (some View)?) -> some View { noted("listRowBackground") }
    @_disfavoredOverload public func overlay(_ style: some ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { noted("overlay", value: NoteValue(style)) }
    public func border(_ style: some ShapeStyle, width: CGFloat = 1) -> some View { noted("border", value: NoteValue(style, in: Rectangle().bordered(StrokeStyle(lineWidth: width)))) }
    public func opacity(_ opacity: Double) -> some View { noted("opacity", value: NoteValue(opacity)) }
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View { noted("cornerRadius", value: NoteValue(radius)) }
    public func clipped(antialiased: Bool = false) -> some View { noted("clipped") }
    public func clipShape(_ shape: some Shape, style: FillStyle = FillStyle()) -> some View { noted("clipShape", value: NoteValue(outline: shape)) }
    public func contentShape(_ shape: some Shape, eoFill: Bool = false) -> some View { noted("contentShape") }
    public func contentShape(_ kinds: ContentShapeKinds, _ shape: some Shape, eoFill: Bool = false) -> some View { noted("contentShape") }
    public func containerShape(_ shape: some InsettableShape) -> some View { noted("containerShape") }
    public func shadow(color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> some View { noted("shadow", value: NoteValue(shadow: color, [radius, x, y])) }
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { noted("blur", value: NoteValue(radius)) }
    public func brightness(_ amount: Double) -> some View { noted("brightness", value: NoteValue(amount)) }
    public func contrast(_ amount: Double) -> some View { noted("contrast", value: NoteValue(amount)) }
    public func saturation(_ amount: Double) -> some View { noted("saturation", value: NoteValue(amount)) }
    public func grayscale(_ amount: Double) -> some View { noted("grayscale", value: NoteValue(amount)) }
    public func hueRotation(_ angle: Angle) -> some View { noted("hueRotation", value: NoteValue(angle.degrees)) }
    public func colorMultiply(_ color: Color) -> some View { noted("colorMultiply", value: NoteValue(color)) }
    public func colorInvert() -> some View { noted("colorInvert") }
    public func compositingGroup() -> some View { noted("compositingGroup") }
    public func luminanceToAlpha() -> some View { noted("luminanceToAlpha") }
    public func drawingGroup(opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear) -> some View { noted("drawingGroup") }
    public func blendMode(_ mode: BlendMode) -> some View { noted("blendMode", value: NoteValue("\(mode)")) }
    public func colorScheme(_ scheme: ColorScheme) -> some View { noted("colorScheme", value: NoteValue("\(scheme)")) }
    public func preferredColorScheme(_ scheme: ColorScheme?) -> some View { noted("preferredColorScheme") }
    public func glassEffect(_ glass: Glass = .regular, in shape: some Shape = DefaultGlassEffectShape()) -> some View { noted("background", value: NoteValue(Material.thin, in: shape)) }
    public func symbolEffect(_ effect: SymbolEffect, options: SymbolEffectOptions = .default, isActive: Bool = true) -> some View { noted("symbolEffect") }
    public func symbolEffect(_ effect: SymbolEffect, options: SymbolEffectOptions = .default, value: some Equatable) -> some View { noted("symbolEffect") }
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { noted("padding", value: NoteValue(edges, length)) }
    public func padding(_ length: CGFloat) -> some View { noted("padding", value: NoteValue(.all, length)) }
    public func padding(_ insets: EdgeInsets) -> some View { noted("padding", value: NoteValue(insets)) }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View { noted("frame", value: NoteValue([width, height], alignment)) }
    public func frame(minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center) -> some View { noted("frame", value: NoteValue([minWidth, maxWidth, minHeight, maxHeight], alignment)) }
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View { noted("containerRelativeFrame") }
    public func fixedSize() -> some View { noted("fixedSize", value: NoteValue([1, 1])) }
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { noted("fixedSize", value: NoteValue([horizontal ? 1 : 0, vertical ? 1 : 0])) }
    public func layoutPriority(_ value: Double) -> some View { noted("layoutPriority", value: NoteValue(value)) }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { noted("offset", value: NoteValue([x, y])) }
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { noted("position", value: NoteValue([x, y])) }
    public func offset(_ offset: CGSize) -> some View { noted("offset", value: NoteValue([offset.width, offset.height])) }
    public func position(_ position: CGPoint) -> some View { noted("position", value: NoteValue([position.x, position.y])) }
    public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View { noted("aspectRatio", value: NoteValue([ratio, contentMode == .fill ? 1 : 0])) }
    public func aspectRatio(_ size: CGSize, contentMode: ContentMode) -> some View { noted("aspectRatio", value: NoteValue([size.width / size.height, contentMode == .fill ? 1 : 0])) }
    public func scaledToFit() -> some View { noted("aspectRatio", value: NoteValue([nil, 0])) }
    public func scaledToFill() -> some View { noted("aspectRatio", value: NoteValue([nil, 1])) }
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View { noted("scaleEffect", value: NoteValue([scale, scale, anchor.x, anchor.y])) }
    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View { noted("scaleEffect", value: NoteValue([scale.width, scale.height, anchor.x, anchor.y])) }
    public func scaleEffect(x: CGFloat = 1.0, y: CGFloat = 1.0, anchor: UnitPoint = .center) -> some View { noted("scaleEffect", value: NoteValue([x, y, anchor.x, anchor.y])) }
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { noted("rotationEffect", value: NoteValue([angle.degrees, anchor.x, anchor.y])) }
    public func rotation3DEffect(_ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0, perspective: CGFloat = 1) -> some View { noted("rotation3DEffect") }
    public func zIndex(_ value: Double) -> some View { noted("zIndex", value: NoteValue(value)) }
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { noted("ignoresSafeArea") }
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { noted("edgesIgnoringSafeArea") }
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { noted("padding", value: NoteValue(edges, length)) }
    public func contentMargins(_ edges: Edge.Set = .all, _ length: CGFloat?, for placement: ContentMarginPlacement = .automatic) -> some View { noted("contentMargins") }
    public func alignmentGuide(_ alignment: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat) -> some View { noted("alignmentGuide", value: NoteValue(guide: alignment.name, computeValue)) }
    public func alignmentGuide(_ alignment: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat) -> some View { noted("alignmentGuide", value: NoteValue(guide: alignment.name, computeValue)) }
    public func gridCellColumns(_ count: Int) -> some View { noted("gridCellColumns", value: NoteValue(count)) }
    public func gridColumnAlignment(_ alignment: HorizontalAlignment) -> some View { noted("gridColumnAlignment", value: NoteValue(alignment.name)) }
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { noted("gridCellUnsizedAxes") }
    public func gridCellAnchor(_ anchor: UnitPoint) -> some View { noted("gridCellAnchor") }
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { noted("listRowInsets") }
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View { noted("listRowSeparator") }
    public func coordinateSpace(name: some Hashable) -> some View { noted("coordinateSpace") }
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { noted("buttonBorderShape", value: NoteValue(shape.name)) }
    public func listStyle(_ style: some ListStyle) -> some View { noted("listStyle") }
    public func controlSize(_ size: ControlSize) -> some View { noted("controlSize", value: NoteValue("\(size)")) }
    public func disabled(_ isDisabled: Bool) -> some View { noted("disabled", value: NoteValue(isDisabled)) }
    public func allowsHitTesting(_ isEnabled: Bool) -> some View { noted("allowsHitTesting") }
    public func labelsHidden() -> some View { noted("labelsHidden") }
    public func id(_ id: some Hashable) -> some View { noted("id") }
    public func tag(_ tag: some Hashable) -> some View { noted("tag") }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { noted("onAppear") }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { noted("onDisappear") }
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { noted("onTapGesture") }
    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> some View { noted("onChange") }
    public func task(priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void) -> some View { noted("task") }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { noted("onOpenURL") }
    public func navigationTitle(_ title: LocalizedStringKey) -> some View { noted("navigationTitle") }
    public func help(_ text: LocalizedStringKey) -> some View { noted("help") }
    public func contextMenu<Content: View>(@ViewBuilder menuItems: () -> Content) -> some View { noted("contextMenu") }
    public func previewContext(_ context: some PreviewContext) -> some View { noted("previewContext") }
    public func previewDisplayName(_ name: String?) -> some View { noted("previewDisplayName") }
    public func previewDevice(_ device: PreviewDevice?) -> some View { noted("previewDevice") }
    public func previewLayout(_ layout: PreviewLayout) -> some View { noted("previewLayout") }
    public func animation(_ animation: Animation?, value: some Equatable) -> some View { noted("animation") }
    public func animation(_ animation: Animation?) -> some View { noted("animation") }
    public func transition(_ transition: AnyTransition) -> some View { noted("transition") }
    public func contentTransition(_ transition: ContentTransition) -> some View { noted("contentTransition") }
    public func matchedGeometryEffect(id: some Hashable, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame, anchor: UnitPoint = .center, isSource: Bool = true) -> some View { noted("matchedGeometryEffect") }
    public func geometryGroup() -> some View { noted("geometryGroup") }
    public func accessibilityValue(_ value: Text) -> some View { noted("accessibilityValue") }
    public func accessibilityValue(_ value: LocalizedStringKey) -> some View { noted("accessibilityValue") }
    @_disfavoredOverload public func accessibilityValue(_ value: some StringProtocol) -> some View { noted("accessibilityValue") }
    public func accessibilityHint(_ hint: Text) -> some View { noted("accessibilityHint") }
    public func accessibilityHint(_ hint: LocalizedStringKey) -> some View { noted("accessibilityHint") }
    @_disfavoredOverload public func accessibilityHint(_ hint: some StringProtocol) -> some View { noted("accessibilityHint") }
    public func accessibilityHidden(_ isHidden: Bool) -> some View { noted("accessibilityHidden") }
    public func accessibilityIdentifier(_ identifier: String) -> some View { noted("accessibilityIdentifier") }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { noted("accessibilityElement") }
    public func accessibilityChildren<Content: View>(@ViewBuilder children: () -> Content) -> some View { noted("accessibilityChildren") }
    public func accessibilityRepresentation<Content: View>(@ViewBuilder representation: () -> Content) -> some View { noted("accessibilityRepresentation") }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { noted("accessibilityAddTraits") }
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { noted("accessibilityRemoveTraits") }
    public func accessibilitySortPriority(_ priority: Double) -> some View { noted("accessibilitySortPriority") }
    public func accessibilityShowsLargeContentViewer() -> some View { noted("accessibilityShowsLargeContentViewer") }
    public func accessibilityIgnoresInvertColors(_ isActive: Bool = true) -> some View { noted("accessibilityIgnoresInvertColors") }
    public func accessibility(label: Text) -> some View { noted("accessibility") }
    public func accessibility(hidden: Bool) -> some View { noted("accessibility") }
    public func accessibility(identifier: String) -> some View { noted("accessibility") }
    public func accessibility(addTraits traits: AccessibilityTraits) -> some View { noted("accessibility") }
}
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = AnyView
    @ViewBuilder func body(content: Content) -> Body
}
public struct EmptyModifier: ViewModifier {
    public init() {}
    public func body(content: Content) -> some View { content }
}
/// One modifier after the other.
public struct ConcatenatedModifier<First: ViewModifier, Second: ViewModifier>: ViewModifier {
    internal let first: First
    internal let second: Second
    init(first: First, second: Second) {
        self.first = first
        self.second = second
    }
    public func body(content: Content) -> some View { content.modifier(first).modifier(second) }
}
extension ViewModifier {
    public func concat(_ other: some ViewModifier) -> some ViewModifier { ConcatenatedModifier(first: self, second: other) }
}
extension View {
    public func modifier(_ modifier: some ViewModifier) -> some View { AnyView { modifier.body(content: AnyView(self)).viewContent } }
    public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View { inEnvironment { $0[keyPath: path] = value }.noting(value) }
    public func environment<Object: AnyObject>(_ object: Object?) -> some View { inEnvironment { $0[object: Object.self] = object } }
    public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View { inEnvironment { $0[object: Object.self] = object } }
    public func transformEnvironment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, transform: @escaping (inout Value) -> Void) -> some View { inEnvironment { transform(&$0[keyPath: path]) } }
    public func background<Content: View>(alignment: Alignment = .center, @ViewBuilder content: () -> Content) -> some View { noted("background", view: content(), alignment: alignment) }
    public func overlay<Content: View>(alignment: Alignment = .center, @ViewBuilder content: () -> Content) -> some View { noted("overlay", view: content(), alignment: alignment) }
    @_disfavoredOverload public func background<Content: View>(_ content: Content, alignment: Alignment = .center) -> some View { noted("background", view: content, alignment: alignment) }
    public func overlay<Content: View>(_ content: Content, alignment: Alignment = .center) -> some View { noted("overlay", view: content, alignment: alignment) }
    public func mask<Content: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Content) -> some View { noted("mask", view: mask(), alignment: alignment) }
    public func mask(_ mask: some View) -> some View { noted("mask", view: mask, alignment: .center) }
    public func safeAreaInset<Content: View>(edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) -> some View { noted("overlay", view: content(), alignment: edge == .top ? .top : .bottom) }
    public func safeAreaInset<Content: View>(edge: HorizontalEdge, alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) -> some View { noted("overlay", view: content(), alignment: edge == .leading ? .leading : .trailing) }
    public func hidden() -> some View { noted("hidden") }
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { styled("buttonStyle", by: style, \.buttonStyle) }
    public func buttonStyle(_ style: some ButtonStyle) -> some View { styled("buttonStyle", by: style, \.buttonStyle) { style.makeBody(configuration: $0).viewContent } }
    public func labelStyle(_ style: some LabelStyle) -> some View { styled("labelStyle", by: style, \.labelStyle) { style.makeBody(configuration: $0).viewContent } }
    public func toggleStyle(_ style: some ToggleStyle) -> some View { styled("toggleStyle", by: style, \.toggleStyle) { style.makeBody(configuration: $0).viewContent } }
    public func progressViewStyle(_ style: some ProgressViewStyle) -> some View { styled("progressViewStyle", by: style, \.progressViewStyle) { style.makeBody(configuration: $0).viewContent } }
    public func gaugeStyle(_ style: some GaugeStyle) -> some View { styled("gaugeStyle", by: style, \.gaugeStyle) { style.makeBody(configuration: $0).viewContent } }
}
/// What is spoken of a view's parts.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    internal let name: String
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let isButton = AccessibilityTraits(rawValue: 1)
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    public static let isLink = AccessibilityTraits(rawValue: 4)
    public static let isImage = AccessibilityTraits(rawValue: 8)
    public static let isStaticText = AccessibilityTraits(rawValue: 16)
    public static let isSelected = AccessibilityTraits(rawValue: 32)
    public static let updatesFrequently = AccessibilityTraits(rawValue: 64)
}
public struct ContainerBackgroundPlacement: Hashable, Sendable {
    internal let name: String
    public static let widget = ContainerBackgroundPlacement(name: "widget")
    public static let navigation = ContainerBackgroundPlacement(name: "navigation")
}
public struct ContentShapeKinds: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let interaction = ContentShapeKinds(rawValue: 1)
    public static let dragPreview = ContentShapeKinds(rawValue: 2)
    public static let contextMenuPreview = ContentShapeKinds(rawValue: 4)
    public static let hoverEffect = ContentShapeKinds(rawValue: 8)
    public static let accessibility = ContentShapeKinds(rawValue: 16)
}
public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let placeholder = RedactionReasons(rawValue: 1)
    public static let privacy = RedactionReasons(rawValue: 2)
    public static let invalidated = RedactionReasons(rawValue: 4)
}
public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let keyboard = SafeAreaRegions(rawValue: 1)
    public static let container = SafeAreaRegions(rawValue: 2)
    public static let all = SafeAreaRegions(rawValue: .max)
}
public struct SymbolEffect: Hashable, Sendable {
    internal let name: String
    public static let bounce = SymbolEffect(name: "bounce")
    public static let pulse = SymbolEffect(name: "pulse")
    public static let variableColor = SymbolEffect(name: "variableColor")
    public static let scale = SymbolEffect(name: "scale")
    public static let rotate = SymbolEffect(name: "rotate")
    public static let wiggle = SymbolEffect(name: "wiggle")
    public static let breathe = SymbolEffect(name: "breathe")
}
public struct SymbolEffectOptions: Hashable, Sendable {
    internal let name: String
    public static let `default` = SymbolEffectOptions(name: "default")
    public static let repeating = SymbolEffectOptions(name: "repeating")
    public static let nonRepeating = SymbolEffectOptions(name: "nonRepeating")
}
public struct Glass: Equatable, Sendable {
    internal let name: String
    public static let regular = Glass(name: "regular")
    public static let clear = Glass(name: "clear")
    public static let identity = Glass(name: "identity")
    public func tint(_ color: Color?) -> Glass { self }
    public func interactive(_ isEnabled: Bool = true) -> Glass { self }
}
public struct DefaultGlassEffectShape: Shape {
    public init() {}
    public func path(in rect: CGRect) -> Path { Capsule().path(in: rect) }
}
public struct ContentMarginPlacement: Sendable {
    public static let automatic = ContentMarginPlacement()
    public static let scrollContent = ContentMarginPlacement()
    public static let scrollIndicators = ContentMarginPlacement()
}
public struct MatchedGeometryProperties: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let position = MatchedGeometryProperties(rawValue: 1)
    public static let size = MatchedGeometryProperties(rawValue: 2)
    public static let frame: MatchedGeometryProperties = [.position, .size]
}
public struct SymbolVariants: Hashable, Sendable {
    internal let name: String
    public static let none = SymbolVariants(name: "none")
    public static let fill = SymbolVariants(name: "fill")
    public static let circle = SymbolVariants(name: "circle")
    public static let square = SymbolVariants(name: "square")
    public static let rectangle = SymbolVariants(name: "rectangle")
    public static let slash = SymbolVariants(name: "slash")
    public var fill: SymbolVariants { SymbolVariants(name: name + ".fill") }
    public var slash: SymbolVariants { SymbolVariants(name: name + ".slash") }
    public var circle: SymbolVariants { SymbolVariants(name: name + ".circle") }
}
public struct Animation: Hashable, Sendable {
    internal let name: String
    public static let `default` = Animation(name: "default")
    public static let linear = Animation(name: "linear")
    public static let easeIn = Animation(name: "easeIn")
    public static let easeOut = Animation(name: "easeOut")
    public static let easeInOut = Animation(name: "easeInOut")
    public static let spring = Animation(name: "spring")
    public static let smooth = Animation(name: "smooth")
    public static let snappy = Animation(name: "snappy")
    public static let bouncy = Animation(name: "bouncy")
    public static func linear(duration: TimeInterval) -> Animation { Animation(name: "linear(duration: TimeInterval)") }
    public static func easeIn(duration: TimeInterval) -> Animation { Animation(name: "easeIn(duration: TimeInterval)") }
    public static func easeOut(duration: TimeInterval) -> Animation { Animation(name: "easeOut(duration: TimeInterval)") }
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation(name: "easeInOut(duration: TimeInterval)") }
    public static func spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0) -> Animation { Animation(name: "spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0)") }
    public func delay(_ delay: TimeInterval) -> Animation { self }
    public func speed(_ speed: Double) -> Animation { self }
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation { self }
}
/// Changes values; nothing moves here.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result { try body() }
public struct AnyTransition: Sendable {
    public static let opacity = AnyTransition()
    public static let slide = AnyTransition()
    public static let scale = AnyTransition()
    public static let identity = AnyTransition()
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { AnyTransition() }
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { AnyTransition() }
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}
public struct ContentTransition: Hashable, Sendable {
    internal let name: String
    public static let identity = ContentTransition(name: "identity")
    public static let opacity = ContentTransition(name: "opacity")
    public static let interpolate = ContentTransition(name: "interpolate")
    public static let symbolEffect = ContentTransition(name: "symbolEffect")
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition(name: "numericText(countsDown: Bool = false)") }
    public static func numericText(value: Double) -> ContentTransition { ContentTransition(name: "numericText(value: Double)") }
}
/// The size of a view, and where its guides are.
public struct ViewDimensions: Sendable {
    internal let size: CGSize
    init(size: CGSize) {
        self.size = size
    }
    public var width: CGFloat { size.width }
    public var height: CGFloat { size.height }
    public subscript(alignment: HorizontalAlignment) -> CGFloat { width * Alignment.share(alignment.name) }
    public subscript(alignment: VerticalAlignment) -> CGFloat { height * Alignment.share(alignment.name) }
}
public enum BlendMode: Hashable, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference, exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver, destinationOut, plusDarker, plusLighter
}
/// What a button does.
public struct ButtonRole: Equatable, Sendable {
    internal let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}
public enum ColorScheme: CaseIterable, Hashable, Sendable {
    case light, dark
}
public enum ColorSchemeContrast: CaseIterable, Hashable, Sendable {
    case standard, increased
}
public enum ColorRenderingMode: Hashable, Sendable {
    case nonLinear, linear, extendedLinear
}
public enum ContentMode: CaseIterable, Hashable, Sendable {
    case fit, fill
}
public enum ControlSize: CaseIterable, Hashable, Sendable {
    case mini, small, regular, large, extraLarge
}
public enum CoordinateSpace: Hashable, Sendable {
    case global, local
}
public struct HoverEffect: Sendable {
    public static let automatic = HoverEffect()
    public static let highlight = HoverEffect()
    public static let lift = HoverEffect()
}
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
    case leftToRight, rightToLeft
}
public enum LegibilityWeight: Hashable, Sendable {
    case regular, bold
}
public enum RoundedCornerStyle: Hashable, Sendable {
    case circular, continuous
}
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}
public struct SymbolRenderingMode: Hashable, Sendable {
    internal let name: String
    public static let monochrome = SymbolRenderingMode(name: "monochrome")
    public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
    public static let palette = SymbolRenderingMode(name: "palette")
    public static let multicolor = SymbolRenderingMode(name: "multicolor")
}
public enum TextAlignment: CaseIterable, Hashable, Sendable {
    case leading, center, trailing
}
public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact, regular
}
public enum Visibility: CaseIterable, Hashable, Sendable {
    case automatic, visible, hidden
}
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
    case top, leading, bottom, trailing
}
extension Edge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1)
        public static let leading = Set(rawValue: 2)
        public static let bottom = Set(rawValue: 4)
        public static let trailing = Set(rawValue: 8)
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }
        public static let horizontal: Set = [.leading, .trailing]
        public static let vertical: Set = [.top, .bottom]
        public static let all: Set = [.horizontal, .vertical]
    }
}
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    case horizontal, vertical
}
extension Axis {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}
public enum VerticalEdge: Int8, CaseIterable, Hashable, Sendable {
    case top, bottom
}
extension VerticalEdge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1)
        public static let bottom = Set(rawValue: 2)
        public static let all: Set = [.top, .bottom]
    }
}
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
    case leading, trailing
}
public enum ContentSizeCategory: CaseIterable, Comparable, Hashable, Sendable {
    case extraSmall, small, medium, large, extraLarge, extraExtraLarge, extraExtraExtraLarge, accessibilityMedium, accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge, accessibilityExtraExtraExtraLarge
    public var isAccessibilityCategory: Bool { self >= .accessibilityMedium }
}
public enum DynamicTypeSize: CaseIterable, Comparable, Hashable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge, accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}
/// Where views are placed from left to right.
public struct HorizontalAlignment: Hashable, Sendable {
    internal let name: String
    public static let leading = HorizontalAlignment(name: "leading")
    public static let center = HorizontalAlignment(name: "center")
    public static let trailing = HorizontalAlignment(name: "trailing")
    public static let listRowSeparatorLeading = leading
}
/// Where views are placed from top to bottom.
public struct VerticalAlignment: Hashable, Sendable {
    internal let name: String
    public static let top = VerticalAlignment(name: "top")
    public static let center = VerticalAlignment(name: "center")
    public static let bottom = VerticalAlignment(name: "bottom")
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
    public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}
public struct Alignment: Hashable, Sendable {
    public var horizontal: HorizontalAlignment
    public var vertical: VerticalAlignment
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    public static let center = Alignment(horizontal: .center, vertical: .center)
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    public static let top = Alignment(horizontal: .center, vertical: .top)
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
}
public struct EdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var leading: CGFloat
    public var bottom: CGFloat
    public var trailing: CGFloat
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}
public struct Angle: Hashable, Sendable {
    public var radians: Double
    public init(radians: Double) {
        self.radians = radians
    }
    public var degrees: Double { get { radians * 180 / .pi } set { radians = newValue * .pi / 180 } }
    public init() { radians = 0 }
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    public static let zero = Angle()
    public static func + (left: Angle, right: Angle) -> Angle { Angle(radians: left.radians + right.radians) }
    public static func - (left: Angle, right: Angle) -> Angle { Angle(radians: left.radians - right.radians) }
}
/// A point in an area, from 0 to 1.
public struct UnitPoint: Hashable, Sendable {
    public var x: CGFloat
    public var y: CGFloat
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }
    public init() { self.init(x: 0, y: 0) }
    public static let zero = UnitPoint(x: 0, y: 0)
    public static let topLeading = UnitPoint(x: 0, y: 0)
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    public static let leading = UnitPoint(x: 0, y: 0.5)
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    public static let top = UnitPoint(x: 0.5, y: 0)
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}
extension Text {
    @_disfavoredOverload public init(_ text: some StringProtocol) { self.init(verbatim: String(text)) }
    public init(verbatim text: String) { self.init(parts: [.literal(text)]) }
    public init(_ text: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) { self.init(parts: TextPart.styled(text.parts)) }
    @_disfavoredOverload public init(_ resource: LocalizedStringResource) { self.init(verbatim: resource.text) }
    @_disfavoredOverload public init(_ text: AttributedString) { self.init(verbatim: String(text.characters)) }
    public init(_ date: Date, style: DateStyle) { self.init(parts: [.date(date, style)]) }
    public init(_ dates: ClosedRange<Date>) { self.init(parts: [.interval(dates)]) }
    public init(_ interval: DateInterval) { self.init(interval.start...interval.end) }
    public init(_ image: Image) { self.init(parts: [image.isSymbol ? .symbol(image.name) : .literal("[\(image.name)]")]) }
    public init<Format: FormatStyle>(_ input: Format.FormatInput, format: Format) where Format.FormatInput: Equatable, Format.FormatOutput == String { self.init(verbatim: format.format(input)) }
    public init(_ subject: some Any, formatter: Formatter) { self.init(verbatim: formatter.string(for: subject) ?? "") }
    public init(timerInterval dates: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true, showsHours: Bool = true) { self.init(parts: [.clock(dates, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours)]) }
    package var plain: String { viewContent.lines(at: .now).joined() }
}
/// The format of a date.
extension Text {
    public struct DateStyle: Equatable, Sendable {
        internal let choice: Choice
        init(choice: Choice) {
            self.choice = choice
        }
        public static let relative = DateStyle(choice: .relative)
        public static let offset = DateStyle(choice: .offset)
        public static let timer = DateStyle(choice: .timer)
        public static let date = DateStyle(choice: .date)
        public static let time = DateStyle(choice: .time)
    }
}
extension Text.DateStyle {
    public enum Choice: Sendable {
        case relative, offset, timer, date, time
    }
}
/// A literal that may contain dates.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    internal let parts: [TextPart]
    public init(_ value: String) { parts = [.literal(value)] }
    public init(stringLiteral value: String) { parts = [.literal(value)] }
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}
extension LocalizedStringKey {
    public struct StringInterpolation: StringInterpolationProtocol {
        internal var parts: [TextPart] = []
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { parts.append(.literal(literal)) } }
        public mutating func appendInterpolation(_ value: some Any) { parts.append(.inserted("\(value)")) }
        public mutating func appendInterpolation<Format: FormatStyle>(_ value: Format.FormatInput, format: Format) where Format.FormatInput: Equatable, Format.FormatOutput == String { parts.append(.inserted(format.format(value))) }
        public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) { parts.append(.inserted(String(format: specifier, value))) }
        public mutating func appendInterpolation(_ subject: some Any, formatter: Formatter) { parts += Text(subject, formatter: formatter).parts }
        public mutating func appendInterpolation(_ text: Text) { parts += text.runs }
        public mutating func appendInterpolation(_ image: Image) { parts += Text(image).parts }
        public mutating func appendInterpolation(_ resource: LocalizedStringResource) { parts += Text(resource).parts }
        public mutating func appendInterpolation(_ text: AttributedString) { parts += Text(text).parts }
        public mutating func appendInterpolation(timerInterval dates: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true, showsHours: Bool = true) { parts.append(.clock(dates, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours)) }
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) { parts.append(.date(date, style)) }
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) { parts.append(.interval(dates)) }
        public mutating func appendInterpolation(_ interval: DateInterval) { parts += Text(interval).parts }
    }
}
extension Text {
    public enum TruncationMode: Sendable {
        case head, middle, tail
    }
}
extension Text {
    public enum Case: Hashable, Sendable {
        case uppercase, lowercase
    }
}
extension Text {
    public struct Scale: Hashable, Sendable {
        internal let name: String
        public static let `default` = Scale(name: "default")
        public static let secondary = Scale(name: "secondary")
    }
}
extension Text {
    public struct LineStyle: Hashable, Sendable {
        private let pattern: Pattern
        private let color: Color?
        public init(pattern: Pattern = .solid, color: Color? = nil) { (self.pattern, self.color) = (pattern, color) }
        public static let single = LineStyle()
    }
}
extension Text.LineStyle {
    public struct Pattern: Hashable, Sendable {
        internal let name: String
        public static let solid = Pattern(name: "solid")
        public static let dot = Pattern(name: "dot")
        public static let dash = Pattern(name: "dash")
        public static let dashDot = Pattern(name: "dashDot")
        public static let dashDotDot = Pattern(name: "dashDotDot")
    }
}
extension Font {
    public struct Weight: Hashable, Sendable {
        internal let name: String
        public static let ultraLight = Weight(name: "ultraLight")
        public static let thin = Weight(name: "thin")
        public static let light = Weight(name: "light")
        public static let regular = Weight(name: "regular")
        public static let medium = Weight(name: "medium")
        public static let semibold = Weight(name: "semibold")
        public static let bold = Weight(name: "bold")
        public static let heavy = Weight(name: "heavy")
        public static let black = Weight(name: "black")
    }
}
extension Font {
    public enum TextStyle: CaseIterable, Hashable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }
}
extension Font {
    public enum Design: Hashable, Sendable {
        case `default`, serif, rounded, monospaced
    }
}
extension Font {
    public struct Width: Hashable, Sendable {
        internal let name: String
        public static let compressed = Width(name: "compressed")
        public static let condensed = Width(name: "condensed")
        public static let standard = Width(name: "standard")
        public static let expanded = Width(name: "expanded")
    }
}
extension Font {
    public enum Leading: Hashable, Sendable {
        case standard, tight, loose
    }
}
/// A font by its description.
public struct Font: Hashable, Sendable {
    package let description: String
    internal init(description: String) { self.description = description }
    public init(_ font: UIFont) { description = "\(font.fontName) \(font.pointSize)" }
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font { system("\(size)", weight, design) }
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font { system("\(style)", weight, design) }
    internal static func system(_ size: String, _ weight: Weight?, _ design: Design?) -> Font { Font(description: ([size, weight?.name, design.map { "\($0)" }] as [String?]).compactMap(\.self).joined(separator: " ")) }
    public static func custom(_ name: String, size: CGFloat) -> Font { Font(description: "\(name) \(size)") }
    public static func custom(_ name: String, size: CGFloat, relativeTo style: TextStyle) -> Font { custom(name, size: size) }
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }
    internal func adding(_ word: String) -> Font { Font(description: "\(description) \(word)") }
    public func weight(_ weight: Weight) -> Font { adding(weight.name) }
    public func width(_ width: Width) -> Font { adding(width.name) }
    public func leading(_ leading: Leading) -> Font { adding("\(leading)") }
    public static let largeTitle = Font(description: "largeTitle")
    public static let title = Font(description: "title")
    public static let title2 = Font(description: "title2")
    public static let title3 = Font(description: "title3")
    public static let headline = Font(description: "headline")
    public static let subheadline = Font(description: "subheadline")
    public static let body = Font(description: "body")
    public static let callout = Font(description: "callout")
    public static let footnote = Font(description: "footnote")
    public static let caption = Font(description: "caption")
    public static let caption2 = Font(description: "caption2")
    public func bold() -> Font { adding("bold") }
    public func italic() -> Font { adding("italic") }
    public func monospaced() -> Font { adding("monospaced") }
    public func monospacedDigit() -> Font { adding("monospacedDigit") }
    public func smallCaps() -> Font { adding("smallCaps") }
    public func lowercaseSmallCaps() -> Font { adding("lowercaseSmallCaps") }
    public func uppercaseSmallCaps() -> Font { adding("uppercaseSmallCaps") }
}
/// What the app's catalogue has, as Xcode names it.
public struct ColorResource: Hashable, Sendable {
    internal let name: String
    public init(name: String, bundle: (any Sendable)? = nil) { self.name = name }
}
/// What the app's catalogue has, as Xcode names it.
public struct ImageResource: Hashable, Sendable {
    internal let name: String
    public init(name: String, bundle: (any Sendable)? = nil) { self.name = name }
}
public struct Image: ContentView, Equatable {
    internal let name: String
    internal let isSymbol: Bool
    internal var notes: [ViewNote]
    init(name: String, isSymbol: Bool = false, notes: [ViewNote] = []) {
        self.name = name
        self.isSymbol = isSymbol
        self.notes = notes
    }
    internal func adding(_ note: String, value: NoteValue = .none) -> Image { Image(name: name, isSymbol: isSymbol, notes: notes + [ViewNote(note, value: value)]) }
    public var viewContent: ViewContent { notes.reduce(isSymbol ? .symbol(name: name) : .image(name: name)) { .noted($0, $1) } }
    public init(_ name: String, bundle: Bundle? = nil) { self.init(name: name) }
    public init(_ name: String, bundle: Bundle? = nil, label: Text) { self.init(name: name) }
    public init(_ resource: ImageResource) { self.init(name: resource.name) }
    public init(decorative name: String, bundle: Bundle? = nil) { self.init(name: name) }
    public init(systemName name: String) { self.init(name: name, isSymbol: true) }
    public init(systemName name: String, variableValue: Double?) { self.init(systemName: name) }
    public init(uiImage image: UIImage) { self.init(name: image.name, isSymbol: image.isSymbol) }
}
extension Image {
    public enum Scale: Sendable {
        case small, medium, large
    }
}
extension Image {
    public enum TemplateRenderingMode: Sendable {
        case template, original
    }
}
extension Image {
    public enum ResizingMode: Sendable {
        case tile, stretch
    }
}
extension Image {
    public enum Orientation: Sendable {
        case up, down, left, right
    }
}
extension Image {
    public enum Interpolation: Hashable, Sendable {
        case none, low, medium, high
    }
}
extension Color {
    public enum RGBColorSpace: Sendable {
        case sRGB, sRGBLinear, displayP3
    }
}
extension Color {
    public init(_ name: String, bundle: Bundle? = nil) { self = .ofCatalogue(name) }
    public init(_ resource: ColorResource) { self = .ofCatalogue(resource.name) }
    public init(_ space: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) { self.init(space, red: white, green: white, blue: white, opacity: opacity) }
    public init(uiColor color: UIColor) { self.init(description: color.name) }
    @_disfavoredOverload public init(_ color: UIColor) { self.init(description: color.name) }
    public var gradient: AnyGradient { AnyGradient(Gradient(colors: [mix(with: .white, by: 0.2, in: .device), self])) }
    public func mix(with color: Color, by fraction: Double, in space: Gradient.ColorSpace = .perceptual) -> Color { mixed(with: color, share: fraction, isPerceptual: space == .perceptual) }
    public static let red = Color(description: "red")
    public static let orange = Color(description: "orange")
    public static let yellow = Color(description: "yellow")
    public static let green = Color(description: "green")
    public static let mint = Color(description: "mint")
    public static let teal = Color(description: "teal")
    public static let cyan = Color(description: "cyan")
    public static let blue = Color(description: "blue")
    public static let indigo = Color(description: "indigo")
    public static let purple = Color(description: "purple")
    public static let pink = Color(description: "pink")
    public static let brown = Color(description: "brown")
    public static let white = Color(description: "white")
    public static let gray = Color(description: "gray")
    public static let black = Color(description: "black")
    public static let clear = Color(description: "clear")
    public static let primary = Color(description: "primary")
    public static let secondary = Color(description: "secondary")
    public static let accentColor = Color(description: "accentColor")
}
/// What an area or a text is filled with.
public protocol ShapeStyle: Sendable {}
extension ShapeStyle {
    public func opacity(_ opacity: Double) -> some ShapeStyle { AnyShapeStyle(ownPaint: paint.opacity(opacity)) }
    public var secondary: some ShapeStyle { opacity(0.5) }
    public var tertiary: some ShapeStyle { opacity(0.25) }
    public var quaternary: some ShapeStyle { opacity(0.2) }
    public var quinary: some ShapeStyle { opacity(0.15) }
}
public struct AnyShapeStyle: ShapeStyle, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public init(_ style: some ShapeStyle) { ownPaint = style.paint }
}
extension ShapeStyle where Self == Color {
    public static var red: Color { Color.red }
    public static var orange: Color { Color.orange }
    public static var yellow: Color { Color.yellow }
    public static var green: Color { Color.green }
    public static var mint: Color { Color.mint }
    public static var teal: Color { Color.teal }
    public static var cyan: Color { Color.cyan }
    public static var blue: Color { Color.blue }
    public static var indigo: Color { Color.indigo }
    public static var purple: Color { Color.purple }
    public static var pink: Color { Color.pink }
    public static var brown: Color { Color.brown }
    public static var white: Color { Color.white }
    public static var gray: Color { Color.gray }
    public static var black: Color { Color.black }
    public static var clear: Color { Color.clear }
}
/// A level of the foreground; 1 is the most important.
public struct HierarchicalShapeStyle: ShapeStyle, PaintedStyle {
    internal let level: Int
    init(level: Int) {
        self.level = level
    }
    internal var ownPaint: Paint { .color(Color(description: "level\(level)")) }
    public static let primary = HierarchicalShapeStyle(level: 1)
    public static let secondary = HierarchicalShapeStyle(level: 2)
    public static let tertiary = HierarchicalShapeStyle(level: 3)
    public static let quaternary = HierarchicalShapeStyle(level: 4)
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle.primary }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle.secondary }
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle.tertiary }
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle.quaternary }
    public static var quinary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 5) }
}
/// A style that the environment determines.
public struct BackgroundStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "BackgroundStyle")) }
}
/// A style that the environment determines.
public struct ForegroundStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "ForegroundStyle")) }
}
/// A style that the environment determines.
public struct FillShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "FillShapeStyle")) }
}
/// A style that the environment determines.
public struct TintShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "TintShapeStyle")) }
}
/// A style that the environment determines.
public struct SelectionShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "SelectionShapeStyle")) }
}
/// A style that the environment determines.
public struct SeparatorShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "SeparatorShapeStyle")) }
}
/// A style that the environment determines.
public struct LinkShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "LinkShapeStyle")) }
}
/// A style that the environment determines.
public struct PlaceholderTextShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "PlaceholderTextShapeStyle")) }
}
/// A style that the environment determines.
public struct WindowBackgroundShapeStyle: ShapeStyle, PaintedStyle {
    public init() {}
    internal var ownPaint: Paint { .color(Color(description: "WindowBackgroundShapeStyle")) }
}
extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}
extension ShapeStyle where Self == ForegroundStyle {
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}
extension ShapeStyle where Self == FillShapeStyle {
    public static var fill: FillShapeStyle { FillShapeStyle() }
}
extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}
extension ShapeStyle where Self == SelectionShapeStyle {
    public static var selection: SelectionShapeStyle { SelectionShapeStyle() }
}
extension ShapeStyle where Self == SeparatorShapeStyle {
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}
extension ShapeStyle where Self == LinkShapeStyle {
    public static var link: LinkShapeStyle { LinkShapeStyle() }
}
extension ShapeStyle where Self == PlaceholderTextShapeStyle {
    public static var placeholder: PlaceholderTextShapeStyle { PlaceholderTextShapeStyle() }
}
extension ShapeStyle where Self == WindowBackgroundShapeStyle {
    public static var windowBackground: WindowBackgroundShapeStyle { WindowBackgroundShapeStyle() }
}
/// A blurred background.
public struct Material: ShapeStyle, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public static let ultraThin = Material(ownPaint: .material("ultraThinMaterial"))
    public static let thin = Material(ownPaint: .material("thinMaterial"))
    public static let regular = Material(ownPaint: .material("regularMaterial"))
    public static let thick = Material(ownPaint: .material("thickMaterial"))
    public static let ultraThick = Material(ownPaint: .material("ultraThickMaterial"))
    public static let bar = Material(ownPaint: .material("bar"))
}
extension ShapeStyle where Self == Material {
    public static var ultraThinMaterial: Material { Material(ownPaint: .material("ultraThinMaterial")) }
    public static var thinMaterial: Material { Material(ownPaint: .material("thinMaterial")) }
    public static var regularMaterial: Material { Material(ownPaint: .material("regularMaterial")) }
    public static var thickMaterial: Material { Material(ownPaint: .material("thickMaterial")) }
    public static var ultraThickMaterial: Material { Material(ownPaint: .material("ultraThickMaterial")) }
    public static var bar: Material { Material(ownPaint: .material("bar")) }
}
public struct Gradient: ShapeStyle, Hashable {
    public var stops: [Stop]
    public init(stops: [Stop]) {
        self.stops = stops
    }
    public init(colors: [Color]) { stops = Self.stops(colors) }
    private static func stops(_ colors: [Color]) -> [Stop] { colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / CGFloat(max(1, colors.count - 1))) } }
}
extension Gradient {
    public struct ColorSpace: Hashable, Sendable {
        internal let name: String
        public static let device = ColorSpace(name: "device")
        public static let perceptual = ColorSpace(name: "perceptual")
    }
}
extension Gradient {
    public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: CGFloat
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
}
public struct AnyGradient: ShapeStyle, Hashable, PaintedStyle {
    internal let gradient: Gradient
    init(gradient: Gradient) {
        self.gradient = gradient
    }
    public init(_ gradient: Gradient) { self.gradient = gradient }
    internal var ownPaint: Paint { gradient.ownPaint }
}
public struct LinearGradient: ShapeStyle, ContentView, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public var viewContent: ViewContent { .area(.rectangle, ownPaint) }
}
public struct RadialGradient: ShapeStyle, ContentView, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public var viewContent: ViewContent { .area(.rectangle, ownPaint) }
}
public struct EllipticalGradient: ShapeStyle, ContentView, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public var viewContent: ViewContent { .area(.rectangle, ownPaint) }
}
public struct AngularGradient: ShapeStyle, ContentView, PaintedStyle {
    internal let ownPaint: Paint
    init(ownPaint: Paint) {
        self.ownPaint = ownPaint
    }
    public var viewContent: ViewContent { .area(.rectangle, ownPaint) }
}
extension LinearGradient {
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) { self.init(stops: gradient.stops, startPoint: startPoint, endPoint: endPoint) }
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) { self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint) }
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) { ownPaint = .gradient(kind: "linear", [startPoint.x, startPoint.y, endPoint.x, endPoint.y], stops) }
}
extension RadialGradient {
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) { ownPaint = .gradient(kind: "radial", [center.x, center.y, startRadius, endRadius], gradient.stops) }
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) { self.init(gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius) }
}
extension EllipticalGradient {
    public init(gradient: Gradient, center: UnitPoint = .center, startRadiusFraction: CGFloat = 0, endRadiusFraction: CGFloat = 0.5) { self.init(stops: gradient.stops, center: center, startRadiusFraction: startRadiusFraction, endRadiusFraction: endRadiusFraction) }
    public init(colors: [Color], center: UnitPoint = .center, startRadiusFraction: CGFloat = 0, endRadiusFraction: CGFloat = 0.5) { self.init(stops: Gradient(colors: colors).stops, center: center, startRadiusFraction: startRadiusFraction, endRadiusFraction: endRadiusFraction) }
    public init(stops: [Gradient.Stop], center: UnitPoint = .center, startRadiusFraction: CGFloat = 0, endRadiusFraction: CGFloat = 0.5) { ownPaint = .gradient(kind: "elliptical", [center.x, center.y, startRadiusFraction, endRadiusFraction], stops) }
}
extension AngularGradient {
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) { ownPaint = .gradient(kind: "angular", [center.x, center.y, startAngle.degrees, endAngle.degrees], gradient.stops) }
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) { self.init(gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle) }
    @_disfavoredOverload public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) { self.init(gradient: gradient, center: center, startAngle: angle, endAngle: .degrees(angle.degrees + 360)) }
    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) { self.init(gradient: Gradient(colors: colors), center: center, angle: angle) }
}
extension ShapeStyle where Self == LinearGradient {
    public static func linearGradient(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) -> LinearGradient { LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint) }
    public static func linearGradient(_ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) -> LinearGradient { LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint) }
}
/// A shadow of a style.
public struct ShadowStyle: Sendable {
    public static func drop(color: Color = .init(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle { ShadowStyle() }
    public static func inner(color: Color = .init(.sRGBLinear, white: 0, opacity: 0.55), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle { ShadowStyle() }
}
extension ShapeStyle {
    public func shadow(_ style: ShadowStyle) -> some ShapeStyle { self }
    public func blendMode(_ mode: BlendMode) -> some ShapeStyle { self }
}
/// An area with an outline.
public protocol Shape: View, Sendable {
    func path(in rect: CGRect) -> Path
}
extension Shape {
    public var body: Never { return fatalError("the shape has no body") }
    public var viewContent: ViewContent { .area(outline, .foreground) }
    public func fill(_ style: some ShapeStyle, style fillStyle: FillStyle = FillStyle()) -> FilledShape { filled(style, isEvenOdd: fillStyle.isEOFilled) }
    public func fill(style: FillStyle = FillStyle()) -> FilledShape { filled(ForegroundStyle(), isEvenOdd: style.isEOFilled) }
}
public protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape
    func inset(by amount: CGFloat) -> InsetShape
}
public struct FilledShape: ContentView {
    internal let outline: Outline
    internal let areas: [ViewContent]
    init(outline: Outline, areas: [ViewContent]) {
        self.outline = outline
        self.areas = areas
    }
    public var viewContent: ViewContent { areas.count == 1 ? areas[0] : .stack(.layers(.center), areas) }
}
public struct StrokeStyle: Equatable, Sendable {
    public var lineWidth: CGFloat
    public var lineCap: CGLineCap
    public var lineJoin: CGLineJoin
    public var miterLimit: CGFloat
    public var dash: [CGFloat]
    public var dashPhase: CGFloat
    public init(lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10, dash: [CGFloat] = [CGFloat](), dashPhase: CGFloat = 0) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}
public struct Rectangle: InsettableShape {
    public init() {}
    public func inset(by amount: CGFloat) -> some InsettableShape { AnyShape(self).inset(by: amount) }
}
public struct Circle: InsettableShape {
    public init() {}
    public func inset(by amount: CGFloat) -> some InsettableShape { AnyShape(self).inset(by: amount) }
}
public struct Ellipse: InsettableShape {
    public init() {}
    public func inset(by amount: CGFloat) -> some InsettableShape { AnyShape(self).inset(by: amount) }
}
extension Rectangle {
    public func path(in rect: CGRect) -> Path { Path(rect) }
}
extension Circle {
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect.square) }
}
extension Ellipse {
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}
/// The container's corners, those of the widget.
public struct ContainerRelativeShape: InsettableShape {
    public init() {}
    public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: 24) }
    public func inset(by amount: CGFloat) -> some InsettableShape { AnyShape(self).inset(by: amount) }
}
public struct Capsule: InsettableShape {
    public init(style: RoundedCornerStyle = .continuous) {}
    public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2) }
    public func inset(by amount: CGFloat) -> some InsettableShape { AnyShape(self).inset(by: amount) }
}
public struct RoundedRectangle: InsettableShape {
    internal let radii: [CGSize]
    init(radii: [CGSize]) {
        self.radii = radii
    }
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) { self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius)) }
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) { radii = [cornerSize] }
}
public struct UnevenRoundedRectangle: InsettableShape {
    internal let radii: [CGSize]
    init(radii: [CGSize]) {
        self.radii = radii
    }
    public init(topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0, topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous) { radii = [topLeadingRadius, topTrailingRadius, bottomTrailingRadius, bottomLeadingRadius] .map { CGSize(width: $0, height: $0) } }
}
extension RoundedRectangle {
    public func path(in rect: CGRect) -> Path { Path { $0.addRect(rect, radii: radii, transform: .identity) } }
    public func inset(by amount: CGFloat) -> some InsettableShape { RoundedRectangle(radii: radii.map { CGSize(width: max(0, $0.width - amount), height: max(0, $0.height - amount)) }) .within(amount) }
}
extension UnevenRoundedRectangle {
    public func path(in rect: CGRect) -> Path { Path { $0.addRect(rect, radii: radii, transform: .identity) } }
    public func inset(by amount: CGFloat) -> some InsettableShape { UnevenRoundedRectangle(radii: radii.map { CGSize(width: max(0, $0.width - amount), height: max(0, $0.height - amount)) }) .within(amount) }
}
public struct AnyShape: InsettableShape {
    internal let ownOutline: Outline
    init(ownOutline: Outline) {
        self.ownOutline = ownOutline
    }
    public init(_ shape: some Shape) { ownOutline = shape.outline }
    public func path(in rect: CGRect) -> Path { ownOutline.path.value(in: rect) }
    public func inset(by amount: CGFloat) -> some InsettableShape { within(amount) }
}
extension Shape where Self == Rectangle {
    public static var rect: Rectangle { Rectangle() }
}
extension Shape where Self == Circle {
    public static var circle: Circle { Circle() }
}
extension Shape where Self == Capsule {
    public static var capsule: Capsule { Capsule() }
}
extension Shape where Self == ContainerRelativeShape {
    public static var containerRelative: ContainerRelativeShape { ContainerRelativeShape() }
}
extension Shape where Self == RoundedRectangle {
    public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> Self { RoundedRectangle(cornerRadius: cornerRadius, style: style) }
}
extension Shape {
    public func stroke(_ style: some ShapeStyle, lineWidth: CGFloat = 1, antialiased: Bool = true) -> FilledShape { painted(style, line: StrokeStyle(lineWidth: lineWidth)) }
    public func stroke(_ style: some ShapeStyle, style line: StrokeStyle) -> FilledShape { painted(style, line: line) }
    public func stroke(lineWidth: CGFloat = 1) -> some Shape { stroke(style: StrokeStyle(lineWidth: lineWidth)) }
    public func stroke(style: StrokeStyle) -> some Shape { lined(style) }
    public func trim(from start: CGFloat = 0, to end: CGFloat = 1) -> some Shape { changed { path, _ in path.trimmedPath(from: start, to: end) } }
    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape { transformed(anchor) { CGAffineTransform(rotationAngle: angle.radians) } }
    public func scale(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some Shape { transformed(anchor) { CGAffineTransform(scaleX: x, y: y) } }
    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape { self.scale(x: scale, y: scale, anchor: anchor) }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape { changed { path, _ in path.offsetBy(dx: x, dy: y) } }
    public func offset(_ offset: CGPoint) -> some Shape { self.offset(x: offset.x, y: offset.y) }
    public func offset(_ offset: CGSize) -> some Shape { self.offset(x: offset.width, y: offset.height) }
    public func transform(_ transform: CGAffineTransform) -> some Shape { changed { path, _ in path.applying(transform) } }
    public func size(width: CGFloat, height: CGFloat) -> some Shape { size(CGSize(width: width, height: height)) }
    public func size(_ size: CGSize) -> some Shape { AnyShape(ownOutline: Outline { path(in: CGRect(origin: $0.origin, size: size)) }) }
}
extension InsettableShape {
    public func strokeBorder(_ style: some ShapeStyle, lineWidth: CGFloat = 1, antialiased: Bool = true) -> FilledShape { bordered(StrokeStyle(lineWidth: lineWidth)).painted(style) }
    public func strokeBorder(_ style: some ShapeStyle, style line: StrokeStyle, antialiased: Bool = true) -> FilledShape { bordered(line).painted(style) }
    public func strokeBorder(lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View { bordered(StrokeStyle(lineWidth: lineWidth)) }
    public func strokeBorder(style: StrokeStyle, antialiased: Bool = true) -> some View { bordered(style) }
}
extension FilledShape {
    public func fill(_ style: some ShapeStyle, style fillStyle: FillStyle = FillStyle()) -> FilledShape { painted(style) }
    public func stroke(_ style: some ShapeStyle, lineWidth: CGFloat = 1, antialiased: Bool = true) -> FilledShape { painted(style, line: StrokeStyle(lineWidth: lineWidth)) }
    public func stroke(_ style: some ShapeStyle, style line: StrokeStyle) -> FilledShape { painted(style, line: line) }
    public func strokeBorder(_ style: some ShapeStyle, lineWidth: CGFloat = 1, antialiased: Bool = true) -> FilledShape { bordered(style, line: StrokeStyle(lineWidth: lineWidth)) }
}
public enum CGLineCap: Int32, Sendable {
    case butt, round, square
}
public enum CGLineJoin: Int32, Sendable {
    case miter, round, bevel
}
/// How points are moved, scaled and turned.
public struct CGAffineTransform: Hashable, Sendable {
    public var a: CGFloat
    public var b: CGFloat
    public var c: CGFloat
    public var d: CGFloat
    public var tx: CGFloat
    public var ty: CGFloat
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }
    public static let identity = CGAffineTransform()
    public init() { self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }
    public init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }
    public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }
    public init(rotationAngle angle: CGFloat) { self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0) }
    public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform { CGAffineTransform(a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c, d: c * other.b + d * other.d, tx: tx * other.a + ty * other.c + other.tx, ty: tx * other.b + ty * other.d + other.ty) }
    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform { CGAffineTransform(translationX: x, y: y).concatenating(self) }
    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform { CGAffineTransform(scaleX: x, y: y).concatenating(self) }
    public func rotated(by angle: CGFloat) -> CGAffineTransform { CGAffineTransform(rotationAngle: angle).concatenating(self) }
}
extension CGPoint {
    public func applying(_ transform: CGAffineTransform) -> CGPoint { CGPoint(x: x * transform.a + y * transform.c + transform.tx, y: x * transform.b + y * transform.d + transform.ty) }
}
public struct FillStyle: Equatable, Sendable {
    public var isEOFilled: Bool
    public var isAntialiased: Bool
    public init(eoFill: Bool = false, antialiased: Bool = true) { (isEOFilled, isAntialiased) = (eoFill, antialiased) }
}
/// The outline of a shape.
public struct Path: Shape, Equatable {
    internal var pieces: [Element]
    init(pieces: [Element]) {
        self.pieces = pieces
    }
    public init() { pieces = [] }
    public init(_ rect: CGRect) { self.init(); addRect(rect) }
    public init(ellipseIn rect: CGRect) { self.init(); addEllipse(in: rect) }
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) { self.init(roundedRect: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius)) }
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) { self.init(); addRoundedRect(in: rect, cornerSize: cornerSize) }
    public init(_ callback: (inout Path) -> Void) { self.init(); callback(&self) }
    public func path(in rect: CGRect) -> Path { self }
    public var isEmpty: Bool { pieces.isEmpty }
    public var boundingRect: CGRect { bounds }
    public var currentPoint: CGPoint? { lastPoint }
    public func forEach(_ body: (Element) -> Void) { pieces.forEach(body) }
    public func applying(_ transform: CGAffineTransform) -> Path { mapped { $0.applying(transform) } }
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path { applying(CGAffineTransform(translationX: dx, y: dy)) }
    public func trimmedPath(from: CGFloat, to: CGFloat) -> Path { trimmed(from: from, to: to) }
    public mutating func move(to point: CGPoint) { pieces.append(.move(to: point)) }
    public mutating func addLine(to point: CGPoint) { pieces.append(.line(to: point)) }
    public mutating func addLines(_ points: [CGPoint]) { pieces += points.enumerated().map { $0 == 0 ? .move(to: $1) : .line(to: $1) } }
    public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) { pieces.append(.curve(to: point, control1: control1, control2: control2)) }
    public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) { pieces.append(.quadCurve(to: point, control: control)) }
    public mutating func addArc(center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool, transform: CGAffineTransform = .identity) { addArc(center, radius, from: startAngle, to: endAngle, clockwise, transform) }
    public mutating func addRelativeArc(center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle, transform: CGAffineTransform = .identity) { addArc(center, radius, from: startAngle, to: startAngle + delta, delta.radians < 0, transform) }
    public mutating func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { addRect(rect, radii: [], transform: transform) }
    public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous, transform: CGAffineTransform = .identity) { addRect(rect, radii: [cornerSize], transform: transform) }
    public mutating func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) { addEllipse(rect, transform: transform) }
    public mutating func addPath(_ path: Path, transform: CGAffineTransform = .identity) { pieces += path.applying(transform).pieces }
    public mutating func closeSubpath() { pieces.append(.closeSubpath) }
}
extension Path {
    public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }
}
public struct VStack: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(alignment, spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct HStack: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .row(alignment, spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct ZStack: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .layers(alignment)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
/// Views as one, arranged by their container.
public struct Group: ContentView {
    private let content: AnyView
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
    }
    public var viewContent: ViewContent { .group(content.viewContent.members) }
}
public struct LazyVStack: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(alignment, spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct LazyHStack: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .row(alignment, spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct LazyVGrid: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .tracks(.vertical, columns, Alignment(horizontal: alignment, vertical: .center), spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct LazyHGrid: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .tracks(.horizontal, rows, Alignment(horizontal: .center, vertical: alignment), spacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct Grid: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .grid(alignment, horizontalSpacing, verticalSpacing)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct GridRow: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .row(alignment, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct ScrollView: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(.center, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct Form: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(.leading, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct List: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(.leading, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct NavigationView: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .column(.leading, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct ControlGroup: ContentView {
    private let content: AnyView
    private let stack: Stack
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
        stack = .row(.center, nil)
    }
    public var viewContent: ViewContent { .stack(stack, content.viewContent.members) }
}
public struct GlassEffectContainer: ContentView {
    private let content: AnyView
    public init<Content: View>(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = AnyView(content())
    }
    public var viewContent: ViewContent { .group(content.viewContent.members) }
}
/// Its first view.
public struct NavigationStack: ContentView {
    private let root: AnyView
    public init<Root: View>(@ViewBuilder root: () -> Root) { self.root = AnyView(root()) }
    public var viewContent: ViewContent { root.viewContent }
}
public struct EmptyView: ContentView {
    public init() {}
    public var viewContent: ViewContent { .empty }
}
public struct Divider: ContentView {
    public init() {}
    public var viewContent: ViewContent { .divider }
}
/// Room between views.
public struct Spacer: ContentView {
    private let minLength: CGFloat?
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }
    public var viewContent: ViewContent { .spacer(minLength) }
}
/// A view for each element, arranged by their container.
public struct ForEach: ContentView {
    private let content: () -> ViewContent
    public init<Elements: Sequence, Content: View>(_ elements: Elements, @ViewBuilder content: @escaping (Elements.Element) -> Content) { self.content = { .group(elements.flatMap { content($0).viewContent.members }) } }
    public init<Elements: Sequence, ID: Hashable, Content: View>(_ elements: Elements, id: KeyPath<Elements.Element, ID>, @ViewBuilder content: @escaping (Elements.Element) -> Content) { self.init(elements, content: content) }
    public var viewContent: ViewContent { content() }
}
/// A view that depends on the room it has.
public struct GeometryReader: ContentView {
    private let content: (GeometryProxy) -> ViewContent
    public init<Content: View>(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = { content($0).viewContent } }
    public var viewContent: ViewContent { .sized(Later(usual: EnvironmentValues.now.displaySize) { [content] in content(GeometryProxy(size: $0)) }) }
}
public struct GeometryProxy: Sendable {
    public let size: CGSize
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    public func frame(in space: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }
}
public struct GridItem: Equatable, Sendable {
    public var size: Size
    public var spacing: CGFloat?
    public var alignment: Alignment?
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}
extension GridItem {
    public enum Size: Equatable, Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
}
/// A view that is made again at some dates; here it is made once, for now.
public struct TimelineView<Schedule>: ContentView {
    private let content: (Context) -> ViewContent
    public init<Content: View>(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) { self.content = { content($0).viewContent } }
    public var viewContent: ViewContent { content(Context(date: Date())) }
}
extension TimelineView {
    public struct Context: Sendable {
        public let date: Date
        public var cadence: Cadence { .minutes }
    }
}
/// The first of some views that fits.
public struct ViewThatFits: ContentView {
    private let axes: Axis.Set
    private let content: AnyView
    public init<Content: View>(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) { (self.axes, self.content) = (axes, AnyView(content())) }
    public var viewContent: ViewContent { .fitting(content.viewContent.members, axes) }
}
/// Views with a header and a footer.
public struct Section: ContentView {
    private let content: [AnyView]
    public init<Content: View>(@ViewBuilder content: () -> Content) { self.content = [AnyView(content())] }
    public init<Content: View, Header: View, Footer: View>(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Header, @ViewBuilder footer: () -> Footer) { self.content = [AnyView(header()), AnyView(content()), AnyView(footer())] }
    public var viewContent: ViewContent { .group(content.flatMap { $0.viewContent.members }) }
    public init<Content: View, Header: View>(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Header) { self.init(content: content, header: header, footer: { EmptyView() }) }
    public init<Content: View, Header: View>(header: Header, @ViewBuilder content: () -> Content) { self.init(content: content, header: { header }, footer: { EmptyView() }) }
    public init<Content: View>(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) { self.init(content: content, header: { Text(title) }, footer: { EmptyView() }) }
}
extension List {
    public init<Elements: Sequence, Content: View>(_ elements: Elements, @ViewBuilder rowContent: @escaping (Elements.Element) -> Content) { self.init { ForEach(elements, content: rowContent) } }
    public init<Elements: Sequence, ID: Hashable, Content: View>(_ elements: Elements, id: KeyPath<Elements.Element, ID>, @ViewBuilder rowContent: @escaping (Elements.Element) -> Content) { self.init { ForEach(elements, content: rowContent) } }
}
/// A text with a picture before it.
public struct Label<Title: View, Icon: View>: ContentView {
    private let parts: [AnyView]
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { parts = [AnyView(icon()), AnyView(title())] }
    public var viewContent: ViewContent { EnvironmentValues.now.labelStyle.map { $0(LabelStyleConfiguration(title: parts[1], icon: parts[0])) } ?? .noted(.stack(.row(nil, nil), parts.map(\.viewContent)), ViewNote("label")) }
}
extension Label where Title == Text, Icon == Image {
    public init(_ title: LocalizedStringKey, systemImage: String) { self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) }) }
    @_disfavoredOverload public init(_ title: some StringProtocol, systemImage: String) { self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) }) }
    @_disfavoredOverload public init(_ title: LocalizedStringResource, systemImage: String) { self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) }) }
    public init(_ title: LocalizedStringKey, image: String) { self.init(title: { Text(title) }, icon: { Image(image) }) }
    @_disfavoredOverload public init(_ title: some StringProtocol, image: String) { self.init(title: { Text(title) }, icon: { Image(image) }) }
    public init(_ title: LocalizedStringKey, image: ImageResource) { self.init(title: { Text(title) }, icon: { Image(image) }) }
    @_disfavoredOverload public init(_ title: some StringProtocol, image: ImageResource) { self.init(title: { Text(title) }, icon: { Image(image) }) }
}
/// Says why there is nothing: a symbol, a title, and lines below it.
public struct ContentUnavailableView: ContentView {
    private let parts: [AnyView]
    public init<Label: View, Description: View, Actions: View>(@ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() }, @ViewBuilder actions: () -> Actions = { EmptyView() }) { parts = [ AnyView(label().font(.title2).bold().labelStyle(StackedLabelStyle())), AnyView(description().font(.footnote).foregroundStyle(.secondary)), AnyView(actions())] }
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) { self.init(label: { Label(title, systemImage: name) }, description: { description }) }
    @_disfavoredOverload public init(_ title: some StringProtocol, systemImage name: String, description: Text? = nil) { self.init(label: { Label(title, systemImage: name) }, description: { description }) }
    public var viewContent: ViewContent { .stack(.column(.center, 8), parts.flatMap { $0.viewContent.members }) }
}
/// A view that opens an address.
public struct Link<Label: View>: ContentView {
    private let label: Label
    private let destination: URL
    public init(destination: URL, @ViewBuilder label: () -> Label) { (self.label, self.destination) = (label(), destination) }
    public var viewContent: ViewContent { .noted(label.viewContent, ViewNote("link", value: .text(destination.absoluteString))) }
}
extension Link where Label == Text {
    public init(_ title: LocalizedStringKey, destination: URL) { self.init(destination: destination) { Text(title) } }
    @_disfavoredOverload public init(_ title: some StringProtocol, destination: URL) { self.init(destination: destination) { Text(title) } }
}
/// A switch, which nothing taps here.
public struct Toggle: ContentView {
    internal let label: AnyView
    internal let isOn: Binding<Bool>
    init(label: AnyView, isOn: Binding<Bool>) {
        self.label = label
        self.isOn = isOn
    }
    public init<Content: View>(isOn: Binding<Bool>, @ViewBuilder label: () -> Content) { self.init(label: AnyView(label()), isOn: isOn) }
    public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
    public init<Content: View>(isOn: Bool, intent: some AppIntent, @ViewBuilder label: () -> Content) { self.init(isOn: .constant(isOn), label: label) }
    public init(_ title: LocalizedStringKey, isOn: Bool, intent: some AppIntent) { self.init(isOn: .constant(isOn)) { Text(title) } }
    @_disfavoredOverload public init(_ title: some StringProtocol, isOn: Bool, intent: some AppIntent) { self.init(isOn: .constant(isOn)) { Text(title) } }
    public var viewContent: ViewContent { EnvironmentValues.now.toggleStyle.map { $0(ToggleStyleConfiguration(isOn: isOn.wrappedValue, label: label)) } ?? .noted(label.viewContent, ViewNote("toggle", value: NoteValue(isOn.wrappedValue))) }
}
public struct ProgressView: ContentView {
    internal let fraction: Double?
    internal let parts: [AnyView?]
    init(fraction: Double?, parts: [AnyView?] = []) {
        self.fraction = fraction
        self.parts = parts
    }
    internal var drawn: ViewContent { .noted(.stack(.column(.leading, nil), parts.map { $0?.viewContent ?? .empty } + [.progress(fraction)]), ViewNote("ProgressView")) }
    internal func part(_ number: Int) -> AnyView? { number < parts.count ? parts[number] : nil }
}
public struct Gauge: ContentView {
    internal let fraction: Double?
    internal let parts: [AnyView?]
    init(fraction: Double?, parts: [AnyView?] = []) {
        self.fraction = fraction
        self.parts = parts
    }
    internal var drawn: ViewContent { .noted(.stack(.column(.leading, nil), parts.map { $0?.viewContent ?? .empty } + [.progress(fraction)]), ViewNote("Gauge")) }
    internal func part(_ number: Int) -> AnyView? { number < parts.count ? parts[number] : nil }
}
extension ProgressView {
    public var viewContent: ViewContent { EnvironmentValues.now.progressViewStyle.map { $0(ProgressViewStyleConfiguration(fractionCompleted: fraction, label: part(0), currentValueLabel: part(1))) } ?? drawn }
}
extension Gauge {
    public var viewContent: ViewContent { EnvironmentValues.now.gaugeStyle.map { $0(GaugeStyleConfiguration(value: fraction ?? 0, label: part(0) ?? AnyView(EmptyView()), currentValueLabel: part(1), minimumValueLabel: part(2), maximumValueLabel: part(3))) } ?? drawn }
}
/// How far something has progressed; nil if that is not known.
extension ProgressView {
    public init() { self.init(fraction: nil) }
    public init(_ title: LocalizedStringKey) { self.init(fraction: nil, parts: [AnyView(Text(title))]) }
    public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0) { self.init(fraction: value.map { Double($0 / total) }) }
    public init<Value: BinaryFloatingPoint, Content: View>(value: Value?, total: Value = 1.0, @ViewBuilder label: () -> Content) { self.init(fraction: value.map { Double($0 / total) }, parts: [AnyView(label())]) }
    public init<Value: BinaryFloatingPoint, Content: View, Current: View>(value: Value?, total: Value = 1.0, @ViewBuilder label: () -> Content, @ViewBuilder currentValueLabel: () -> Current) { self.init(fraction: value.map { Double($0 / total) }, parts: [AnyView(label()), AnyView(currentValueLabel())]) }
    public init<Value: BinaryFloatingPoint>(_ title: LocalizedStringKey, value: Value?, total: Value = 1.0) { self.init(value: value, total: total) { Text(title) } }
    public init(timerInterval dates: ClosedRange<Date>, countsDown: Bool = true) { self.init(fraction: dates.progress(at: Date(), countsDown: countsDown), parts: [nil, AnyView(Text(timerInterval: dates, countsDown: countsDown))]) }
    public init<Content: View, Current: View>(timerInterval dates: ClosedRange<Date>, countsDown: Bool = true, @ViewBuilder label: () -> Content, @ViewBuilder currentValueLabel: () -> Current) { self.init(fraction: dates.progress(at: Date(), countsDown: countsDown), parts: [AnyView(label()), AnyView(currentValueLabel())]) }
}
/// A value between two others.
extension Gauge {
    public init<Value: BinaryFloatingPoint, Content: View>(value: Value, in bounds: ClosedRange<Value> = 0...1, @ViewBuilder label: () -> Content) { self.init(fraction: bounds.fraction(of: value), parts: [AnyView(label())]) }
    public init<Value: BinaryFloatingPoint, Content: View, Current: View>(value: Value, in bounds: ClosedRange<Value> = 0...1, @ViewBuilder label: () -> Content, @ViewBuilder currentValueLabel: () -> Current) { self.init(fraction: bounds.fraction(of: value), parts: [AnyView(label()), AnyView(currentValueLabel())]) }
    public init<Value: BinaryFloatingPoint, Content: View, Current: View, Least: View, Most: View>(value: Value, in bounds: ClosedRange<Value> = 0...1, @ViewBuilder label: () -> Content, @ViewBuilder currentValueLabel: () -> Current, @ViewBuilder minimumValueLabel: () -> Least, @ViewBuilder maximumValueLabel: () -> Most) { self.init(fraction: bounds.fraction(of: value), parts: [ AnyView(label()), AnyView(currentValueLabel()), AnyView(minimumValueLabel()), AnyView(maximumValueLabel())]) }
}
/// Here nothing taps it.
public struct Button<Label: View>: ContentView {
    internal let label: Label
    internal let role: ButtonRole?
    init(label: Label, role: ButtonRole?) {
        self.label = label
        self.role = role
    }
    public var viewContent: ViewContent { EnvironmentValues.now.buttonStyle.map { .noted($0(ButtonStyleConfiguration(role: role, label: AnyView(label), isPressed: false)), ViewNote("button", value: .text("own"))) } ?? .noted(label.viewContent, ViewNote("button", value: NoteValue(role?.name))) }
}
extension Button {
    public init(role: ButtonRole? = nil, action: @escaping () -> Void, @ViewBuilder label: () -> Label) { self.init(label: label(), role: role) }
    public init(role: ButtonRole? = nil, intent: some AppIntent, @ViewBuilder label: () -> Label) { self.init(label: label(), role: role) }
}
extension Button where Label == Text {
    public init(_ title: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping () -> Void) { self.init(label: Text(title), role: role) }
    @_disfavoredOverload public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping () -> Void) { self.init(label: Text(title), role: role) }
    public init(_ title: LocalizedStringKey, role: ButtonRole? = nil, intent: some AppIntent) { self.init(label: Text(title), role: role) }
    @_disfavoredOverload public init(_ title: some StringProtocol, role: ButtonRole? = nil, intent: some AppIntent) { self.init(label: Text(title), role: role) }
}
extension Button where Label == WidgetViews.Label<Text, Image> {
    public init(_ title: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil, intent: some AppIntent) { self.init(label: WidgetViews.Label(title, systemImage: systemImage), role: role) }
    public init(_ title: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil, action: @escaping () -> Void) { self.init(label: WidgetViews.Label(title, systemImage: systemImage), role: role) }
}
public struct ButtonBorderShape: Hashable, Sendable {
    internal let name: String
    public static let automatic = ButtonBorderShape(name: "automatic")
    public static let capsule = ButtonBorderShape(name: "capsule")
    public static let circle = ButtonBorderShape(name: "circle")
    public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape { ButtonBorderShape(name: "roundedRectangle(radius: CGFloat)") }
}
/// How a button of an app looks.
public protocol ButtonStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}
public struct ButtonStyleConfiguration {
    public let role: ButtonRole?
    public let label: AnyView
    public let isPressed: Bool
}
/// How a button looks and works.
public protocol PrimitiveButtonStyle {}
public struct DefaultButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}
public struct BorderedButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "bordered" }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "borderedProminent" }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
public struct BorderlessButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "borderless" }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
public struct PlainButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "plain" }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
public struct GlassButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "glass" }
}
extension PrimitiveButtonStyle where Self == GlassButtonStyle {
    public static var glass: GlassButtonStyle { GlassButtonStyle() }
}
public struct GlassProminentButtonStyle: PrimitiveButtonStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "glassProminent" }
}
extension PrimitiveButtonStyle where Self == GlassProminentButtonStyle {
    public static var glassProminent: GlassProminentButtonStyle { GlassProminentButtonStyle() }
}
/// How a list looks.
public protocol ListStyle {}
public struct DefaultListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
}
extension ListStyle where Self == DefaultListStyle {
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}
public struct InsetListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "inset" }
}
extension ListStyle where Self == InsetListStyle {
    public static var inset: InsetListStyle { InsetListStyle() }
}
public struct GroupedListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "grouped" }
}
extension ListStyle where Self == GroupedListStyle {
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}
public struct InsetGroupedListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "insetGrouped" }
}
extension ListStyle where Self == InsetGroupedListStyle {
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}
public struct SidebarListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "sidebar" }
}
extension ListStyle where Self == SidebarListStyle {
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}
public struct PlainListStyle: ListStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "plain" }
}
extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}
/// How a label looks.
public protocol LabelStyle {
    associatedtype Body: View
    typealias Configuration = LabelStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}
public struct LabelStyleConfiguration {
    public let title: AnyView
    public let icon: AnyView
}
public struct DefaultLabelStyle: LabelStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension LabelStyle where Self == DefaultLabelStyle {
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}
public struct IconOnlyLabelStyle: LabelStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "iconOnly" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
public struct TitleOnlyLabelStyle: LabelStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "titleOnly" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension LabelStyle where Self == TitleOnlyLabelStyle {
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}
public struct TitleAndIconLabelStyle: LabelStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "titleAndIcon" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension LabelStyle where Self == TitleAndIconLabelStyle {
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
/// How a switch looks.
public protocol ToggleStyle {
    associatedtype Body: View
    typealias Configuration = ToggleStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}
public struct ToggleStyleConfiguration {
    public let isOn: Bool
    public let label: AnyView
}
public struct DefaultToggleStyle: ToggleStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ToggleStyle where Self == DefaultToggleStyle {
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}
public struct SwitchToggleStyle: ToggleStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "switch" }
    public init(tint: Color) {}
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ToggleStyle where Self == SwitchToggleStyle {
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
public struct ButtonToggleStyle: ToggleStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "button" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ToggleStyle where Self == ButtonToggleStyle {
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
/// How a progress looks.
public protocol ProgressViewStyle {
    associatedtype Body: View
    typealias Configuration = ProgressViewStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}
public struct ProgressViewStyleConfiguration {
    public let fractionCompleted: Double?
    public let label: AnyView?
    public let currentValueLabel: AnyView?
}
public struct DefaultProgressViewStyle: ProgressViewStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}
public struct LinearProgressViewStyle: ProgressViewStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "linear" }
    public init(tint: Color) {}
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
public struct CircularProgressViewStyle: ProgressViewStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "circular" }
    public init(tint: Color) {}
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}
/// How a gauge looks.
public protocol GaugeStyle {
    associatedtype Body: View
    typealias Configuration = GaugeStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}
public struct GaugeStyleConfiguration {
    public let value: Double
    public let label: AnyView
    public let currentValueLabel: AnyView?
    public let minimumValueLabel: AnyView?
    public let maximumValueLabel: AnyView?
}
public struct DefaultGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "automatic" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == DefaultGaugeStyle {
    public static var automatic: DefaultGaugeStyle { DefaultGaugeStyle() }
}
public struct AccessoryCircularGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "accessoryCircular" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    public static var accessoryCircular: AccessoryCircularGaugeStyle { AccessoryCircularGaugeStyle() }
}
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "accessoryCircularCapacity" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    public static var accessoryCircularCapacity: AccessoryCircularCapacityGaugeStyle { AccessoryCircularCapacityGaugeStyle() }
}
public struct AccessoryLinearGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "accessoryLinear" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    public static var accessoryLinear: AccessoryLinearGaugeStyle { AccessoryLinearGaugeStyle() }
}
public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "accessoryLinearCapacity" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    public static var accessoryLinearCapacity: AccessoryLinearCapacityGaugeStyle { AccessoryLinearCapacityGaugeStyle() }
}
public struct LinearCapacityGaugeStyle: GaugeStyle, NamedStyle {
    public init() {}
    internal var styleName: String { "linearCapacity" }
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}
extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    public static var linearCapacity: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
}
extension TimelineView.Context {
    public enum Cadence: Comparable, Sendable {
        case live, seconds, minutes
    }
}
/// When a `TimelineView` is made again, which it is not here.
public struct PeriodicTimelineSchedule: Sendable {
    public static func periodic(from start: Date, by interval: TimeInterval) -> Self { Self() }
    public static var everyMinute: Self { Self() }
    public static var animation: Self { Self() }
}
extension EnvironmentValues {
    public var colorScheme: ColorScheme {
        get { value(\.colorScheme, or: .light) }
        set { set(\.colorScheme, to: newValue) }
    }
    public package(set) var colorSchemeContrast: ColorSchemeContrast {
        get { value(\.colorSchemeContrast, or: .standard) }
        set { set(\.colorSchemeContrast, to: newValue) }
    }
    public var sizeCategory: ContentSizeCategory {
        get { value(\.sizeCategory, or: .large) }
        set { set(\.sizeCategory, to: newValue) }
    }
    public var dynamicTypeSize: DynamicTypeSize {
        get { value(\.dynamicTypeSize, or: .large) }
        set { set(\.dynamicTypeSize, to: newValue) }
    }
    public var layoutDirection: LayoutDirection {
        get { value(\.layoutDirection, or: .leftToRight) }
        set { set(\.layoutDirection, to: newValue) }
    }
    public var redactionReasons: RedactionReasons {
        get { value(\.redactionReasons, or: []) }
        set { set(\.redactionReasons, to: newValue) }
    }
    public var locale: Locale {
        get { value(\.locale, or: .current) }
        set { set(\.locale, to: newValue) }
    }
    public var calendar: Calendar {
        get { value(\.calendar, or: .current) }
        set { set(\.calendar, to: newValue) }
    }
    public var timeZone: TimeZone {
        get { value(\.timeZone, or: .current) }
        set { set(\.timeZone, to: newValue) }
    }
    /// Pixels for each point.
    public var displayScale: CGFloat {
        get { value(\.displayScale, or: 3) }
        set { set(\.displayScale, to: newValue) }
    }
    /// The size of a pixel, in points.
    public package(set) var pixelLength: CGFloat {
        get { value(\.pixelLength, or: 1 / 3) }
        set { set(\.pixelLength, to: newValue) }
    }
    public var font: Font? {
        get { value(\.font, or: nil) }
        set { set(\.font, to: newValue) }
    }
    public var lineLimit: Int? {
        get { value(\.lineLimit, or: nil) }
        set { set(\.lineLimit, to: newValue) }
    }
    public var isEnabled: Bool {
        get { value(\.isEnabled, or: true) }
        set { set(\.isEnabled, to: newValue) }
    }
    public var scenePhase: ScenePhase {
        get { value(\.scenePhase, or: .active) }
        set { set(\.scenePhase, to: newValue) }
    }
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { value(\.horizontalSizeClass, or: .compact) }
        set { set(\.horizontalSizeClass, to: newValue) }
    }
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { value(\.verticalSizeClass, or: .regular) }
        set { set(\.verticalSizeClass, to: newValue) }
    }
    public package(set) var accessibilityReduceMotion: Bool {
        get { value(\.accessibilityReduceMotion, or: false) }
        set { set(\.accessibilityReduceMotion, to: newValue) }
    }
    public package(set) var accessibilityReduceTransparency: Bool {
        get { value(\.accessibilityReduceTransparency, or: false) }
        set { set(\.accessibilityReduceTransparency, to: newValue) }
    }
    public package(set) var accessibilityDifferentiateWithoutColor: Bool {
        get { value(\.accessibilityDifferentiateWithoutColor, or: false) }
        set { set(\.accessibilityDifferentiateWithoutColor, to: newValue) }
    }
    public var legibilityWeight: LegibilityWeight? {
        get { value(\.legibilityWeight, or: nil) }
        set { set(\.legibilityWeight, to: newValue) }
    }
    public var isLuminanceReduced: Bool {
        get { value(\.isLuminanceReduced, or: false) }
        set { set(\.isLuminanceReduced, to: newValue) }
    }
    public var multilineTextAlignment: TextAlignment {
        get { value(\.multilineTextAlignment, or: .leading) }
        set { set(\.multilineTextAlignment, to: newValue) }
    }
    public var minimumScaleFactor: CGFloat {
        get { value(\.minimumScaleFactor, or: 1) }
        set { set(\.minimumScaleFactor, to: newValue) }
    }
    public var imageScale: Image.Scale {
        get { value(\.imageScale, or: .medium) }
        set { set(\.imageScale, to: newValue) }
    }
    public var controlSize: ControlSize {
        get { value(\.controlSize, or: .regular) }
        set { set(\.controlSize, to: newValue) }
    }
    public var backgroundStyle: AnyShapeStyle? {
        get { value(\.backgroundStyle, or: nil) }
        set { set(\.backgroundStyle, to: newValue) }
    }
    public var openURL: OpenURLAction {
        get { value(\.openURL, or: OpenURLAction()) }
        set { set(\.openURL, to: newValue) }
    }
    package var buttonStyle: ((ButtonStyleConfiguration) -> ViewContent)? {
        get { value(\.buttonStyle, or: nil) }
        set { set(\.buttonStyle, to: newValue) }
    }
    package var labelStyle: ((LabelStyleConfiguration) -> ViewContent)? {
        get { value(\.labelStyle, or: nil) }
        set { set(\.labelStyle, to: newValue) }
    }
    package var toggleStyle: ((ToggleStyleConfiguration) -> ViewContent)? {
        get { value(\.toggleStyle, or: nil) }
        set { set(\.toggleStyle, to: newValue) }
    }
    package var progressViewStyle: ((ProgressViewStyleConfiguration) -> ViewContent)? {
        get { value(\.progressViewStyle, or: nil) }
        set { set(\.progressViewStyle, to: newValue) }
    }
    package var gaugeStyle: ((GaugeStyleConfiguration) -> ViewContent)? {
        get { value(\.gaugeStyle, or: nil) }
        set { set(\.gaugeStyle, to: newValue) }
    }
    /// The size of the widget, in points.
    package var displaySize: CGSize {
        get { value(\.displaySize, or: CGSize(width: 158, height: 158)) }
        set { set(\.displaySize, to: newValue) }
    }
    /// That of an accessory is not displayed.
    public package(set) var showsWidgetContainerBackground: Bool {
        get { value(\.showsWidgetContainerBackground, or: true) }
        set { set(\.showsWidgetContainerBackground, to: newValue) }
    }
}
/// Opens an address; nothing is opened here.
public struct OpenURLAction: Sendable {
    public func callAsFunction(_ url: URL) {}
}
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}
@propertyWrapper public struct Environment<Value> {
    private let read: () -> Value
    public init(_ path: KeyPath<EnvironmentValues, Value>) { read = { EnvironmentValues.now[keyPath: path] } }
    public init(_ type: Value.Type) where Value: AnyObject { read = { EnvironmentValues.now.required(type) } }
    public init<Object: AnyObject>(_ type: Object.Type) where Value == Object? { read = { EnvironmentValues.now[object: type] } }
    public var wrappedValue: Value { read() }
}
public protocol ObservableObject: AnyObject {}
@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
    public init(initialValue: Value) { wrappedValue = initialValue }
}
@propertyWrapper public struct StateObject<ObjectType: ObservableObject> {
    public let wrappedValue: ObjectType
    public init(wrappedValue: @autoclosure @escaping () -> ObjectType) { self.wrappedValue = wrappedValue() }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject(wrappedValue: wrappedValue).projectedValue }
}
@propertyWrapper public struct ObservedObject<ObjectType: ObservableObject> {
    public let wrappedValue: ObjectType
    public init(wrappedValue: ObjectType) {
        self.wrappedValue = wrappedValue
    }
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}
extension ObservedObject {
    @dynamicMemberLookup public struct Wrapper {
        internal let object: ObjectType
        init(object: ObjectType) {
            self.object = object
        }
        public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<ObjectType, Value>) -> Binding<Value> { Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 }) }
    }
}
@propertyWrapper public struct EnvironmentObject<ObjectType: ObservableObject> {
    public init() {}
    public var wrappedValue: ObjectType { EnvironmentValues.now.required(ObjectType.self) }
}
/// A number that grows with the text; here it does not.
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint> {
    public let wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(wrappedValue: Value, relativeTo style: Font.TextStyle) { self.wrappedValue = wrappedValue }
}
/// An identity that views share.
@propertyWrapper public struct Namespace: Sendable {
    public init() {}
    public var wrappedValue: ID { ID() }
}
extension Namespace {
    public struct ID: Hashable, Sendable {}
}
public struct Preview {}
extension Preview {
    public enum ViewTraits {}
}
public protocol PreviewContext {}
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral name: String) { rawValue = name }
}
public enum PreviewLayout: Sendable {
    case device, sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}
public struct PreviewTrait<T>: Sendable {}
extension PreviewTrait where T == Preview.ViewTraits {
    public static var sizeThatFitsLayout: PreviewTrait<Preview.ViewTraits> { PreviewTrait<Preview.ViewTraits>() }
    public static var defaultLayout: PreviewTrait<Preview.ViewTraits> { PreviewTrait<Preview.ViewTraits>() }
    public static var portrait: PreviewTrait<Preview.ViewTraits> { PreviewTrait<Preview.ViewTraits>() }
    public static var landscapeLeft: PreviewTrait<Preview.ViewTraits> { PreviewTrait<Preview.ViewTraits>() }
    public static var landscapeRight: PreviewTrait<Preview.ViewTraits> { PreviewTrait<Preview.ViewTraits>() }
    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait<T> { PreviewTrait<T>() }
}
/// A colour of UIKit; its name is known.
public final class UIColor: Hashable, Sendable {
    internal let name: String
    init(text name: String) {
        self.name = name
    }
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(Color(description: name).opaque.opacity(alpha)) }
    public static func == (left: UIColor, right: UIColor) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public convenience init?(named name: String) { self.init(Color(name)) }
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: Any?) { self.init(Color(name)) }
    public convenience init(resource: ColorResource) { self.init(Color(resource)) }
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { self.init(Color(red: red, green: green, blue: blue, opacity: alpha)) }
    public convenience init(white: CGFloat, alpha: CGFloat) { self.init(red: white, green: white, blue: white, alpha: alpha) }
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) { self.init(Color(hue: hue, saturation: saturation, brightness: brightness, opacity: alpha)) }
    public convenience init(_ color: Color) { self.init(text: color.description) }
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) { self.init(text: Color.scheme([.light, .dark].map { dynamicProvider(UITraitCollection(style: $0)).name })) }
    public static let systemRed = UIColor(text: "systemRed")
    public static let systemOrange = UIColor(text: "systemOrange")
    public static let systemYellow = UIColor(text: "systemYellow")
    public static let systemGreen = UIColor(text: "systemGreen")
    public static let systemMint = UIColor(text: "systemMint")
    public static let systemTeal = UIColor(text: "systemTeal")
    public static let systemCyan = UIColor(text: "systemCyan")
    public static let systemBlue = UIColor(text: "systemBlue")
    public static let systemIndigo = UIColor(text: "systemIndigo")
    public static let systemPurple = UIColor(text: "systemPurple")
    public static let systemPink = UIColor(text: "systemPink")
    public static let systemBrown = UIColor(text: "systemBrown")
    public static let systemGray = UIColor(text: "systemGray")
    public static let systemGray2 = UIColor(text: "systemGray2")
    public static let systemGray3 = UIColor(text: "systemGray3")
    public static let systemGray4 = UIColor(text: "systemGray4")
    public static let systemGray5 = UIColor(text: "systemGray5")
    public static let systemGray6 = UIColor(text: "systemGray6")
    public static let systemBackground = UIColor(text: "systemBackground")
    public static let secondarySystemBackground = UIColor(text: "secondarySystemBackground")
    public static let tertiarySystemBackground = UIColor(text: "tertiarySystemBackground")
    public static let systemGroupedBackground = UIColor(text: "systemGroupedBackground")
    public static let secondarySystemGroupedBackground = UIColor(text: "secondarySystemGroupedBackground")
    public static let tertiarySystemGroupedBackground = UIColor(text: "tertiarySystemGroupedBackground")
    public static let label = UIColor(text: "label")
    public static let secondaryLabel = UIColor(text: "secondaryLabel")
    public static let tertiaryLabel = UIColor(text: "tertiaryLabel")
    public static let quaternaryLabel = UIColor(text: "quaternaryLabel")
    public static let placeholderText = UIColor(text: "placeholderText")
    public static let separator = UIColor(text: "separator")
    public static let opaqueSeparator = UIColor(text: "opaqueSeparator")
    public static let link = UIColor(text: "link")
    public static let systemFill = UIColor(text: "systemFill")
    public static let secondarySystemFill = UIColor(text: "secondarySystemFill")
    public static let tertiarySystemFill = UIColor(text: "tertiarySystemFill")
    public static let quaternarySystemFill = UIColor(text: "quaternarySystemFill")
    public static let tintColor = UIColor(text: "tintColor")
    public static let black = UIColor(text: "black")
    public static let white = UIColor(text: "white")
    public static let gray = UIColor(text: "gray")
    public static let darkGray = UIColor(text: "darkGray")
    public static let lightGray = UIColor(text: "lightGray")
    public static let red = UIColor(text: "red")
    public static let green = UIColor(text: "green")
    public static let blue = UIColor(text: "blue")
    public static let cyan = UIColor(text: "cyan")
    public static let yellow = UIColor(text: "yellow")
    public static let magenta = UIColor(text: "magenta")
    public static let orange = UIColor(text: "orange")
    public static let purple = UIColor(text: "purple")
    public static let brown = UIColor(text: "brown")
    public static let clear = UIColor(text: "clear")
}
/// A font of UIKit; its name is known.
public final class UIFont: Sendable {
    public let fontName: String
    public let pointSize: CGFloat
    public init?(name: String, size: CGFloat) { (fontName, pointSize) = (name, size) }
    internal init(system size: CGFloat) { (fontName, pointSize) = ("system", size) }
    public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
    public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(system: size) }
    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
    public static func monospacedDigitSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(system: size) }
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(system: 17) }
    public func withSize(_ size: CGFloat) -> UIFont { UIFont(system: size) }
    public var lineHeight: CGFloat { pointSize * 1.2 }
}
extension UIFont {
    public struct Weight: Hashable, Sendable {
        internal let name: String
        public static let light = Weight(name: "light")
        public static let regular = Weight(name: "regular")
        public static let medium = Weight(name: "medium")
        public static let semibold = Weight(name: "semibold")
        public static let bold = Weight(name: "bold")
        public static let heavy = Weight(name: "heavy")
    }
}
extension UIFont {
    public struct TextStyle: Hashable, Sendable {
        internal let name: String
        public static let largeTitle = TextStyle(name: "largeTitle")
        public static let title1 = TextStyle(name: "title1")
        public static let title2 = TextStyle(name: "title2")
        public static let title3 = TextStyle(name: "title3")
        public static let headline = TextStyle(name: "headline")
        public static let subheadline = TextStyle(name: "subheadline")
        public static let body = TextStyle(name: "body")
        public static let callout = TextStyle(name: "callout")
        public static let footnote = TextStyle(name: "footnote")
        public static let caption1 = TextStyle(name: "caption1")
        public static let caption2 = TextStyle(name: "caption2")
    }
}
/// How fonts grow with the size that a person has chosen; here they do not.
public final class UIFontMetrics: Sendable {
    public static let `default` = UIFontMetrics(forTextStyle: .body)
    public init(forTextStyle style: UIFont.TextStyle) {}
    public func scaledValue(for value: CGFloat) -> CGFloat { value }
    public func scaledFont(for font: UIFont) -> UIFont { font }
}
extension UIImage {
    /// Not known.
    public var size: CGSize { .zero }
    public var scale: CGFloat { 1 }
    public convenience init() { self.init(name: "") }
    public convenience init?(named name: String) { self.init(name: name) }
    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Any?) { self.init(name: name) }
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: Any?) { self.init(name: name) }
    public convenience init(resource: ImageResource) { self.init(name: resource.name) }
    public convenience init?(systemName name: String) { self.init(name: name, isSymbol: true) }
    public convenience init?(data: Data, scale: CGFloat) { self.init(data: data) }
    public func pngData() -> Data? { nil }
    public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
    public func preparingThumbnail(of size: CGSize) -> UIImage? { self }
    public func withTintColor(_ color: UIColor) -> UIImage { self }
    public func withRenderingMode(_ mode: RenderingMode) -> UIImage { self }
}
extension UIImage {
    public enum RenderingMode: Sendable {
        case automatic, alwaysOriginal, alwaysTemplate
    }
}
/// The device; here it is a telephone.
public final class UIDevice: Sendable {
    public static let current = UIDevice()
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    public var systemName: String { "Linux" }
    /// Not known.
    public var systemVersion: String { "" }
}
/// That of a telephone of 390 × 844 points, for which widgets have their sizes here.
public final class UIScreen: Sendable {
    public static let main = UIScreen()
    /// In points.
    public var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// Pixels for each point.
    public var scale: CGFloat { 3 }
}
/// What a view's environment is like.
public final class UITraitCollection: Sendable {
    internal let style: UIUserInterfaceStyle
    init(style: UIUserInterfaceStyle) {
        self.style = style
    }
    public static var current: UITraitCollection { UITraitCollection(style: EnvironmentValues.now.colorScheme == .dark ? .dark : .light) }
    public var userInterfaceStyle: UIUserInterfaceStyle { style }
    /// Pixels for each point.
    public var displayScale: CGFloat { 3 }
}
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1, phone, pad, tv, carPlay, mac = 5, vision
}
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified, light, dark
}
