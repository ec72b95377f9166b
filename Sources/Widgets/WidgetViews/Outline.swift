/// The outline of an area.
public struct Outline: Equatable, Sendable {
    /// The name of the shape; `path` for an app's own one, `points` for a path that is not scaled.
    package var kind: String
    /// The radii of the corners, from the top leading one clockwise, or one for all.
    package var radii: [CGFloat] = []
    /// The commands as SVG has them: of `path` in an area of 100 × 100, of `points` in points.
    package var path = ""
    /// The part that is drawn of the outline's length, from 0 to 1.
    package var part: ClosedRange<CGFloat> = 0...1
    /// How far it is turned clockwise, in degrees.
    package var degrees: Double = 0
    /// How far it is inside of the area.
    package var inset: CGFloat = 0
    /// The line along it; nil if the area is filled.
    package var line: StrokeStyle?
    /// Whether the line is inside of the outline, and not on it.
    package var isLineInside = false

    static let rectangle = Outline(kind: "Rectangle")

    mutating func trim(_ start: CGFloat, _ end: CGFloat) {
        // In this order: NaN is no bound then.
        let start = min(max(0, start), 1)
        part = start...min(max(start, end), 1)
    }
}

/// A shape of this module, which knows its outline.
protocol OutlinedShape {
    var ownOutline: Outline { get }
}

extension Shape {
    /// The outline: of an app's own shape, its path in an area of 100 × 100.
    var outline: Outline {
        if let outline = (self as? any OutlinedShape)?.ownOutline { return outline }
        let path = path(in: CGRect(x: 0, y: 0, width: 100, height: 100))
        return Outline(kind: "path", path: path.commands)
    }

    func changed(_ change: (inout Outline) -> Void) -> AnyShape {
        var outline = outline
        change(&outline)
        return AnyShape(ownOutline: outline)
    }

    func painted(_ style: some ShapeStyle, line: StrokeStyle? = nil) -> FilledShape {
        FilledShape(outline: outline, areas: []).painted(style, line: line)
    }
}

extension FilledShape {
    /// The shape with one more area in front, which is filled, or has a line along its outline.
    func painted(_ style: some ShapeStyle, line: StrokeStyle? = nil) -> FilledShape {
        var area = outline
        if let line { area.line = line }
        return FilledShape(outline: outline, areas: areas + [.area(area, style.paint)])
    }
}
