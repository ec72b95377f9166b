/// The colours of plots, each for a light and for a dark background.
///
/// Pictures are drawn in the light colours; a style sheet replaces them by the dark ones.
package enum PlotColor: String, CaseIterable, Encodable, Sendable {
    /// The background.
    case paper
    /// Text of first importance.
    case ink
    /// Text and lines of second importance.
    case faint
    case grid
    case blue
    case red
    case amber
    case green

    var light: String { tones.light }
    var dark: String { tones.dark }

    private var tones: (light: String, dark: String) {
        switch self {
        case .paper: ("#fbfbfc", "#151518")
        case .ink: ("#1d1d20", "#ececf0")
        case .faint: ("#6e6e76", "#9c9ca6")
        case .grid: ("#e6e6eb", "#33333a")
        case .blue: ("#2463b4", "#6ba6ff")
        case .red: ("#c43c2f", "#ff7d70")
        case .amber: ("#b87503", "#f0b24d")
        case .green: ("#2c7d4f", "#6dcf98")
        }
    }

    /// The style rules of a page: a variable for each colour, and the marks of legends.
    static var styles: String {
        let light = allCases.map { "--\($0):\($0.light);" }.joined()
        let dark = allCases.map { "--\($0):\($0.dark);" }.joined()
        let marks = allCases.map { "i.\($0){background:var(--\($0))}" }.joined()
        return """
            :root{\(light)--card:#fff}
            @media (prefers-color-scheme:dark){:root{\(dark)--card:#1c1c20}}
            \(marks)
            """
    }

    /// A style rule that shows a picture in the dark colours where the reader prefers a dark
    /// background.
    static var darkRules: String {
        let rules = allCases.flatMap { color in
            ["stroke", "fill"].map { attribute in
                "svg [\(attribute)=\"\(color.light)\"]{\(attribute):\(color.dark)}"
            }
        }
        return "@media (prefers-color-scheme:dark){\(rules.joined())}"
    }
}
