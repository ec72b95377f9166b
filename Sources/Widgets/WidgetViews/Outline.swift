package import Foundation

/// The outline of an area, which depends on the room that the area has.
public struct Outline: Equatable, Sendable {
    /// The path in a rectangle.
    package private(set) var path: Later<CGRect, Path>
    /// Whether its corners are those of the container, as far inside as the area is.
    package var isOfContainer = false
    /// The line along it; nil if the area is filled.
    package var line: StrokeStyle?
    /// Whether what is inside twice is outside.
    package var isEvenOdd = false

    /// An outline that is the path of a shape.
    package init(_ path: @escaping (CGRect) -> Path) {
        self.path = Later(usual: Self.usual, make: path)
    }

    private static let usual = CGRect(x: 0, y: 0, width: 100, height: 100)

    /// The whole area.
    package static let rectangle = Outline { Path($0) }

    /// The outline with another path.
    func changed(_ change: @escaping (Path, CGRect) -> Path) -> Outline {
        var outline = Outline { [path] in change(path.value(in: $0), $0) }
        (outline.line, outline.isEvenOdd) = (line, isEvenOdd)
        return outline
    }

    /// The outline in an area that is smaller at each side.
    func within(_ amount: CGFloat) -> Outline {
        var outline = self
        outline.path = Later(usual: Self.usual) { [path] in path.value(in: $0.smaller(amount)) }
        return outline
    }
}

extension Shape {
    var outline: Outline {
        if let shape = self as? AnyShape { return shape.ownOutline }
        var outline = Outline { path(in: $0) }
        outline.isOfContainer = self is ContainerRelativeShape
        return outline
    }

    /// The shape with a changed path.
    func changed(_ change: @escaping (Path, CGRect) -> Path) -> AnyShape {
        AnyShape(ownOutline: outline.changed(change))
    }

    /// The shape transformed around a place of its area.
    func transformed(
        _ anchor: UnitPoint,
        by make: @escaping () -> CGAffineTransform
    ) -> AnyShape {
        changed { path, rect in path.applying(make().around(rect.point(anchor))) }
    }

    /// The shape in an area that is smaller at each side.
    func within(_ amount: CGFloat) -> AnyShape { AnyShape(ownOutline: outline.within(amount)) }

    func lined(_ line: StrokeStyle) -> AnyShape {
        var outline = outline
        outline.line = line
        return AnyShape(ownOutline: outline)
    }

    func painted(_ style: some ShapeStyle, line: StrokeStyle? = nil) -> FilledShape {
        FilledShape(outline: outline, areas: []).painted(style, line: line)
    }

    func filled(_ style: some ShapeStyle, isEvenOdd: Bool) -> FilledShape {
        var outline = outline
        outline.isEvenOdd = isEvenOdd
        return FilledShape(outline: outline, areas: []).painted(style)
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

extension FilledShape {
    /// The shape with a line in front, which is within the area.
    func bordered(_ style: some ShapeStyle, line: StrokeStyle) -> FilledShape {
        let border = AnyShape(ownOutline: outline).bordered(line).ownOutline
        return FilledShape(outline: outline, areas: areas + [.area(border, style.paint)])
    }
}

extension InsettableShape {
    /// The shape so far inside that a line along its outline is within the area.
    func bordered(_ line: StrokeStyle) -> AnyShape { inset(by: line.lineWidth / 2).lined(line) }
}
