/// The plot as a picture of its own. All lengths but its size are in tenths of a pixel.
extension Chart {
    /// The area between the axes.
    private static var left: Int { 840 }
    private static var right: Int { 8_840 }
    private static var top: Int { 960 }
    private static var base: Int { 3_520 }

    /// The plot as an SVG file with both colour schemes. Its curves are lines.
    package var picture: String {
        let (left, right, base) = (Self.left, Self.right, Self.base)
        var elements = Self.label(
            title,
            color: .ink,
            x: left,
            y: 300,
            attributes: "font-size=\"150\""
        )
        for mark in y.marks {
            let y = up(mark.value)
            elements += Self.line([(left, y), (right, y)], color: .grid)
            elements += Self.label(mark.text, color: .faint, x: left - 80, y: y + 40, anchor: "end")
        }
        for mark in x.marks {
            let x = across(mark.value)
            elements += Self.line([(x, base), (x, base + 40)], color: .faint)
            elements += Self.label(mark.text, color: .faint, x: x, y: base + 180, anchor: "middle")
        }
        elements += Self.line([(left, base), (right, base)], color: .faint)
        let middle = (x: (left + right) / 2, y: (Self.top + base) / 2)
        elements += Self.label(x.title, color: .faint, x: middle.x, y: base + 400, anchor: "middle")
        let upwards = "transform=\"rotate(-90 160 \(middle.y))\""
        elements += Self.label(
            y.title,
            color: .faint,
            x: 160,
            y: middle.y,
            anchor: "middle",
            attributes: upwards
        )
        for (index, curve) in curves.enumerated() {
            // The legend has two columns.
            let column = left + index % 2 * (right - left) / 2
            elements += Self.label(
                curve.label,
                color: curve.color,
                x: column,
                y: 540 + index / 2 * 180
            )
            let dash = curve.dash.map { "\(10 * $0)" }.joined(separator: " ")
            let style =
                "stroke-width=\"15\"" + (dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\"")
            elements += Self.line(places(of: curve), color: curve.color, attributes: style)
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9000 4000" width="900" height="400" \
            font-family="system-ui, 'Helvetica Neue', Helvetica, Arial, sans-serif" font-size="120" \
            stroke-width="10" stroke-linejoin="round">
            <style>\(PlotColor.pictureStyles)</style>
            <rect class="paper" width="9000" height="4000" rx="100"/>
            \(elements)</svg>

            """
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

    private static func label(
        _ text: String,
        color: PlotColor,
        x: Int,
        y: Int,
        anchor: String = "start",
        attributes: String = ""
    ) -> String {
        "<text class=\"\(color)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" \(attributes)>"
            + "\(text.escaped)</text>\n"
    }

    private static func line(
        _ places: [(x: Int, y: Int)],
        color: PlotColor,
        attributes: String = ""
    ) -> String {
        let path = places.map { "\($0.x) \($0.y)" }.joined(separator: "L")
        return places.isEmpty ? "" : "<path class=\"\(color)\" d=\"M\(path)\" \(attributes)/>\n"
    }
}
