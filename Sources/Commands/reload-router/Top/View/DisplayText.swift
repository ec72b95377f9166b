/// Makes text safe for a terminal, and measures and cuts it by columns.
enum DisplayText {
    /// Replaces characters that control a terminal or change the direction of the text.
    ///
    /// Names come from outside: an escape sequence in one must not reach the terminal.
    static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                .paragraphSeparator:
                result.append("\u{fffd}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// The columns of a character: two for East Asian scripts and for pictographs.
    static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        // A variation selector turns a character into a pictograph.
        if scalars.contains(where: { $0.value == 0xfe0f }) { return 2 }
        if scalars.count == 1, first.properties.generalCategory == .nonspacingMark { return 0 }
        return wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x231a...0x231b, 0x23e9...0x23f3, 0x25fd...0x25fe, 0x2614...0x2615,
        0x2648...0x2653, 0x267f...0x267f, 0x2693...0x2693, 0x26a1...0x26a1, 0x26aa...0x26ab,
        0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce...0x26ce, 0x26d4...0x26d4, 0x26ea...0x26ea,
        0x26f2...0x26f5, 0x26fa...0x26fd, 0x2705...0x2705, 0x270a...0x270b, 0x2728...0x2728,
        0x274c...0x274e, 0x2753...0x2757, 0x2795...0x2797, 0x27b0...0x27bf, 0x2b1b...0x2b1c,
        0x2b50...0x2b55, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
        0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1_6fe0...0x1_b2ff,
        0x1_f000...0x1_faff, 0x2_0000...0x3_fffd,
    ]

    /// Cuts a text that is wider than `width`, and ends it with an ellipsis.
    static func cut(_ text: String, to width: Int) -> String {
        if self.width(text) <= width { return text }
        var result = ""
        var left = width - 1
        for character in text {
            left -= self.width(character)
            if left < 0 { break }
            result.append(character)
        }
        return width > 0 ? result + "…" : ""
    }

    /// Pads or cuts a text to exactly `width` columns.
    static func fit(_ text: String, to width: Int) -> String {
        let text = cut(text, to: width)
        return text + String(repeating: " ", count: max(0, width - self.width(text)))
    }
}
