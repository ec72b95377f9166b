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
}
