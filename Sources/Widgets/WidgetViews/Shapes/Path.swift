public import Foundation

/// The outline of a shape; it is not drawn.
///
/// Source: <https://developer.apple.com/documentation/swiftui/path>.
public struct Path: Shape, Equatable {
    /// Makes an empty outline.
    public init() {}
    /// Makes the outline of a rectangle.
    public init(_ rect: CGRect) {}
    /// Makes the outline of an ellipse.
    public init(ellipseIn rect: CGRect) {}
    /// Makes the outline of a rectangle with round corners.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {}

    /// Makes an outline from its parts.
    public init(_ callback: (inout Path) -> Void) {
        self.init()
        callback(&self)
    }

    /// Moves to a point.
    public mutating func move(to point: CGPoint) {}
    /// Adds a line.
    public mutating func addLine(to point: CGPoint) {}
    /// Adds lines.
    public mutating func addLines(_ points: [CGPoint]) {}
    /// Adds a curve with two control points.
    public mutating func addCurve(
        to point: CGPoint,
        control1: CGPoint,
        control2: CGPoint
    ) {}
    /// Adds a curve with one control point.
    public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {}
    /// Adds an arc.
    public mutating func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: Angle,
        endAngle: Angle,
        clockwise: Bool
    ) {}
    /// Adds a rectangle.
    public mutating func addRect(_ rect: CGRect) {}
    /// Adds a rectangle with round corners.
    public mutating func addRoundedRect(
        in rect: CGRect,
        cornerSize: CGSize,
        style: RoundedCornerStyle = .continuous
    ) {}
    /// Adds an ellipse.
    public mutating func addEllipse(in rect: CGRect) {}
    /// Adds an outline.
    public mutating func addPath(_ path: Path) {}
    /// Closes the outline.
    public mutating func closeSubpath() {}
}

/// How a line is drawn.
public struct StrokeStyle: Equatable, Sendable {
    /// How wide the line is.
    public var lineWidth: CGFloat
    /// The shape of the line's ends.
    public var lineCap: LineCap
    /// The shape of the line's corners.
    public var lineJoin: LineJoin
    /// The lengths of dashes and gaps.
    public var dash: [CGFloat]

    /// The shape of a line's ends.
    public enum LineCap: Sendable {
        case butt
        case round
        case square
    }

    /// The shape of a line's corners.
    public enum LineJoin: Sendable {
        case miter
        case round
        case bevel
    }

    /// Makes a style.
    public init(
        lineWidth: CGFloat = 1,
        lineCap: LineCap = .butt,
        lineJoin: LineJoin = .miter,
        miterLimit: CGFloat = 10,
        dash: [CGFloat] = [],
        dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.dash = dash
    }
}

/// How an area is filled.
public struct FillStyle: Equatable, Sendable {
    /// Makes a style.
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}
