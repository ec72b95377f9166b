/// For what the outline of a view is used.
public struct ContentShapeKinds: OptionSet, Sendable {
    /// A bit for each use.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Where the view is tapped.
    public static let interaction = ContentShapeKinds(rawValue: 1)
    /// What is seen while the view is dragged.
    public static let dragPreview = ContentShapeKinds(rawValue: 2)
    /// What is seen while a menu is open.
    public static let contextMenuPreview = ContentShapeKinds(rawValue: 4)
    /// What a pointer highlights.
    public static let hoverEffect = ContentShapeKinds(rawValue: 8)
    /// What is spoken.
    public static let accessibility = ContentShapeKinds(rawValue: 16)
}
