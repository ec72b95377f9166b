internal import Basics

/// Texts that look the same to people and are not: one composed and one decomposed, with a no-break
/// blank, or with characters that are not seen. Rules compare bytes, so an explanation must show
/// where the difference is.
enum LookAlikes {
    /// Shows by its code points each text of two explanations that looks like one of the other.
    ///
    /// - Parameters:
    ///   - found: what a push has, as JSON.
    ///   - wanted: what a rule requires, with its texts in quotation marks.
    /// - Returns: `"Ko\u0308ln" and "K\u00f6ln"`; nil if none look alike.
    static func sentence(_ found: String, wanted: String) -> String? {
        let candidates = texts(in: wanted)
        for text in texts(in: found) {
            let look = look(of: text)
            let alike = candidates.first {
                !$0.utf8.elementsEqual(text.utf8) && self.look(of: $0) == look
            }
            if let alike { return "\(shown(text)) and \(shown(alike))" }
        }
        return nil
    }

    /// The texts in quotation marks; one with an escape shows its difference by itself.
    private static func texts(in explanation: String) -> [String] {
        let parts = explanation.split(separator: "\"", omittingEmptySubsequences: false)
        // Every second part is between two marks; the last one of an odd number of marks is cut.
        let isWhole = parts.count % 2 == 1
        return parts.indices.compactMap { index in
            if index % 2 == 0 || !isWhole && index == parts.count - 1 { return nil }
            return parts[index].contains("\\") || parts[index].isEmpty ? nil : String(parts[index])
        }
    }

    /// What is seen of a text, in a form in which composed and decomposed characters are equal.
    private static func look(of text: String) -> String {
        var seen = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isHidden {
            let isBlank = scalar.properties.generalCategory == .spaceSeparator
            if isBlank && (seen.isEmpty || seen.last == " ") { continue }
            seen.append(isBlank ? " " : scalar)
        }
        if seen.last == " " { seen.removeLast() }
        return String(seen)
    }

    /// A text as JSON in ASCII, with blanks at its ends as escapes, too.
    private static func shown(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let first = scalars.firstIndex { $0 != " " } ?? scalars.count
        let last = scalars.lastIndex { $0 != " " } ?? -1
        var shown = "\""
        for (index, scalar) in scalars.enumerated() {
            if scalar.isASCII && !scalar.isHidden && (first...max(first, last)).contains(index) {
                shown.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 { shown += "\\u" + unit.hexadecimal }
        }
        return shown + "\""
    }
}
