/// The colours of plots, each for a light and for a dark background.
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

    /// The style rules of a page: a variable for each colour.
    static var styles: String {
        let light = allCases.map { "--\($0):\($0.light);" }.joined()
        let dark = allCases.map { "--\($0):\($0.dark);" }.joined()
        return """
            :root{\(light)}
            @media (prefers-color-scheme:dark){:root{\(dark)}}
            """
    }

    /// The style rules of a picture, where each line and text has the class of its colour.
    static var pictureStyles: String {
        func rules(_ tone: (PlotColor) -> String) -> String {
            allCases.map { color in
                ".\(color){stroke:\(tone(color));fill:none}"
                    + "text.\(color),rect.\(color){fill:\(tone(color));stroke:none}"
            }.joined()
        }
        return rules(\.light) + "@media (prefers-color-scheme:dark){\(rules(\.dark))}"
    }
}
