public import Foundation

/// Distances from the four edges.
public struct EdgeInsets: Hashable, Sendable {
    /// The distance from the upper edge.
    public var top: CGFloat
    /// The distance from the left edge.
    public var leading: CGFloat
    /// The distance from the lower edge.
    public var bottom: CGFloat
    /// The distance from the right edge.
    public var trailing: CGFloat

    /// Makes distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// No distances.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }
}
