public import Foundation

/// A column or a row of a grid.
public struct GridItem: Sendable {
    /// How wide or high it is.
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// How wide or high it is.
    public var size: Size
    /// The distance to the next one; nil for the usual one.
    public var spacing: CGFloat?
    /// Where views are placed in it; nil for the grid's alignment.
    public var alignment: Alignment?

    /// Makes an item.
    public init(
        _ size: Size = .flexible(),
        spacing: CGFloat? = nil,
        alignment: Alignment? = nil
    ) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}
