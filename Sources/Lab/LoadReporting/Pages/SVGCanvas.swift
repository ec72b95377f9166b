/// Draws an SVG picture as text; all lengths but its own size are in tenths of a pixel.
struct SVGCanvas {
    /// The size in pixels.
    private let width: Int
    private let height: Int
    private var elements = ""

    /// Makes an empty picture of a size in pixels.
    init(width: Int, height: Int) {
        assert(width > 0 && height > 0, "the picture has no area")
        self.width = width
        self.height = height
    }

    /// The picture as a file, with fonts and both colour schemes.
    var file: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width)0 \(height)0" \
        width="\(width)" height="\(height)" \
        font-family="system-ui, 'Helvetica Neue', Helvetica, Arial, sans-serif">
        <style>\(PlotColor.darkRules)</style>
        <rect width="\(width)0" height="\(height)0" rx="100" fill="\(PlotColor.paper.light)"/>
        \(elements)</svg>

        """
    }

    /// Which part of a text lies at its position.
    enum Anchor: String {
        case start, middle, end
    }

    /// Writes a text at a position; `isVertical` turns it to read upwards.
    mutating func label(
        _ content: String,
        x: Int,
        y: Int,
        anchor: Anchor = .start,
        color: PlotColor,
        size: Int = 120,
        isVertical: Bool = false
    ) {
        let location =
            isVertical
            ? "transform=\"translate(\(x) \(y)) rotate(-90)\""
            : "x=\"\(x)\" y=\"\(y)\""
        elements += "<text \(location) text-anchor=\"\(anchor)\" font-size=\"\(size)\""
        elements += " fill=\"\(color.light)\">\(content.escaped)</text>\n"
    }

    /// Draws a line through points; `dash` has the lengths of its strokes and gaps.
    mutating func line(
        _ places: [(x: Int, y: Int)],
        color: PlotColor,
        width: Int = 10,
        dash: [Int] = []
    ) {
        if places.isEmpty { return }
        let path = places.map { "\($0.x) \($0.y)" }.joined(separator: "L")
        let lengths = dash.map(String.init).joined(separator: " ")
        elements += "<path d=\"M\(path)\" fill=\"none\" stroke=\"\(color.light)\""
        elements += " stroke-width=\"\(width)\" stroke-linejoin=\"round\""
        elements += (dash.isEmpty ? "" : " stroke-dasharray=\"\(lengths)\"") + "/>\n"
    }
}

extension String {
    /// The text for use in HTML and SVG, also in attributes. Control characters, which SVG does not
    /// allow, become spaces.
    var escaped: String {
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

/// A decimal number written from an integer, so that its digits are the same on every machine; the
/// digits of floating-point numbers need not be.
package struct Decimal {
    /// The digits without trailing zeros, such as `-12.5`.
    package let text: String

    /// A number in units of the last of its decimals, whose trailing zeros are left out.
    package init(_ value: Int64, places: Int) {
        let sign = value < 0 ? "-" : ""
        var digits = String(value.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = digits.dropLast(places)
        text = sign + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
