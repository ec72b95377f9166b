public import Foundation

/// A point in an area, from 0 to 1 in both directions.
public struct UnitPoint: Hashable, Sendable {
    /// The place from left to right.
    public var x: CGFloat
    /// The place from top to bottom.
    public var y: CGFloat

    /// Makes a point.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// The upper left corner.
    public init() {
        self.init(x: 0, y: 0)
    }
}
