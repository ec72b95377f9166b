/// Draws an SVG picture as text; coordinates are in tenths of a pixel.
///
/// Pictures of reports are text, unlike those of the dashboard, whose chart library draws by script
/// in a browser: reports are mailed, archived, or opened where scripts are forbidden, and tests
/// compare the picture of a simulated day byte for byte.
package struct SVGCanvas: Equatable, Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The elements drawn so far.
    package private(set) var elements = ""

    /// Makes an empty picture of a size in pixels.
    package init(width: Int, height: Int) {
        assert(width > 0 && height > 0, "the picture has no area")
        self.width = width
        self.height = height
    }

    /// The picture as a file.
    ///
    /// - Parameters:
    ///   - attributes: attributes of the whole picture, such as its font.
    ///   - head: elements to draw below all others.
    /// - Returns: the text of the file.
    package func file(attributes: String, head: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
        width="\(width)" height="\(height)" \(attributes)>
        \(head)
        \(elements)</svg>

        """
    }

    /// Which part of a text lies at its position.
    package enum Anchor: String {
        case start, middle, end
    }

    /// Writes a text at a position; `isVertical` turns it to read upwards.
    package mutating func label(
        _ content: String,
        x: Int,
        y: Int,
        anchor: Anchor = .start,
        size: Int = 12,
        color: String = "#222",
        isBold: Bool = false,
        isVertical: Bool = false
    ) {
        let location =
            isVertical
            ? "transform=\"translate(\(tenths(x)) \(tenths(y))) rotate(-90)\""
            : "x=\"\(tenths(x))\" y=\"\(tenths(y))\""
        let weight = isBold ? " font-weight=\"bold\"" : ""
        elements += "<text \(location) text-anchor=\"\(anchor)\" font-size=\"\(size)\""
        elements += " fill=\"\(color)\"\(weight)>\(content.escaped)</text>\n"
    }

    /// Draws a line.
    package mutating func line(
        x1: Int,
        y1: Int,
        x2: Int,
        y2: Int,
        color: String,
        width: String = "1",
        dash: String? = nil
    ) {
        elements += "<path d=\"M\(tenths(x1)) \(tenths(y1))L\(tenths(x2)) \(tenths(y2))\" "
        elements += "stroke=\"\(color)\" stroke-width=\"\(width)\""
        elements += Self.dashes(dash) + " fill=\"none\"/>\n"
    }

    /// Draws a series as steps of equal width, as a line or as an area.
    ///
    /// - Parameters:
    ///   - heights: in tenths of a pixel above `base`.
    ///   - x: where the first step begins.
    ///   - step: the width of each step, in thousandths of a tenth of a pixel.
    ///   - base: the position of height 0.
    ///   - color: the colour of the line, or of the area down to the base.
    ///   - isFilled: true to draw the area and not the line.
    ///   - width: the width of the line.
    ///   - dash: the lengths of the line's strokes and gaps.
    ///   - opacity: the opacity of the area.
    package mutating func steps(
        _ heights: [Int],
        x: Int,
        step: Int,
        base: Int,
        color: String,
        isFilled: Bool,
        width: String = "1.2",
        dash: String? = nil,
        opacity: String? = nil
    ) {
        guard let first = heights.first else { return }
        elements += "<path d=\"M\(tenths(x)) \(tenths(isFilled ? base : base - first))"
        if isFilled { elements += "V\(tenths(base - first))" }
        var height = first
        var end = x
        for (index, next) in heights.enumerated() {
            if next != height {
                // Only corners are written: equal values in a row are one stroke.
                end = x + index * step / 1_000
                elements += "H\(tenths(end))V\(tenths(base - next))"
                height = next
            }
        }
        elements += "H\(tenths(x + heights.count * step / 1_000))"
        if isFilled {
            let opacity = opacity.map { " fill-opacity=\"\($0)\"" } ?? ""
            elements += "V\(tenths(base))Z\" fill=\"\(color)\"\(opacity)/>\n"
        } else {
            elements += "\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\""
            elements += " stroke-linejoin=\"round\"\(Self.dashes(dash))/>\n"
        }
    }

    /// Draws a line through points.
    package mutating func curve(
        _ places: [(x: Int, y: Int)],
        color: String,
        width: String,
        dash: String? = nil
    ) {
        let text = places.map { "\(tenths($0.x)) \(tenths($0.y))" }.joined(separator: "L")
        elements += "<path d=\"M\(text)\" fill=\"none\" stroke=\"\(color)\""
        elements += " stroke-width=\"\(width)\" stroke-linejoin=\"round\"\(Self.dashes(dash))/>\n"
    }

    /// Draws a filled circle.
    package mutating func dot(x: Int, y: Int, radius: Int, color: String) {
        elements += "<circle cx=\"\(tenths(x))\" cy=\"\(tenths(y))\" r=\"\(tenths(radius))\""
        elements += " fill=\"\(color)\"/>\n"
    }

    /// Draws a filled rectangle.
    package mutating func bar(x: Int, y: Int, width: Int, height: Int, color: String) {
        elements += "<rect x=\"\(tenths(x))\" y=\"\(tenths(y))\" width=\"\(tenths(width))\""
        elements += " height=\"\(tenths(height))\" fill=\"\(color)\"/>\n"
    }

    private static func dashes(_ dash: String?) -> String {
        dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
    }

    private func tenths(_ value: Int) -> String { Decimal(Int64(value), places: 1).text }
}

extension String {
    /// The text for use in HTML and SVG, also in attributes. Control characters, which SVG does not
    /// allow, become spaces.
    package var escaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\u{0}"..."\u{1f}", "\u{7f}": text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
