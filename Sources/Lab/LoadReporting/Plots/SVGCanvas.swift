/// Writes an SVG picture as text; coordinates are in tenths of a pixel.
///
/// The dashboard's chart library draws in a browser, by script. A report is a file that is mailed, kept
/// beside a build or opened where scripts are refused, and the picture of a simulated day comes out the
/// same byte for byte, which tests compare: so these pictures are text from the start.
package struct SVGCanvas: Equatable, Sendable {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// What has been drawn, as elements.
    package private(set) var elements = ""

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A file with the picture.
    ///
    /// - Parameters:
    ///   - attributes: of the picture as a whole, such as its font.
    ///   - head: elements below all others, each on a line.
    /// - Returns: its text.
    package func file(attributes: String, head: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
        width="\(width)" height="\(height)" \(attributes)>
        \(head)
        \(elements)</svg>

        """
    }

    package enum Anchor: String {
        case start, middle, end
    }

    package mutating func label(
        _ content: String,
        _ x: Int,
        _ y: Int,
        _ anchor: Anchor = .start,
        size: Int = 12,
        color: String = "#222",
        isBold: Bool = false,
        isVertical: Bool = false
    ) {
        let place =
            isVertical
            ? "transform=\"translate(\(tenths(x)) \(tenths(y))) rotate(-90)\""
            : "x=\"\(tenths(x))\" y=\"\(tenths(y))\""
        let weight = isBold ? " font-weight=\"bold\"" : ""
        elements += "<text \(place) text-anchor=\"\(anchor)\" font-size=\"\(size)\""
        elements += " fill=\"\(color)\"\(weight)>\(content.escaped)</text>\n"
    }

    package mutating func line(
        _ x1: Int,
        _ y1: Int,
        _ x2: Int,
        _ y2: Int,
        color: String,
        width: String = "1",
        dash: String? = nil
    ) {
        elements += "<path d=\"M\(tenths(x1)) \(tenths(y1))L\(tenths(x2)) \(tenths(y2))\" "
        elements += "stroke=\"\(color)\" stroke-width=\"\(width)\""
        elements += Self.dashes(dash) + " fill=\"none\"/>\n"
    }

    /// A curve of steps: each value lasts for `step`.
    ///
    /// - Parameters:
    ///   - heights: in tenths of a pixel above `base`.
    ///   - x: where the first begins.
    ///   - step: width of each, in thousandths of a tenth.
    ///   - base: where a height of zero lies.
    ///   - color: of the line, or of the area down to the base.
    ///   - isFilled: whether the area is painted and not the line.
    ///   - width: of the line.
    ///   - dash: lengths of its strokes and gaps.
    ///   - opacity: of the area.
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
                // Only corners are written: levels that last are one stroke.
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

    /// A curve from place to place.
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

    package mutating func dot(_ x: Int, _ y: Int, radius: Int, color: String) {
        elements += "<circle cx=\"\(tenths(x))\" cy=\"\(tenths(y))\" r=\"\(tenths(radius))\""
        elements += " fill=\"\(color)\"/>\n"
    }

    package mutating func bar(_ x: Int, _ y: Int, _ width: Int, _ height: Int, color: String) {
        elements += "<rect x=\"\(tenths(x))\" y=\"\(tenths(y))\" width=\"\(tenths(width))\""
        elements += " height=\"\(tenths(height))\" fill=\"\(color)\"/>\n"
    }

    private static func dashes(_ dash: String?) -> String {
        dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
    }

    private func tenths(_ value: Int) -> String { Decimal(Int64(value), 1).text }
}

extension String {
    /// As text or as an attribute in HTML and SVG; control characters, which SVG cannot have, are spaces.
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
