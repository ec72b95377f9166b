/// The plot as a picture of its own.
extension Chart {
    private static var width: Int { 900 }
    private static var height: Int { 400 }
    /// The area between the axes, in tenths of a pixel.
    private static var left: Int { 840 }
    private static var right: Int { 8_840 }
    private static var top: Int { 960 }
    private static var base: Int { 3_520 }

    /// The plot as an SVG file with both colour schemes. Its curves are lines.
    package var picture: String {
        var canvas = SVGCanvas(width: Self.width, height: Self.height)
        canvas.label(title, x: Self.left, y: 300, color: .ink, size: 150)
        drawAxes(&canvas)
        for (index, curve) in curves.enumerated() {
            // The legend has two columns.
            canvas.label(
                curve.label,
                x: Self.left + index % 2 * (Self.right - Self.left) / 2,
                y: 540 + index / 2 * 180,
                color: curve.color
            )
            let dash = curve.dash.map { 10 * $0 }
            canvas.line(places(of: curve), color: curve.color, width: 15, dash: dash)
        }
        return canvas.file
    }

    private func across(_ value: Double) -> Int {
        Self.left + x.position(value, length: Self.right - Self.left)
    }

    private func up(_ value: Double) -> Int {
        Self.base - y.position(value, length: Self.base - Self.top)
    }

    /// The corners of a curve.
    private func places(of curve: Curve) -> [(x: Int, y: Int)] {
        var places: [(x: Int, y: Int)] = []
        for point in curve.points {
            let place = (x: across(point[0] ?? .nan), y: up(point[1] ?? .nan))
            if curve.isStepped, let last = places.last { places.append((place.x, last.y)) }
            places.append(place)
        }
        return places
    }

    private func drawAxes(_ canvas: inout SVGCanvas) {
        for mark in y.marks {
            let y = up(mark.value)
            canvas.line([(Self.left, y), (Self.right, y)], color: .grid)
            canvas.label(mark.text, x: Self.left - 80, y: y + 40, anchor: .end, color: .faint)
        }
        for mark in x.marks {
            let x = across(mark.value)
            canvas.line([(x, Self.base), (x, Self.base + 40)], color: .faint)
            canvas.label(mark.text, x: x, y: Self.base + 180, anchor: .middle, color: .faint)
        }
        canvas.line([(Self.left, Self.base), (Self.right, Self.base)], color: .faint)
        let middle = (x: (Self.left + Self.right) / 2, y: (Self.top + Self.base) / 2)
        canvas.label(x.title, x: middle.x, y: Self.base + 400, anchor: .middle, color: .faint)
        canvas.label(y.title, x: 160, y: middle.y, anchor: .middle, color: .faint, isVertical: true)
    }
}
