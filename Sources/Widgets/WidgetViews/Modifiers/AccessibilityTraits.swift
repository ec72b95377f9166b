/// What a view is, for people who cannot see it.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// A bit for each trait.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A button.
    public static let isButton = AccessibilityTraits(rawValue: 1)
    /// A header.
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    /// A link.
    public static let isLink = AccessibilityTraits(rawValue: 4)
    /// A picture.
    public static let isImage = AccessibilityTraits(rawValue: 8)
    /// A text.
    public static let isStaticText = AccessibilityTraits(rawValue: 16)
    /// Selected.
    public static let isSelected = AccessibilityTraits(rawValue: 32)
    /// Updated often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 64)
}
