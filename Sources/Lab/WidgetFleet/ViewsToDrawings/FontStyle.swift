internal import Foundation

/// A font as it is drawn.
struct FontStyle: Equatable {
    /// The size in points.
    var size: CGFloat = 17
    /// The weight, from 100 to 900.
    var weight = 400
    /// The design: empty for the usual one, `serif`, `rounded` or `monospaced`.
    var design = ""
    var isItalic = false
    /// Whether all digits are as wide.
    var isTabular = false
    /// The name of a font of the app, of which only its size is known.
    var ownName: String?

    /// From one line to the next, as Apple's font has it.
    var lineHeight: CGFloat { size * 1.193 }
    /// From the top of a line to where letters stand.
    var ascent: CGFloat { size * 0.952 }

    static let sizes: [String: CGFloat] = [
        "largeTitle": 34, "title": 28, "title2": 22, "title3": 20, "headline": 17, "body": 17,
        "callout": 16, "subheadline": 15, "footnote": 13, "caption": 12, "caption2": 11,
    ]
    static let weights: [String: Int] = [
        "ultraLight": 100, "thin": 200, "light": 300, "regular": 400, "medium": 500,
        "semibold": 600, "bold": 700, "heavy": 800, "black": 900,
    ]
    private static let words: Set = [
        "default", "standard", "tight", "loose", "compressed", "condensed", "expanded", "system",
        "smallCaps", "lowercaseSmallCaps", "uppercaseSmallCaps",
    ]

    init() {}

    /// A font as `Font` describes it.
    init(description: String) {
        for word in description.split(separator: " ").map(String.init) {
            if let size = Self.sizes[word] ?? Double(word).map({ CGFloat($0) }) {
                self.size = min(400, max(1, size.isNaN ? 17 : size))
                if word == "headline" { weight = 600 }
            } else if let weight = Self.weights[word] {
                self.weight = weight
            } else if ["serif", "rounded", "monospaced"].contains(word) {
                design = word
            } else if word == "italic" {
                isItalic = true
            } else if word == "monospacedDigit" {
                isTabular = true
            } else if !Self.words.contains(word) {
                ownName = ownName.map { "\($0) \(word)" } ?? word
            }
        }
    }
}
