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
}

/// A shape that can be made smaller.
public protocol InsettableShape: Shape {}

/// A shape that is filled or outlined.
public struct FilledShape: ContentView {
    let color: Color

    /// An area of the colour.
    public var viewContent: ViewContent { .color(color) }
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
