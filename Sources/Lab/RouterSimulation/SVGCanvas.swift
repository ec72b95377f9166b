/// Writes an SVG picture as text; coordinates are in tenths of a pixel.
struct SVGCanvas {
    private(set) var text: String

    init(width: Int, height: Int) {
        text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" \
            font-family="'DejaVu Sans', Verdana, sans-serif" font-size="12" fill="#222">
            <rect width="\(width)" height="\(height)" fill="#fff"/>

            """
    }

    mutating func finish() -> String {
        text += "</svg>\n"
        return text
    }

    enum Anchor: String {
        case start, middle, end
    }

    mutating func label(
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
        text += "<text \(place) text-anchor=\"\(anchor)\" font-size=\"\(size)\" fill=\"\(color)\""
        text += "\(weight)>\(Self.escaped(content))</text>\n"
    }

    mutating func line(
        _ x1: Int,
        _ y1: Int,
        _ x2: Int,
        _ y2: Int,
        color: String,
        width: String = "1",
        isDashed: Bool = false
    ) {
        text += "<path d=\"M\(tenths(x1)) \(tenths(y1))L\(tenths(x2)) \(tenths(y2))\" "
        text += "stroke=\"\(color)\" stroke-width=\"\(width)\""
        text += (isDashed ? " stroke-dasharray=\"5 3\"" : "") + " fill=\"none\"/>\n"
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
    mutating func steps(
        _ heights: [Int],
        x: Int,
        step: Int,
        base: Int,
        color: String,
        isFilled: Bool,
        width: String = "1.2"
    ) {
        guard let first = heights.first else { return }
        text += "<path d=\"M\(tenths(x)) \(tenths(isFilled ? base : base - first))"
        if isFilled { text += "V\(tenths(base - first))" }
        var height = first
        var end = x
        for (index, next) in heights.enumerated() {
            if next != height {
                // Only corners are written: levels that last are one stroke.
                end = x + index * step / 1_000
                text += "H\(tenths(end))V\(tenths(base - next))"
                height = next
            }
        }
        text += "H\(tenths(x + heights.count * step / 1_000))"
        if isFilled {
            text += "V\(tenths(base))Z\" fill=\"\(color)\"/>\n"
        } else {
            text += "\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\""
            text += " stroke-linejoin=\"round\"/>\n"
        }
    }

    private func tenths(_ value: Int) -> String { Decimal(Int64(value), 1).text }

    private static func escaped(_ content: String) -> String {
        var escaped = ""
        for character in content {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

/// A logarithmic scale of whole numbers, computed without floating point.
struct LogScale {
    /// A power of ten that no value exceeds.
    let top: UInt32
    /// The length of the axis, in tenths of a pixel.
    let length: Int

    init(largest: UInt32, length: Int) {
        var top: UInt32 = 10
        while top < largest && top < 1_000_000_000 { top *= 10 }
        self.top = top
        self.length = length
    }

    /// Where a quotient lies; the axis begins at one half, so that 1 differs from none.
    func place(_ value: UInt32, per divisor: UInt32 = 1) -> Int {
        if value == 0 { return 0 }
        let logarithm = Self.log2(value) + Self.one - Self.log2(divisor)
        return max(0, min(length, length * logarithm / (Self.log2(top) + Self.one)))
    }

    /// The powers of ten on the axis.
    var ticks: [UInt32] {
        var ticks: [UInt32] = []
        var tick: UInt32 = 1
        while tick < top {
            ticks.append(tick)
            tick *= 10
        }
        return ticks + [top]
    }

    private static var one: Int { 1 << 16 }

    /// The binary logarithm of a number above zero, in units of 2^-16, by repeated squaring.
    private static func log2(_ value: UInt32) -> Int {
        let exponent = 31 - value.leadingZeroBitCount
        var mantissa = UInt64(value) << UInt64(31 - exponent)
        var result = exponent
        for _ in 0..<16 {
            mantissa = (mantissa * mantissa) >> 31
            result *= 2
            if mantissa >= 1 << 32 {
                mantissa >>= 1
                result += 1
            }
        }
        return result
    }
}
