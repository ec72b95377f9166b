internal import Foundation

/// A plot as SVG: what gnuplot drew, without what it puts around it.
package struct PlotPicture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    private let content: String

    init(_ script: PlotScript, drawnBy gnuplot: Gnuplot) throws(GnuplotError) {
        width = script.width
        height = script.height
        content = try Self.content(gnuplot.output(of: script.text))
    }

    /// A picture with this inside, for tests of what surrounds it.
    init(width: Int, height: Int, content: String) {
        self.width = width
        self.height = height
        self.content = content
    }

    /// For a page, whose style sheet has the colours and fonts.
    package func inline(title: String) -> String {
        "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(title.escaped)\">"
            + "\(content)</svg>"
    }

    /// For a file of its own: it knows both colour schemes.
    package var standalone: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
        height="\(height)" font-family="system-ui, 'Helvetica Neue', Helvetica, Arial, sans-serif">
        <style>\(PlotColor.darkRules)</style>
        <rect width="\(width)" height="\(height)" rx="10" fill="\(PlotColor.paper.light)"/>
        \(content)
        </svg>

        """
    }

    /// gnuplot's header, definitions, names and fonts are left out, and its colours are written as
    /// the style sheet expects them: `rgb( 36,  99, 180)` as `#2463b4`.
    private static func content(_ svg: String) -> String {
        guard let start = svg.range(of: "</defs>"), let end = svg.range(of: "</svg>") else {
            return ""
        }
        var content = String(svg[start.upperBound..<end.lowerBound])
        // What opened the canvas stood in front of the definitions.
        if let last = content.range(of: "</g>", options: .backwards) {
            content.removeSubrange(last)
        }
        for (pattern, replacement) in [
            ("<title>[^<]*</title>", ""),
            (" (id|class|font-family)=(\"[^\"]*\"|'[^']*')", ""),
            ("<g fill=\"none\"[^>]*>\\s*</g>\\s*", ""),
            ("\\s*\\n\\s*", "\n"),
        ] {
            content = content.replacingOccurrences(
                of: pattern,
                with: replacement,
                options: .regularExpression
            )
        }
        return withHexadecimalColors(content)
    }

    private static func withHexadecimalColors(_ content: String) -> String {
        var text = ""
        var rest = content[...]
        while let start = rest.range(of: "rgb("),
            let end = rest[start.upperBound...].firstIndex(of: ")")
        {
            let parts = rest[start.upperBound..<end].split(separator: ",")
            let numbers = parts.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            text += rest[..<start.lowerBound]
            text += "#" + numbers.map { String(format: "%02x", $0) }.joined()
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}

extension String {
    /// As text or as an attribute in HTML and SVG.
    var escaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
