extension Path: OutlinedShape {
    var ownOutline: Outline { Outline(kind: "points", path: commands) }

    mutating func add(_ command: String, _ numbers: CGFloat...) {
        commands += command + numbers.map { "\($0)" }.joined(separator: " ")
    }

    /// Adds a part of a circle, with a line to its beginning if the path has begun; in SwiftUI,
    /// `isClockwise` is meant in a system whose y axis goes up.
    mutating func addArc(
        _ center: CGPoint,
        _ radius: CGFloat,
        from start: Angle,
        to end: Angle,
        _ isClockwise: Bool
    ) {
        let whole = 2 * Double.pi
        var length = (end.radians - start.radians).truncatingRemainder(dividingBy: whole)
        if length == 0 && end != start { length = whole }
        if isClockwise && length > 0 { length -= whole }
        if !isClockwise && length < 0 { length += whole }
        func point(_ part: Double) -> CGPoint {
            let angle = start.radians + length * part
            return CGPoint(
                x: center.x + radius * cos(angle),
                y: center.y + radius * sin(angle)
            )
        }
        add(commands.isEmpty || commands.hasSuffix("Z") ? "M" : "L", point(0).x, point(0).y)
        // Halves, because an arc of SVG that ends where it begins is none.
        for part in [0.5, 1] {
            add("A", radius, radius, 0, 0, isClockwise ? 0 : 1, point(part).x, point(part).y)
        }
    }

    mutating func addRect(_ rect: CGRect, radius: CGFloat) {
        let (width, height) = (rect.width - 2 * radius, rect.height - 2 * radius)
        add("M", rect.minX + radius, rect.minY)
        add("h", width)
        for (x, y, dx, dy) in [
            (radius, radius, 0, height), (-radius, radius, -width, 0),
            (-radius, -radius, 0, -height), (radius, -radius, 0, 0),
        ] {
            if radius > 0 { add("a", radius, radius, 0, 0, 1, x, y) }
            add("l", dx, dy)
        }
        commands += "Z"
    }

    mutating func addEllipse(_ rect: CGRect) {
        let (x, y) = (rect.width / 2, rect.height / 2)
        add("M", rect.minX, rect.midY)
        add("a", x, y, 0, 0, 1, rect.width, 0)
        add("a", x, y, 0, 0, 1, -rect.width, 0)
        commands += "Z"
    }
}
