/// Where views are placed from left to right.
public struct HorizontalAlignment: Hashable, Sendable {
    let name: String
}

/// Where views are placed from top to bottom.
public struct VerticalAlignment: Hashable, Sendable {
    let name: String
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
}
