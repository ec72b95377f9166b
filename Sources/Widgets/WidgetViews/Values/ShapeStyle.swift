/// What an area or a text is filled with.
///
/// Source: <https://developer.apple.com/documentation/swiftui/shapestyle>.
public protocol ShapeStyle: Sendable {}

extension ShapeStyle {
    /// The style with another opacity, from 0 to 1.
    public func opacity(_ opacity: Double) -> some ShapeStyle {
        (self as? Color)?.opacity(opacity) ?? Color.primary.opacity(opacity)
    }

    /// The colour that is drawn for the style.
    var drawnColor: Color? {
        switch self {
        case let color as Color: color
        case let style as AnyShapeStyle: style.color
        case let style as HierarchicalShapeStyle: style.color
        default: nil
        }
    }

    /// The second level of the style.
    public var secondary: some ShapeStyle { HierarchicalShapeStyle(level: 2) }
    /// The third level of the style.
    public var tertiary: some ShapeStyle { HierarchicalShapeStyle(level: 3) }
    /// The fourth level of the style.
    public var quaternary: some ShapeStyle { HierarchicalShapeStyle(level: 4) }
    /// The fifth level of the style.
    public var quinary: some ShapeStyle { HierarchicalShapeStyle(level: 5) }

    /// The style with a shadow, which is not drawn.
    public func shadow(_ style: ShadowStyle) -> some ShapeStyle { self }

    /// The style, blended.
    public func blendMode(_ mode: BlendMode) -> some ShapeStyle { self }
}

/// A shadow of a style.
public struct ShadowStyle: Sendable {
    /// A shadow that falls on what is below.
    public static func drop(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> ShadowStyle { ShadowStyle() }

    /// A shadow on the shape itself.
    public static func inner(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> ShadowStyle { ShadowStyle() }
}

/// A style of any type.
public struct AnyShapeStyle: ShapeStyle {
    let color: Color?

    /// Wraps a style.
    public init(_ style: some ShapeStyle) {
        color = style.drawnColor
    }
}

/// A level of the foreground, from the most to the least important.
public struct HierarchicalShapeStyle: ShapeStyle {
    let level: Int

    var color: Color? { level == 1 ? .primary : .secondary }

    /// The first level.
    public static let primary = HierarchicalShapeStyle(level: 1)
    /// The second level.
    public static let secondary = HierarchicalShapeStyle(level: 2)
    /// The third level.
    public static let tertiary = HierarchicalShapeStyle(level: 3)
    /// The fourth level.
    public static let quaternary = HierarchicalShapeStyle(level: 4)
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The first level.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 1) }
    /// The second level.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 2) }
    /// The third level.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 3) }
    /// The fourth level.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 4) }
    /// The fifth level.
    public static var quinary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 5) }
}

/// A style that the environment determines.
public struct ContextualStyle: ShapeStyle {}

extension ShapeStyle where Self == ContextualStyle {
    /// The colour of the environment's background.
    public static var background: ContextualStyle { ContextualStyle() }
    /// The colour of the environment's foreground.
    public static var foreground: ContextualStyle { ContextualStyle() }
    /// The colour of fills.
    public static var fill: ContextualStyle { ContextualStyle() }
    /// The tint of the environment.
    public static var tint: ContextualStyle { ContextualStyle() }
    /// The colour of selected elements.
    public static var selection: ContextualStyle { ContextualStyle() }
    /// The colour of lines between views.
    public static var separator: ContextualStyle { ContextualStyle() }
    /// The colour of links.
    public static var link: ContextualStyle { ContextualStyle() }
    /// The colour of placeholders.
    public static var placeholder: ContextualStyle { ContextualStyle() }
    /// The colour of the background of windows.
    public static var windowBackground: ContextualStyle { ContextualStyle() }
}

/// A blurred background.
public struct Material: ShapeStyle {
    /// The thinnest material.
    public static let ultraThin = Material()
    /// A thin material.
    public static let thin = Material()
    /// The usual material.
    public static let regular = Material()
    /// A thick material.
    public static let thick = Material()
    /// The thickest material.
    public static let ultraThick = Material()
    /// The material of bars.
    public static let bar = Material()
}

extension ShapeStyle where Self == Material {
    /// The thinnest material.
    public static var ultraThinMaterial: Material { Material() }
    /// A thin material.
    public static var thinMaterial: Material { Material() }
    /// The usual material.
    public static var regularMaterial: Material { Material() }
    /// A thick material.
    public static var thickMaterial: Material { Material() }
    /// The thickest material.
    public static var ultraThickMaterial: Material { Material() }
    /// The material of bars.
    public static var bar: Material { Material() }
}
