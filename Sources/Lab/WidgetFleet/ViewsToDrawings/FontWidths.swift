internal import Foundation

/// How wide characters are in a font like that of the system, so that a text takes as much room
/// here as on a telephone, whichever font the browser has.
///
/// The widths are those of Inter 4.0 (SIL Open Font License 1.1), whose letters are near to those
/// of Apple's font, which may not be copied; the room between letters by size is Apple's:
/// <https://developer.apple.com/design/human-interface-guidelines/typography>.
enum FontWidths {
    /// In thousandths of the font's size, from the space to the tilde, in regular and bold letters.
    private static let regular: [Int16] = [
        281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625,
        464, 605, 636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676,
        651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 562, 889, 753, 761, 635, 761, 639,
        638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558,
        621, 582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597, 609, 609, 372, 523, 364,
        581, 557, 812, 540, 557, 541, 362, 327, 362, 659,
    ]
    private static let bold: [Int16] = [
        232, 325, 392, 650, 655, 859, 674, 209, 409, 409, 565, 680, 303, 469, 298, 390, 688,
        489, 630, 659, 678, 645, 660, 595, 661, 660, 298, 303, 680, 680, 680, 562, 1031, 748,
        661, 752, 727, 613, 585, 761, 746, 281, 570, 690, 567, 915, 735, 782, 648, 783, 656,
        655, 668, 729, 748, 1036, 714, 724, 667, 409, 390, 409, 488, 477, 497, 580, 635, 587,
        635, 598, 386, 633, 624, 272, 272, 582, 272, 912, 622, 614, 632, 632, 409, 562, 388,
        622, 586, 850, 574, 586, 572, 409, 374, 409, 680,
    ]
    /// Others that are common, as regular letters.
    private static let others: [Character: CGFloat] = [
        "…": 0.82, "—": 1, "·": 0.28, "’": 0.22, "‘": 0.22, "“": 0.39, "”": 0.39, "\u{a0}": 0.28,
        "°": 0.43, "•": 0.5, "–": 0.57,
    ]
    /// The room between letters, in thousandths of the size, by size.
    private static let tracking: [(size: CGFloat, room: CGFloat)] = [
        (10, 12), (12, 0), (13, -6), (15, -16), (17, -26), (20, -23), (22, -12), (24, 3), (28, 14),
        (40, 10), (60, 4), (80, 0),
    ]

    /// The width of a character in a font.
    static func width(of character: Character, in font: FontStyle) -> CGFloat {
        if font.design == "monospaced" { return font.size * (isWide(character) ? 1.2 : 0.617) }
        if font.isTabular, character.isASCII, character.isNumber { return font.size * 0.62 }
        // Large letters are drawn narrower.
        let narrowing = 1 - 0.035 * min(1, max(0, (font.size - 17) / 11))
        return font.size
            * (letter(character, weight: font.weight) * narrowing + room(at: font.size) / 1_000)
    }

    private static func letter(_ character: Character, weight: Int) -> CGFloat {
        if isWide(character) { return 1 }
        guard let index = index(of: character) else { return others[character] ?? 0.6 }
        let (light, heavy) = (CGFloat(regular[index]), CGFloat(bold[index]))
        return (light + (heavy - light) * min(1.3, CGFloat(weight - 400) / 300)) / 1_000
    }

    /// The index of a character, or of the letter that it is with an accent; nil if there is none.
    private static func index(of character: Character) -> Int? {
        if let value = character.asciiValue { return 32..<127 ~= value ? Int(value) - 32 : nil }
        if others[character] != nil { return nil }
        let scalar = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
        guard let value = scalar?.value, 32..<127 ~= value else { return nil }
        return Int(value) - 32
    }

    /// Whether a character is as wide as high: one of East Asia, or a picture.
    static func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isEmojiPresentation || 0x1100...0x115f ~= scalar.value
            || 0x2e80...0xd7ff ~= scalar.value || 0xf900...0xfaff ~= scalar.value
            || 0xff00...0xff60 ~= scalar.value || scalar.value >= 0x1f000
    }

    private static func room(at size: CGFloat) -> CGFloat {
        guard let next = tracking.firstIndex(where: { $0.size >= size }) else { return 0 }
        if next == 0 { return tracking[0].room }
        let (from, to) = (tracking[next - 1], tracking[next])
        return from.room + (to.room - from.room) * (size - from.size) / (to.size - from.size)
    }
}
