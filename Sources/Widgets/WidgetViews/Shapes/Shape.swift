public import Foundation

/// An area with an outline; its colour is drawn, and not its outline.
///
/// Source: <https://developer.apple.com/documentation/swiftui/shape>.
public protocol Shape: View, Sendable {
    /// The outline in an area.
    func path(in rect: CGRect) -> Path
}

extension Shape {
    // swift-format-ignore: OmitExplicitReturns
    /// Traps: a shape has no body.
    public var body: Never { return fatalError("the shape has no body") }
    /// The area in the colour of the environment's foreground.
    public var viewContent: ViewContent { .color(.primary) }
    /// An empty outline.
    public func path(in rect: CGRect) -> Path { Path() }

    /// Fills the area.
    public func fill(
        _ style: some ShapeStyle,
        style fillStyle: FillStyle = FillStyle()
    ) -> FilledShape { FilledShape(color: style.drawnColor ?? .primary) }

    /// Fills the area with the colour of the foreground.
    public func fill(style: FillStyle = FillStyle()) -> FilledShape {
        FilledShape(color: .primary)
    }

    /// Draws the outline.
    public func stroke(
        _ style: some ShapeStyle,
        lineWidth: CGFloat = 1,
        antialiased: Bool = true
    ) -> FilledShape { FilledShape(color: .clear) }

    /// Draws the outline.
    public func stroke(_ style: some ShapeStyle, style line: StrokeStyle) -> FilledShape {
        FilledShape(color: .clear)
    }

    /// Draws the outline.
    public func stroke(lineWidth: CGFloat = 1) -> some Shape { AnyShape(self) }

    /// Draws the outline.
    public func stroke(style: StrokeStyle) -> some Shape { AnyShape(self) }

    /// A part of the outline.
    public func trim(from start: CGFloat = 0, to end: CGFloat = 1) -> some Shape { AnyShape(self) }

    /// The shape, turned.
    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        AnyShape(self)
    }

    /// The shape in another size.
    public func size(width: CGFloat, height: CGFloat) -> some Shape { AnyShape(self) }
}

/// A shape of any type.
public struct AnyShape: InsettableShape {
    /// Wraps a shape.
    public init(_ shape: some Shape) {}
}

/// A shape that can be made smaller.
public protocol InsettableShape: Shape {}

extension InsettableShape {
    /// The shape, smaller.
    public func inset(by amount: CGFloat) -> some InsettableShape { self }

    /// Draws the outline inside of the shape.
    public func strokeBorder(
        _ style: some ShapeStyle,
        lineWidth: CGFloat = 1,
        antialiased: Bool = true
    ) -> FilledShape { FilledShape(color: .clear) }

    /// Draws the outline inside of the shape.
    public func strokeBorder(
        _ style: some ShapeStyle,
        style line: StrokeStyle,
        antialiased: Bool = true
    ) -> FilledShape { FilledShape(color: .clear) }

    /// Draws the outline inside of the shape.
    public func strokeBorder(lineWidth: CGFloat = 1) -> FilledShape { FilledShape(color: .clear) }

    /// Draws the outline inside of the shape.
    public func strokeBorder(style: StrokeStyle) -> FilledShape { FilledShape(color: .clear) }
}

/// A shape that is filled or outlined.
public struct FilledShape: ContentView {
    let color: Color

    /// An area of the colour.
    public var viewContent: ViewContent { .color(color) }

    /// Fills the area once more.
    public func fill(
        _ style: some ShapeStyle,
        style fillStyle: FillStyle = FillStyle()
    ) -> FilledShape { self }

    /// Draws the outline.
    public func stroke(
        _ style: some ShapeStyle,
        lineWidth: CGFloat = 1,
        antialiased: Bool = true
    ) -> FilledShape { self }

    /// Draws the outline.
    public func stroke(_ style: some ShapeStyle, style line: StrokeStyle) -> FilledShape { self }

    /// Draws the outline inside of the shape.
    public func strokeBorder(
        _ style: some ShapeStyle,
        lineWidth: CGFloat = 1,
        antialiased: Bool = true
    ) -> FilledShape { self }
}

/// A rectangle.
public struct Rectangle: InsettableShape {
    /// Makes a rectangle.
    public init() {}
}

/// A circle.
public struct Circle: InsettableShape {
    /// Makes a circle.
    public init() {}
}

/// An ellipse.
public struct Ellipse: InsettableShape {
    /// Makes an ellipse.
    public init() {}
}

/// A rectangle with semicircles at two sides.
public struct Capsule: InsettableShape {
    /// Makes a capsule.
    public init(style: RoundedCornerStyle = .continuous) {}
}

/// A rectangle with round corners.
public struct RoundedRectangle: InsettableShape {
    /// Makes a rectangle with a radius.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
    /// Makes a rectangle with two radii.
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {}
}

/// A rectangle with different round corners.
public struct UnevenRoundedRectangle: InsettableShape {
    /// Makes a rectangle with a radius for each corner.
    public init(
        topLeadingRadius: CGFloat = 0,
        bottomLeadingRadius: CGFloat = 0,
        bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0,
        style: RoundedCornerStyle = .continuous
    ) {}
}

/// A shape with the corners of its container.
public struct ContainerRelativeShape: InsettableShape {
    /// Makes a shape.
    public init() {}
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == Circle {
    /// A circle.
    public static var circle: Circle { Circle() }
}

extension Shape where Self == Capsule {
    /// A capsule.
    public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == ContainerRelativeShape {
    /// A shape with the corners of its container.
    public static var containerRelative: ContainerRelativeShape { ContainerRelativeShape() }
}

extension Shape where Self == RoundedRectangle {
    /// A rectangle with round corners.
    public static func rect(
        cornerRadius: CGFloat,
        style: RoundedCornerStyle = .continuous
    ) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
}
