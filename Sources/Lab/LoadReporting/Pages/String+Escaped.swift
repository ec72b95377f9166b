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
