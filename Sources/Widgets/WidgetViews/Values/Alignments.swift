/// Where views are placed from left to right.
public struct HorizontalAlignment: Hashable, Sendable {
    private let name: String

    /// At the left edge.
    public static let leading = HorizontalAlignment(name: "leading")
    /// In the middle.
    public static let center = HorizontalAlignment(name: "center")
    /// At the right edge.
    public static let trailing = HorizontalAlignment(name: "trailing")
    /// At the left edge of row separators.
    public static let listRowSeparatorLeading = leading
}

/// Where views are placed from top to bottom.
public struct VerticalAlignment: Hashable, Sendable {
    private let name: String

    /// At the upper edge.
    public static let top = VerticalAlignment(name: "top")
    /// In the middle.
    public static let center = VerticalAlignment(name: "center")
    /// At the lower edge.
    public static let bottom = VerticalAlignment(name: "bottom")
    /// At the first line of text.
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
    /// At the last line of text.
    public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// Where views are placed in both directions.
public struct Alignment: Hashable, Sendable {
    /// The place from left to right.
    public var horizontal: HorizontalAlignment
    /// The place from top to bottom.
    public var vertical: VerticalAlignment

    /// Makes an alignment.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// At the left edge.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// At the right edge.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// At the upper edge.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// At the lower edge.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// In the upper left corner.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// In the upper right corner.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// In the lower left corner.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// In the lower right corner.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// At the first line of text, in the middle.
    public static let centerFirstTextBaseline = Alignment(
        horizontal: .center,
        vertical: .firstTextBaseline
    )
    /// At the first line of text, at the left edge.
    public static let leadingFirstTextBaseline = Alignment(
        horizontal: .leading,
        vertical: .firstTextBaseline
    )
}
